/** Unique visitors, in the form of `totals` in the API. */
interface Counts {
  readonly human: number;
  readonly ai: number;
  /** Counts a visitor who is in both groups once, so it is at most `human + ai`. */
  readonly total: number;
}

interface PageVisitors extends Counts {
  readonly path: string;
}

export interface VisitorReport {
  readonly totals: Counts;
  /** The most visited page first. Every page has visitors on every day. */
  readonly visitors: readonly PageVisitors[];
}

/** A range of whole UTC days, counted from 1970-01-01. */
export interface DayRange {
  /** The first day; the first one with figures by default. */
  readonly from?: number | undefined;
  /** The day after the last one; today by default. */
  readonly to?: number | undefined;
}

const NOBODY: Counts = { human: 0, ai: 0, total: 0 };

/** The number of days with figures, up to yesterday. */
const DAYS_OF_HISTORY = 120;

export const DAY_MS = 86_400_000;

/** The largest number of pages. */
export const MAX_PAGES = 250_000;
/** How many reports are cached, so that all requests of an export use the same ranking. */
const KEPT_REPORTS = 4;

/**
 * Invents the visitors of a docs site. The same seed and days always have the same figures.
 *
 * The figures behave like counts of unique visitors: a longer range has more visitors, but fewer than
 * the sum of its parts, and the site has fewer than the sum of its pages.
 *
 * @param options.pages How many pages the site has, 0 to 250,000.
 * @param options.now Milliseconds since 1970; the day before is the last one with figures.
 */
export function inventVisitors(options: {
  readonly seed: number;
  readonly pages: number;
  readonly now: () => number;
}): (range: DayRange) => VisitorReport {
  const { seed, pages, now } = options;
  if (!Number.isInteger(pages) || pages < 0 || pages > MAX_PAGES) {
    throw new RangeError(`pages must be a whole number from 0 to ${MAX_PAGES}, not ${pages}`);
  }
  const paths = pagePaths(pages);
  const reports = new Map<string, VisitorReport>();

  return (range) => {
    const today = Math.floor(now() / DAY_MS);
    const from = Math.max(range.from ?? 0, today - DAYS_OF_HISTORY);
    const to = Math.min(range.to ?? today, today);
    const key = `${from}..${to}`;
    const report = reports.get(key) ?? count(seed, paths, from, to);
    reports.delete(key);
    reports.set(key, report);
    if (reports.size > KEPT_REPORTS) {
      reports.delete(reports.keys().next().value ?? key);
    }
    return report;
  };
}

function count(seed: number, paths: readonly PagePath[], from: number, to: number): VisitorReport {
  if (from >= to) {
    return { totals: NOBODY, visitors: [] };
  }
  const traffic = trafficOf(seed, from, to);
  const visitors = paths
    .map(({ path, rank }) => visitorsOf(seed, path, rank, traffic))
    .sort((a, b) => b.total - a.total || (a.path < b.path ? -1 : 1));
  return { totals: siteTotals(visitors), visitors };
}

/** The traffic of the range. A working day counts as about 1. */
function trafficOf(seed: number, from: number, to: number): number {
  let sum = 0;
  for (let day = from; day < to; day++) {
    // Day 0 was a Thursday, so days 2 and 3 were a weekend.
    sum += (day % 7 === 2 || day % 7 === 3 ? 0.4 : 0.9) + chance(seed, day) * 0.2;
  }
  return sum;
}

function visitorsOf(seed: number, path: string, rank: number, traffic: number): PageVisitors {
  // A few pages get most visits. Visitors return, so their number grows more slowly than the visits.
  const popularity = (900 * (0.6 + 0.8 * chance(seed, rank, 2))) / (rank + 1) ** 0.8;
  const unique = popularity * traffic ** 0.85;
  const aiShare = 0.1 + 0.4 * chance(seed, rank, 3);
  return { path, ...deduplicated(unique * (1 - aiShare), unique * aiShare) };
}

/** The totals are less than the sums, because most visitors see more than one page. */
function siteTotals(pages: readonly PageVisitors[]): Counts {
  let sumHuman = 0;
  let sumAi = 0;
  let mostHuman = 0;
  let mostAi = 0;
  for (const page of pages) {
    sumHuman += page.human;
    sumAi += page.ai;
    mostHuman = Math.max(mostHuman, page.human);
    mostAi = Math.max(mostAi, page.ai);
  }
  if (pages.length === 0) {
    return NOBODY;
  }
  return deduplicated(Math.max(mostHuman, sumHuman * 0.4), Math.max(mostAi, sumAi * 0.4));
}

/** A person who reads a page and also asks an AI tool about it counts in both groups, and once in total. */
function deduplicated(humanShare: number, aiShare: number): Counts {
  const human = Math.max(1, Math.round(humanShare));
  const ai = Math.round(aiShare);
  const both = Math.ceil(Math.min(human, ai) * 0.12);
  return { human, ai, total: human + ai - both };
}

/** A number from 0 to 1 that looks random, and only depends on the arguments. */
function chance(seed: number, a: number, b = 0): number {
  let hash = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(a + 1, 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 15) ^ Math.imul(b + 1, 0x27d4eb2f), 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
  return ((hash ^ (hash >>> 15)) >>> 0) / 2 ** 32;
}

interface PagePath {
  readonly path: string;
  /** 0 for the page with the most visitors. */
  readonly rank: number;
}

const FIRST_PATHS = ['/', '/quickstart', '/introduction', '/installation', '/api/authentication'];

/**
 * Paths that break careless exports: a comma and quotes in CSV, a formula in a spreadsheet, a pipe and
 * a tag in Markdown, braces in a template, an emoji, and a workflow command in a log.
 */
export const NASTY_PATHS: readonly string[] = [
  '/guides/tables,-rows-and-columns',
  '/guides/the-"quoted"-page',
  '/reference/a|b',
  "=cmd|' /C calc'!A0",
  '/changelog/🚀-launch',
  '/components/<b>bold</b>',
  '/templates/{{x}}',
  '/guides/`code`-and-*stars*',
  '/logs/::error::not-an-error',
  '/search?q=a%20b&sort=new#top',
];

const SECTIONS = ['guides', 'api', 'api/v2', 'reference', 'components', 'changelog'];
const TOPICS = ['webhooks', 'errors', 'rate-limits', 'users/list', 'deploy', 'search', 'billing'];

/** `count` different paths of a docs site. The nasty ones are among the most visited. */
function pagePaths(count: number): PagePath[] {
  return Array.from({ length: count }, (_, rank) => ({ path: pathAt(rank), rank }));
}

function pathAt(rank: number): string {
  const first = FIRST_PATHS[rank];
  if (first !== undefined) {
    return first;
  }
  // After the first paths, every second path is nasty, until all nasty paths are used.
  const index = rank - FIRST_PATHS.length;
  const nasty = index % 2 === 0 ? NASTY_PATHS[index / 2] : undefined;
  return nasty ?? ordinaryPath(index);
}

function ordinaryPath(index: number): string {
  const section = SECTIONS[index % SECTIONS.length];
  const round = Math.floor(index / SECTIONS.length);
  const topic = TOPICS[round % TOPICS.length];
  const edition = Math.floor(round / TOPICS.length);
  return edition === 0 ? `/${section}/${topic}` : `/${section}/${topic}-${edition + 1}`;
}
