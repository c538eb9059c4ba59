export interface PagePath {
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
export function pagePaths(count: number): PagePath[] {
  return Array.from({ length: count }, (_, rank) => ({ path: pathAt(rank), rank }));
}

function pathAt(rank: number): string {
  const first = FIRST_PATHS[rank];
  if (first !== undefined) {
    return first;
  }
  // After the first paths, every second path is a nasty one, until all are used.
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
