import { posix } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import type { Sides } from '../change.ts';
import { oncePer } from '../once-per.ts';
import { belowRoot, pageName, type Site } from './site.ts';

/**
 * What a file is to the docs, by its path:
 * - `page`: a page of the site.
 * - `snippet`: Markdown that pages include.
 * - `picture`: a picture or a video.
 * - `navigation`: docs.json, or a file that it includes.
 * - `data`: JSON or YAML, which may describe an API.
 * - `companion`: what is no part of the site, and changes with it: Markdown for people who work on the repository, or
 *   that `.mintignore` names, word lists of spell checkers, what translation tools remember, and overviews for models.
 * - `other`: anything else, and every file outside of the docs.
 */
export type FileKind =
  | 'page'
  | 'snippet'
  | 'picture'
  | 'navigation'
  | 'data'
  | 'companion'
  | 'other';

/** Markdown that agents take for instructions, and settings of a second site. */
const noDocs =
  /^(?:(?:AGENTS?|CLAUDE|GEMINI|COPILOT|QWEN|CODEX|WARP)(?:\.[\w-]+)?|skill|SKILL)\.md$|^(?:docs|mint)\.json$/;

/** Markdown that Mintlify makes no pages of, unless the navigation names it. */
const readme = /^(?:readme|license|contributing|contribute|changelog)\.md$/i;

const picture = /\.(?:png|jpe?g|gif|webp|avif|ico|mp4|webm|mov)$/i;

/** JSON and YAML that package managers and servers read as their settings. */
const toolSettings = /^(?:package|npm|pnpm|[jt]sconfig|deno|vercel|docker|compose)\b/i;

const toolData =
  /^(?:llms(?:-full)?\.txt|(?:gt-lock|(?:i18n|lingo)[.-]lock)(?:\.json|\.ya?ml)?|(?:accept|reject|vocab|words|wordlist|dictionary|spelling|ignore-words)\.(?:txt|dic))$/i;

type KnownSite = Pick<Site, 'root' | 'files' | 'ignored' | 'pages'>;

/**
 * @param path in the repository
 * @param imported Markdown files that pages import, by path in the repository. They are snippets,
 * whatever they are called and wherever they lie.
 */
export function kindOf(
  path: string,
  site: KnownSite,
  imported: ReadonlySet<string> = new Set(),
): FileKind {
  const below = belowRoot(path, site);
  if (!isInside(site.root, path) || isHiddenPath(path)) return 'other';
  // package.json stays a setting of npm, even if docs.json includes it.
  if (site.files.has(path) && isData(path)) return 'navigation';
  const kind = kindByName(below);
  // AGENTS.md stays an instruction for agents, even if the navigation names it or a page imports it.
  if (kind === 'other') return 'other';
  if (isPagePath(path) && !isInSnippets(below) && site.pages.has(pageName(below))) return 'page';
  if (isPagePath(path) && imported.has(path)) return 'snippet';
  return kind === 'page' && matcherOf(site).ignores(below) ? 'companion' : kind;
}

const matcherOf = oncePer(({ ignored }: Pick<Site, 'ignored'>): Ignore => ignore().add(ignored));

/** What a file is by its name alone, in docs of which nothing else is known. */
function kindByName(path: string): FileKind {
  const name = posix.basename(path);
  if (isHiddenPath(path) || noDocs.test(name)) return 'other';
  if (isPagePath(path) && isInSnippets(path)) return 'snippet';
  if (readme.test(name) || isToolData(path)) return 'companion';
  if (isPagePath(path)) return 'page';
  if (picture.test(name)) return 'picture';
  return isData(path) ? 'data' : 'other';
}

/** Whether a file lies in the folder of snippets. In `guides/snippets`, a file is a page unless a page imports it. */
function isInSnippets(path: string): boolean {
  return /^_?snippets\//i.test(path);
}

/** Whether a file is JSON or YAML, and no tool reads a file of this name as its settings. */
function isData(path: string): boolean {
  return /\.(?:json|ya?ml)$/i.test(path) && !toolSettings.test(posix.basename(path));
}

/** Whether a file is data of a tool. It may lie in a hidden folder, as word lists do in `.vale`. */
function isToolData(path: string): boolean {
  return toolData.test(posix.basename(path)) && !decidesOnWorkflows(path);
}

/** A dotfile, or a file in a folder whose name begins with a dot. */
function isHiddenPath(path: string): boolean {
  return !isToolData(path) && path.split('/').some((segment) => segment.startsWith('.'));
}

/**
 * Whether input `allowed-paths` allows a file. A glob such as `docs/**` allows what docs usually consist of;
 * to allow anything else, the glob ends in the extension (`docs/*.css`) or the name (`docs/Makefile`). No glob
 * allows files in `.github`, because they decide whether this check runs.
 */
export function isAllowed(path: string, allowedPaths: readonly string[]): boolean {
  const { base, ext } = posix.parse(path);
  const end = ext === '' || toolSettings.test(base) ? base : ext;
  // The settings of a second site are judged by the step that checks that site.
  const isUsual = !['data', 'other'].includes(kindByName(path)) || base === 'docs.json';
  return (
    !decidesOnWorkflows(path) &&
    allowedPaths
      .filter((glob) => isUsual || glob.endsWith(end))
      // A glob matches a dotfile only if it spells the dot.
      .some((glob) => posix.matchesGlob(path, glob))
  );
}

/** Whether a file can be a workflow, an action or a setting of GitHub. */
export function decidesOnWorkflows(path: string): boolean {
  return /^\.github\//i.test(path);
}

/** Whether a path in the repository lies in a folder; an empty folder is the top. */
export function isInside(folder: string, path: string): boolean {
  return folder === '' || path.startsWith(`${folder}/`);
}

/** Whether one of the changed files lies in the docs. */
export function touchesDocs({ files, before, after }: Sides): boolean {
  return files.some(
    ({ path, previousPath = path }) =>
      isInside(after.site.root, path) || isInside(before.site.root, previousPath),
  );
}

/**
 * Whether a file is parsed as MDX. Mintlify reads `.md` as MDX, too, but files such as README.md are for GitHub and may
 * be any Markdown.
 */
export function isMdx(path: string, site: KnownSite): boolean {
  return ['page', 'snippet'].includes(kindOf(path, site)) || path.endsWith('.mdx');
}

/** Whether a file is a page or a snippet by its name. */
export function isPagePath(path: string): boolean {
  return /\.mdx?$/i.test(path);
}

/** Whether the check reads what a changed file of this name says. Of any other file, the name says enough. */
export function isParsed(path: string): boolean {
  return isPagePath(path) || kindByName(path) === 'data';
}
