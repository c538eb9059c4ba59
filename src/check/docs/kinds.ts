import { posix } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import picomatch from 'picomatch';
import type { Change } from '../change.ts';
import { oncePer } from '../once-per.ts';
import { pageName, type Site } from './site.ts';

/**
 * What a file is to the docs, by its path:
 * - `page`: a page of the site.
 * - `snippet`: Markdown that pages include.
 * - `media`: an image, a video, a sound, a font or a PDF.
 * - `navigation`: docs.json, or a file that it includes.
 * - `api-description`: OpenAPI or AsyncAPI.
 * - `for-agents`: instructions and overviews that agents read, such as AGENTS.md and llms.txt.
 * - `readme`: Markdown for people who work on the repository, or that `.mintignore` names; no page of the site.
 * - `runs`: runs on the site, in CI or on a maintainer's machine, or configures what does.
 * - `other`: anything else below the root.
 * - `outside`: not below the root of the docs.
 */
export type FileKind =
  | 'page'
  | 'snippet'
  | 'media'
  | 'navigation'
  | 'api-description'
  | 'for-agents'
  | 'readme'
  | 'runs'
  | 'other'
  | 'outside';

const runningExtension =
  /\.(?:[cm]?[jt]sx?|s?css|less|html?|xhtml|vue|svelte|astro|wasm|sh|bash|zsh|fish|ps1|bat|cmd|py|rb|pl|php|go|rs|java|kt|lua|exe|dll|so)$/i;

const runningName =
  /^(?:package(?:-lock)?\.json|npm-shrinkwrap\.json|pnpm-(?:lock|workspace)\.ya?ml|bun\.lockb?|yarn\.lock|(?:ts|js)config.*\.json|deno\.jsonc?|vercel\.json|netlify\.toml|pyproject\.toml|requirements.*\.txt|gemfile|rakefile|makefile|justfile|dockerfile|docker-compose.*|codeowners|.*\.mk)$/i;

const forAgents =
  /(?:^|\/)(?:(?:AGENTS?|CLAUDE|GEMINI|COPILOT|QWEN|CODEX)(?:\.[\w-]+)?\.md|(?:skill|SKILL)\.md|llms[\w.-]*\.txt|llms\/.+\.txt)$/;

/** Markdown that Mintlify makes no pages of, unless the navigation names it. */
const readme =
  /(?:^|\/)(?:readme|license|contributing|contribute|changelog|code_of_conduct|security)\.md$/i;

const media =
  /\.(?:png|jpe?g|jfif|gif|webp|avif|apng|svg|ico|bmp|tiff?|mp4|m4v|mov|webm|ogg|mp3|wav|m4a|woff2?|ttf|otf|eot|pdf)$/i;

const apiName =
  /(?:^|[\\/._-])(?:open-?api|swagger|async-?api|oas|oas3|api|specs?)(?:[\\/._-]|\d|$)/i;

type KnownSite = Pick<Site, 'root' | 'files' | 'apiFiles' | 'ignored' | 'pages'>;

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
  const below = site.root === '' ? path : path.slice(site.root.length + 1);
  const isOutside = !isInside(site.root, path);
  // That the settings include a file does not keep it from running: it may be package.json.
  if (runs(path)) return 'runs';
  if (site.files.has(path)) return 'navigation';
  if (isOutside) return 'outside';
  if (isNamedPage(below, site.pages)) return 'page';
  const kind = kindBelow(below, site.apiFiles.includes(path), imported.has(path));
  return kind === 'page' && isIgnored(below, site) ? 'readme' : kind;
}

const matcherOf = oncePer(({ ignored }: Pick<Site, 'ignored'>): Ignore => ignore().add(ignored));

function isIgnored(path: string, site: KnownSite): boolean {
  return site.ignored !== '' && matcherOf(site).ignores(path);
}

const namesOf = oncePer((pages: Site['pages']): ReadonlySet<string> => new Set(pages));

function isNamedPage(path: string, pages: Site['pages']): boolean {
  return isPagePath(path) && !isInSnippets(path) && namesOf(pages).has(pageName(path));
}

function kindBelow(path: string, isNamedDescription: boolean, isImported: boolean): FileKind {
  if (/(?:^|\/)docs\.json$/.test(path)) return 'navigation';
  if (isImported && isPagePath(path)) return 'snippet';
  if (forAgents.test(path)) return 'for-agents';
  if (isPagePath(path)) return markdownKind(path);
  if (media.test(path)) return 'media';
  const isDescription = isNamedDescription || apiName.test(path);
  return isDescription && /\.(?:json|ya?ml)$/i.test(path) ? 'api-description' : 'other';
}

function markdownKind(path: string): FileKind {
  if (isInSnippets(path)) return 'snippet';
  return readme.test(path) ? 'readme' : 'page';
}

function isInSnippets(path: string): boolean {
  return /(?:^|\/)_?snippets\//.test(path);
}

function runs(path: string): boolean {
  return isHidden(path) || runningExtension.test(path) || runningName.test(posix.basename(path));
}

/** A dotfile, or a file in a folder whose name begins with a dot. */
function isHidden(path: string): boolean {
  return path.split('/').some((segment) => segment.startsWith('.'));
}

/**
 * Whether input `allowed-paths` allows a file of that kind.
 *
 * A glob of `allowedPaths` allows what runs only where it means it: `docs/**` allows neither
 * `docs/custom.css` nor `docs/.vale.ini`, but `docs/*.css` and `docs/.vale.ini` do. What lies in
 * `.github` decides over this very check, so that no glob allows it.
 */
export function isAllowed(path: string, kind: FileKind, allowedPaths: readonly string[]): boolean {
  if (/^\.github\//i.test(path)) return false;
  const isMatch = matches(path, allowedPaths);
  return kind === 'runs' ? isMatch && !matches(disguised(path), allowedPaths) : isMatch;
}

/** Without `dot`, a glob matches only those dotfiles whose dot it spells. */
function matches(path: string, globs: readonly string[]): boolean {
  return globs.some((glob) => picomatch.isMatch(path, glob, { nonegate: true }));
}

/** The same path with something else in place of what makes it run. */
function disguised(path: string): string {
  const { dir, base, name, ext } = posix.parse(path);
  if (isHidden(path)) return '';
  const other = runningExtension.test(base) ? `${name}.disguised` : `disguised${ext}`;
  return posix.join(dir, other);
}

/** Word lists of spell checkers, and what translation tools remember: nobody reads them on the site. */
export function isToolData(path: string): boolean {
  return toolData.test(path);
}

const toolData =
  /(?:^|\/)(?:(?:gt-lock|(?:i18n|lingo)[.-]lock)(?:\.json|\.ya?ml)?|(?:accept|reject|vocab|words|wordlist|dictionary|spelling|ignore-words)\.(?:txt|dic))$/i;

/** Whether a path in the repository lies in a folder; an empty folder is the top. */
export function isInside(folder: string, path: string): boolean {
  return folder === '' || path.startsWith(`${folder}/`);
}

/** Whether one of the changed files lies in the docs. */
export function touchesDocs({
  files,
  before,
  after,
}: Pick<Change, 'files' | 'before' | 'after'>): boolean {
  return files.some(
    ({ path, previousPath = path }) =>
      isInside(after.site.root, path) || isInside(before.site.root, previousPath),
  );
}

/** Whether a file is a page or a snippet by its name. */
export function isPagePath(path: string): boolean {
  return /\.mdx?$/i.test(path);
}

/** Whether a file is a component, a script or a style sheet by its name. */
export function isCodePath(path: string): boolean {
  return /\.(?:css|[jt]sx?)$/i.test(path);
}

/** Whether a file has no text, by its name, so that it need not be read. */
export function isBinaryPath(path: string): boolean {
  return binary.test(path);
}

const binary =
  /\.(?:png|jpe?g|gif|webp|avif|ico|bmp|tiff?|heic|mp4|webm|mov|m4v|ogv|mp3|wav|ogg|m4a|pdf|zip|t?gz|7z|woff2?|ttf|otf|eot)$/i;
