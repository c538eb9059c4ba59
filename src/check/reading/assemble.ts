import { posix } from 'node:path';
import { maxFiles } from '../../github/compare.ts';
import { ActionError, inputError, rerunLater } from '../../text/error.ts';
import { listed, quoted } from '../../text/plain.ts';
import type { Change, DocsVersion, Sides, Tree, TreeEntry } from '../change.ts';
import { createApiReader } from '../docs/api.ts';
import { isMdx, isPagePath, isParsed, kindOf, touchesDocs } from '../docs/kinds.ts';
import { importsOf } from '../docs/links.ts';
import { type Page, parsePage } from '../docs/page.ts';
import { rootOf } from '../docs/scope.ts';
import { includedBy, maxDepth } from '../docs/settings.ts';
import { ignoringFile, readSite, type Site } from '../docs/site.ts';
import { type RuleFinding, unjudged } from '../finding.ts';
import type { CheckInputs } from '../inputs.ts';
import { plainOf, say } from '../sentence.ts';
import { filesAt, type Texts } from './texts.ts';
import { changedFilesIn, type Trees } from './tree.ts';
import { anchorTargets, searchOf, unchangedPages } from './unchanged.ts';

/** The inputs that decide what is read. */
export type AssembleOptions = Pick<CheckInputs, 'docsRoot' | 'allowedPaths'>;

/**
 * Reads and parses what changed, and those unchanged files that the rules need: first the changed files, then the
 * settings of both versions, which say what is a page, and at last the unchanged pages.
 * @throws ActionError if the folder of the docs cannot be found, or its settings cannot be read
 * @throws the signal's reason if the run is cancelled
 */
export async function assemble(
  trees: Trees,
  { docsRoot, allowedPaths }: AssembleOptions,
  texts: Texts,
): Promise<Change> {
  const navigation = findNavigationFiles(docsRoot, trees.before, trees.after);
  const files = changedFilesIn(trees);
  const pathsBefore = files.map(({ path, previousPath = path }) => previousPath).filter(isParsed);
  const pathsAfter = files.map(({ path }) => path).filter(isParsed);
  const changed = {
    before: filesAt([...settingsFiles(navigation.before), ...pathsBefore], trees.before),
    after: filesAt([...settingsFiles(navigation.after), ...pathsAfter], trees.after),
  };
  await texts.read([...changed.before, ...changed.after]);
  const readVersion = async (side: 'before' | 'after'): Promise<DocsVersion> => {
    const site = await readSiteOf(navigation[side], trees[side], texts);
    const pages = await texts.parse(changed[side].filter(isPageFile), parserOf(site));
    const descriptions = changed[side].filter(({ path }) => kindOf(path, site) === 'data');
    const apis = await texts.parse(descriptions, createApiReader());
    return { tree: trees[side], site, pages, apis };
  };
  const before = await readVersion('before');
  const sides: Sides = { files, before, after: await readVersion('after') };
  // A change of code alone, in a repository that has more than docs, needs none of its pages.
  const unchanged = touchesDocs(sides) ? unchangedPages(sides) : [];
  await texts.read(unchanged);
  const copies = copiesIn(sides);
  const others = await parseOthers(sides, unchanged, copies.values(), texts);
  const pagesBefore = [...changed.before.filter(isPageFile), ...unchanged];
  return {
    ...withOthers(sides, others),
    allowedPaths,
    unread: unreadOf(trees, navigation.before, texts),
    knownComponents: componentsIn(pagesBefore.map((file) => texts.of(file) ?? '')),
    copies,
  };
}

/**
 * Finds the navigation file of each version, by path in the repository: in the folder that input `docs-root`
 * names, or else the only docs.json there is. The version before decides, so that a change which adds a second
 * docs.json cannot hide the docs.
 *
 * @param docsRoot empty for the top, `undefined` to look for it
 * @returns paths; if the change took the file away, the version after has none at its path, or another one
 * @throws ActionError if there is no such file, or if there are several
 */
export function findNavigationFiles(
  docsRoot: string | undefined,
  before: Tree,
  after: Tree,
): { readonly before: string; readonly after: string } {
  const [old, now] = [filesIn(before, docsRoot), filesIn(after, docsRoot)];
  const candidates = old.length === 1 ? old : now;
  const [file, ...others] = candidates;
  if (file === undefined || others.length > 0) {
    const problem = rootProblem(docsRoot, filesIn(after, undefined));
    throw inputError('docs-root', problem, 'give the folder that has this file');
  }
  const [moved = file] = now;
  return { before: file, after: after.has(file) ? file : moved };
}

function filesIn(tree: Tree, docsRoot: string | undefined): readonly string[] {
  if (docsRoot !== undefined) {
    return [posix.join(docsRoot, 'docs.json')].filter((path) => tree.has(path));
  }
  const isForeign = (path: string) => /(?:^|\/)(?:node_modules|\.[^/]*)\//.test(path);
  return [...tree.keys()]
    .filter((path) => posix.basename(path) === 'docs.json' && !isForeign(path))
    .sort();
}

/** An error names no more folders, because a repository can have a site in each of its folders. */
const maxListed = 10;

/** @param files every docs.json of the repository */
function rootProblem(docsRoot: string | undefined, files: readonly string[]): string {
  const given = docsRoot === undefined ? 'empty' : quoted(docsRoot || '.');
  if (files.length === 0) {
    return `is ${given}, and the repository has no docs.json`;
  }
  const folders = listed(files.slice(0, maxListed).map((file) => quoted(posix.dirname(file))));
  return docsRoot === undefined
    ? `is empty, and several folders have a docs.json, such as ${folders}`
    : `is ${given}, and that folder has no docs.json, but ${folders} ${files.length === 1 ? 'does' : 'do'}`;
}

function settingsFiles(file: string): readonly string[] {
  return [file, ignoringFile(file)];
}

/** Reads a version's navigation file, what it includes, and its `.mintignore`. */
async function readSiteOf(file: string, tree: Tree, texts: Texts): Promise<Site> {
  const known = new Map<string, string | undefined>();
  let wanted: readonly string[] = settingsFiles(file);
  // A longer chain of files is nested too deeply to be read.
  for (let depth = 0; depth < maxDepth && wanted.length > 0; depth += 1) {
    await texts.read(filesAt(wanted, tree));
    for (const path of wanted) {
      const problem = texts.unread.get(path);
      if (problem !== undefined) {
        // Without its settings, every page of the site would seem to be gone, or new.
        const what = `the settings of the docs in ${quoted(path)} could not be read, because ${plainOf(problem)}`;
        const advice = `${rerunLater}, or split the file with $ref if it is too large`;
        throw new ActionError('pull-request-unreadable', what, advice);
      }
      known.set(path, texts.of(tree.get(path)));
    }
    const included = new Set(wanted.flatMap((path) => includedBy(path, known.get(path) ?? '')));
    wanted = [...included].filter((path) => !known.has(path));
  }
  return readSite(file, known);
}

function isPageFile({ path }: TreeEntry): boolean {
  return isPagePath(path);
}

/** Parses the pages, the snippets and the other Markdown of a site. */
export function parserOf(site: Site): (text: string, path: string) => Page {
  return (text, path) => parsePage(text, !isMdx(path, site));
}

/**
 * For each new page that is a copy of another page: the path of that other page before the change. A copy, such as
 * the folder of a new version of the docs, brings no new mistakes.
 */
function copiesIn({ files, before, after }: Sides): ReadonlyMap<string, string> {
  const changed = new Map(files.map((file) => [file.path, file]));
  const isNew = (path: string) => changed.get(path)?.status === 'added';
  const keyOf = (path: string) => `${kindOf(path, after.site)} ${after.tree.get(path)?.sha}`;
  const added = [...after.pages.keys()].filter(isNew);
  if (added.length === 0) {
    return new Map();
  }
  const others = [...after.tree.keys()].filter((path) => isPagePath(path) && !isNew(path));
  const originals = new Map(others.map((path) => [keyOf(path), path]));
  return new Map(
    added.flatMap((path) => {
      const now = originals.get(keyOf(path)) ?? '';
      const original = changed.get(now)?.previousPath ?? now;
      const isRead = changed.has(now) ? before.pages.has(original) : now !== '';
      return isRead ? [[path, original] as const] : [];
    }),
  );
}

/**
 * Parses the unchanged pages that the rules need: those that may use what is gone, those that changed pages lead to,
 * the originals of copies, and what any of these pages or the changed pages includes.
 */
async function parseOthers(
  changed: Sides,
  unchanged: readonly TreeEntry[],
  originals: Iterable<string>,
  texts: Texts,
): Promise<ReadonlyMap<string, Page>> {
  const { before, after } = changed;
  const others = new Map<string, Page>();
  const parse = async (paths: readonly string[]): Promise<void> => {
    const open = [...new Set(paths)].filter((path) => !after.pages.has(path) && !others.has(path));
    const parsed = await texts.parse(filesAt(open, after.tree), parserOf(after.site));
    for (const [path, page] of parsed) {
      others.set(path, page);
    }
    if (parsed.size > 0) {
      await parse(includedIn(parsed, after));
    }
  };
  // The search needs them, because a page loses the anchors of a snippet that it does not include any more.
  await parse([...includedIn(before.pages, before), ...includedIn(after.pages, after)]);
  const mayUse = searchOf(withOthers(changed, others));
  const users = unchanged.filter((file) => mayUse?.(texts.of(file) ?? ''));
  await parse([...users.map(({ path }) => path), ...anchorTargets(changed), ...originals]);
  return others;
}

/**
 * Adds unchanged pages to both versions. Makes new objects, because `oncePer` keeps its answers by object, and the
 * earlier answers did not know these pages.
 */
function withOthers({ files, before, after }: Sides, others: ReadonlyMap<string, Page>): Sides {
  const together = (version: DocsVersion): DocsVersion => ({
    ...version,
    pages: new Map([...version.pages, ...others]),
  });
  return { files, before: together(before), after: together(after) };
}

function includedIn(pages: ReadonlyMap<string, Page>, after: DocsVersion): readonly string[] {
  return [...importsOf(pages, after)].filter(isPagePath);
}

/**
 * The names of components that texts use and none of them imports or declares, so that the platform evidently has
 * them: for `<Tree.File>`, both `Tree.File` and `Tree`. Where one text imports a component, another one that does
 * not may be broken.
 */
export function componentsIn(texts: readonly string[]): ReadonlySet<string> {
  const matchesIn = (text: string, pattern: RegExp) => [...new Set(text.match(pattern) ?? [])];
  const definitions = texts.flatMap((text) => matchesIn(text, definition));
  const own = new Set(definitions.flatMap((one) => matchesIn(one, word)));
  const used = texts.flatMap((text) => matchesIn(text, component));
  const known = used.filter((name) => !own.has(rootOf(name)));
  return new Set(known.flatMap((name) => [rootOf(name), name]));
}

const component = /(?<=<)\p{Lu}[\p{ID_Continue}$.-]*/gu;

/** An import or a declaration, which gives a text names of its own. Not all texts are parsed. */
const definition =
  /^[ \t]*import\b[^'";<]{0,1000}?\bfrom\b|\b(?:const|let|var|function|class)\s+[\p{ID_Continue}$]+/gmu;

const word = /[\p{ID_Continue}$]+/gu;

function unreadOf(
  { after, isWhole, listed }: Trees,
  navigationFile: string,
  { unread }: Texts,
): readonly RuleFinding[] {
  const findings = [...unread].map(([file, problem]) =>
    unjudged({ file }, say`the file could not be read, because ${problem}`),
  );
  if (!after.has(navigationFile)) {
    const problem = say`the change deletes or moves the navigation file, so the addresses of pages cannot be compared`;
    findings.push(unjudged({ file: navigationFile }, problem));
  }
  if (!isWhole) {
    const problem = say`the repository has too many files, so those that are new or gone are not known`;
    findings.push(unjudged({ file: '' }, problem));
  }
  if (listed.length >= maxFiles) {
    const problem = say`the pull request changes too many files, so which of them were renamed is not known`;
    findings.push(unjudged({ file: '' }, problem));
  }
  return findings;
}
