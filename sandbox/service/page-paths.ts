export interface PagePath {
  readonly path: string;
  /** 0 for the page that most visitors see. */
  readonly rank: number;
}

const FIRST_PATHS = ['/', '/quickstart', '/introduction', '/installation', '/api/authentication'];

/**
 * Paths that break careless exports: a comma and quotes for CSV, a formula for spreadsheets, a
 * pipe and a tag for Markdown, braces for templates, an emoji and a workflow command for the log.
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

const SECTIONS = [
  'guides',
  'api',
  'api/v2',
  'reference',
  'components',
  'integrations',
  'changelog',
];
const TOPICS = [
  'webhooks',
  'errors',
  'pagination',
  'rate-limits',
  'users/list',
  'users/create',
  'projects/update',
  'deploy',
  'custom-domains',
  'single-sign-on',
  'migrations',
  'search',
  'billing',
];

/** Paths of a documentation site of `count` pages, all different; the nasty ones rank high. */
export function pagePaths(count: number): PagePath[] {
  return Array.from({ length: count }, (_, rank) => ({ path: pathAt(rank), rank }));
}

function pathAt(rank: number): string {
  const first = FIRST_PATHS[rank];
  if (first !== undefined) {
    return first;
  }
  // Every second page from here on is a nasty one, until there are no more.
  const beyond = rank - FIRST_PATHS.length;
  const nasty = beyond % 2 === 0 ? NASTY_PATHS[beyond / 2] : undefined;
  return nasty ?? ordinaryPath(beyond);
}

function ordinaryPath(index: number): string {
  const section = SECTIONS[index % SECTIONS.length];
  const round = Math.floor(index / SECTIONS.length);
  const topic = TOPICS[round % TOPICS.length];
  const edition = Math.floor(round / TOPICS.length);
  return edition === 0 ? `/${section}/${topic}` : `/${section}/${topic}-${edition + 1}`;
}
