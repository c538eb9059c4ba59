import type { Change, ChangedFile, DocsVersion, Tree, TreeEntry } from '../change.ts';
import { isToolData, kindOf } from '../docs/kinds.ts';
import { emptyPage, type Page, parsePage, pathsInCode } from '../docs/page.ts';
import type { Site } from '../docs/site.ts';
import { createKnown, type Known } from '../rules/known.ts';
import { notPlain } from '../rules/not-plain.ts';
import { notValid } from '../rules/not-valid.ts';
import { findNavigationFiles } from './docs-root.ts';
import { isCodePath, isPagePath } from './paths.ts';
import { readIgnored, readSites } from './sites.ts';
import type { Missing, Texts, VersionFile } from './texts.ts';
import { unchangedPagesOf, wantedUnchanged } from './unchanged-pages.ts';
import type { UnreadList } from './unread-list.ts';

/** The files before and after the change, and what GitHub says of those that differ. */
export interface Trees {
  readonly before: Tree;
  readonly after: Tree;
  /** Whether GitHub listed all files of both. */
  readonly isWhole: boolean;
  /** The changed files that GitHub lists, by their paths after the change. */
  readonly listed: ReadonlyMap<string, ListedFile>;
}

/** A changed file, as GitHub lists it. */
export interface ListedFile {
  /** Of a renamed file. */
  readonly previousPath: string | undefined;
  readonly additions: number;
  readonly deletions: number;
}

export interface AssembleOptions {
  /** Empty for the top, `undefined` to look for it. */
  readonly docsRoot: string | undefined;
  readonly allowedPaths: readonly string[];
  /** Aborted when the step has to stop. */
  readonly signal: AbortSignal;
}

/**
 * Reads and parses what changed, and those unchanged files that the rules need.
 * @throws InputError if the folder of the docs cannot be found
 * @throws the signal's reason if the run is cancelled
 */
export async function assemble(
  trees: Trees,
  { docsRoot, allowedPaths, signal }: AssembleOptions,
  texts: Texts,
  unread: UnreadList,
): Promise<Change> {
  const navigation = findNavigationFiles(docsRoot, trees.before, trees.after, unread);
  const files = await readChangedFiles(trees, texts, unread);
  const sites = await readSites(navigation, trees, texts, unread);
  const ignored = await readIgnored(sites.before.root, trees.before, texts, unread);
  const parse = createParser(texts, signal);
  const versionOf = async (side: 'before' | 'after', paths: readonly string[]) => {
    const version: DocsVersion = {
      tree: trees[side],
      site: { ...sites[side], ...ignored },
      pages: new Map(),
    };
    const wanted = paths
      .flatMap((path) => versionFile(path, version.tree))
      .filter(({ path }) => isPagePath(path));
    return { ...version, pages: await parse(wanted, version) };
  };
  const before = await versionOf(
    'before',
    files.map(({ path, previousPath = path }) => previousPath),
  );
  const after = await versionOf(
    'after',
    files.map(({ path }) => path),
  );
  const unchanged = new Map<string, Page>();
  for await (const wanted of wantedUnchanged({ files, before, after }, texts, unread, unchanged)) {
    for (const [path, page] of await parse(wanted, after)) {
      unchanged.set(path, page);
      if (page.problem !== undefined && kindOf(path, after.site) === 'page') {
        unread.add(
          path,
          `the page ${page.problem.what}, so whether it uses what changed is not known`,
          page.problem.line,
        );
      }
    }
  }
  const withUnchanged = (version: DocsVersion) => ({
    ...version,
    pages: new Map([...unchanged, ...version.pages]),
  });
  const change = {
    ...{ files, unread: unread.all, allowedPaths, known: nothingKnown },
    before: withUnchanged(before),
    after: withUnchanged(after),
  };
  return { ...change, known: await readKnown(change, texts), unread: unread.all };
}

/** Reads both versions of all files that differ. */
async function readChangedFiles(
  { before, after, isWhole, listed }: Trees,
  texts: Texts,
  unread: UnreadList,
): Promise<readonly ChangedFile[]> {
  const moved = new Set([...listed.values()].map(({ previousPath }) => previousPath));
  const paths = [...new Set([...before.keys(), ...after.keys()])]
    .map((path) => ({ path, was: listed.get(path)?.previousPath ?? path }))
    .map(({ path, was }) => ({ path, was, old: before.get(was), now: after.get(path) }))
    // Of a list that is not complete, a path that is missing says nothing.
    .filter(({ old, now }) => isWhole || (old !== undefined && now !== undefined))
    .filter(
      ({ path, was, old, now }) => was !== path || old?.sha !== now?.sha || old?.kind !== now?.kind,
    )
    .filter(({ path, now }) => now !== undefined || !moved.has(path))
    .toSorted((one, other) => (one.path < other.path ? -1 : 1));
  const versions = paths.flatMap(({ path, was, old, now }) => [
    ...(old === undefined ? [] : [{ path: was, entry: old }]),
    ...(now === undefined ? [] : [{ path, entry: now }]),
  ]);
  const missing = await texts.read(versions.filter(({ path }) => !isToolData(path)));
  addUnread(missing, unread);
  return paths.map(({ path, was, old, now }) => {
    const isUnread = [path, was].some((one) => missing.get(one)?.kind === 'unread');
    const { additions = 0, deletions = 0 } = listed.get(path) ?? {};
    return {
      path,
      ...(was !== path && { previousPath: was }),
      status: statusOf(was !== path, old, now),
      // Compared with nothing, all of the other text would seem to be new or gone.
      before: isUnread ? undefined : textOf(old, texts),
      after: isUnread ? undefined : textOf(now, texts),
      ...{ additions, deletions },
    };
  });
}

function addUnread(missing: ReadonlyMap<string, Missing>, unread: UnreadList): void {
  for (const [path, reason] of missing) {
    if (reason.kind === 'unread') {
      unread.add(path, `the file could not be read, because ${reason.problem}`);
    } else if (isPagePath(path)) {
      unread.add(path, 'the file is binary, although it is a page');
    }
  }
}

function textOf(entry: TreeEntry | undefined, texts: Texts): string | undefined {
  return entry?.kind === 'file' || entry?.kind === 'executable'
    ? texts.textOf(entry.sha)
    : undefined;
}

function statusOf(
  isRenamed: boolean,
  old: TreeEntry | undefined,
  now: TreeEntry | undefined,
): ChangedFile['status'] {
  if (isRenamed) {
    return 'renamed';
  }
  return old === undefined ? 'added' : now === undefined ? 'deleted' : 'modified';
}

function versionFile(path: string, tree: Tree): readonly VersionFile[] {
  const entry = tree.get(path);
  return entry?.kind === 'file' || entry?.kind === 'executable' ? [{ path, entry }] : [];
}

type Parse = (
  files: readonly VersionFile[],
  version: DocsVersion,
) => Promise<ReadonlyMap<string, Page>>;

/** Parses each content once. A page takes milliseconds; between two pages the step can be cancelled. */
function createParser(texts: Texts, signal: AbortSignal): Parse {
  const known = new Map<string, Page>();
  return async (files, { site }) => {
    const pages = new Map<string, Page>();
    for (const { path, entry } of files) {
      const text = texts.textOf(entry.sha);
      if (text !== undefined) {
        const key = `${entry.sha} ${languageOf(path, site)}`;
        const page = known.get(key) ?? parseFile(path, text, site);
        known.set(key, page);
        pages.set(path, page);
        await new Promise((resolve) => setImmediate(resolve));
        signal.throwIfAborted();
      }
    }
    return pages;
  };
}

/** Parses a page, a snippet, other Markdown, or a component or style sheet of the site. */
export function parseFile(path: string, text: string, site: Site): Page {
  switch (languageOf(path, site)) {
    case 'mdx':
      return parsePage(text);
    case 'markdown':
      return parsePage(text, true);
    case 'code':
      return codeFile(text);
  }
}

/** Mintlify reads `.md` as MDX too, but files such as README.md are for GitHub and may be any Markdown. */
function languageOf(path: string, site: Site): 'mdx' | 'markdown' | 'code' {
  if (isCodePath(path)) {
    return 'code';
  }
  const isPage = ['page', 'snippet'].includes(kindOf(path, site)) || path.endsWith('.mdx');
  return isPage ? 'mdx' : 'markdown';
}

/** Of a component, a script or a style sheet, only what it leads to is read. */
function codeFile(text: string): Page {
  const links = pathsInCode(text).map((path) => ({
    ...path,
    line: text.slice(0, text.indexOf(path.target)).split('\n').length,
  }));
  return { ...emptyPage, links };
}

/** What the docs said before. All pages are read only if a rule asks about that. */
async function readKnown(change: Change, texts: Texts): Promise<Known> {
  const { files, before, after } = change;
  const settings = before.site.files
    .map((path) => texts.textOf(before.tree.get(path)?.sha ?? '') ?? '')
    .join('\n');
  const old = files.flatMap(({ path, before: text }) =>
    text !== undefined && isPagePath(path) ? [text] : [],
  );
  const ofChanged = createKnown(old, settings);
  let hasOpen = false;
  const ask = (answer: boolean) => {
    hasOpen ||= !answer;
    return answer;
  };
  const known: Known = {
    hasAddress: (address) => ask(ofChanged.hasAddress(address)),
    hasWord: (word) => ask(ofChanged.hasWord(word)),
  };
  for (const rule of [notPlain, notValid]) {
    rule({ ...change, known });
  }
  if (!hasOpen) {
    return ofChanged;
  }
  const unchanged = unchangedPagesOf(new Set(files.map(({ path }) => path)), after);
  await texts.read(unchanged);
  const all = unchanged.map(({ entry }) => texts.textOf(entry.sha) ?? '');
  return createKnown([...old, ...all], settings);
}

const nothingKnown: Known = { hasAddress: () => false, hasWord: () => false };
