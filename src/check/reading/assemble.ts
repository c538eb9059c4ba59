import { posix } from 'node:path';
import type { ChangedFile as ListedFile } from '../../github/compare.ts';
import { ActionError } from '../../text/error.ts';
import { quoted } from '../../text/plain.ts';
import type { Change, ChangedFile, DocsVersion, Tree, TreeEntry } from '../change.ts';
import { isPagePath, isToolData, touchesDocs } from '../docs/kinds.ts';
import { createKnown } from '../docs/known.ts';
import { importsOf } from '../docs/links.ts';
import type { Page } from '../docs/page.ts';
import { readSite, type Site } from '../docs/site.ts';
import { type RuleFinding, unjudged } from '../finding.ts';
import { plainOf, type Sentence, say } from '../sentence.ts';
import { findNavigationFiles } from './docs-root.ts';
import { filesAt, type Texts, type VersionFile } from './texts.ts';
import { anchorTargets, type Sides, searchOf, unchangedCode, unchangedPages } from './unchanged.ts';

/** The files before and after the change, and what GitHub says of those that differ. */
export interface Trees {
  readonly before: Tree;
  readonly after: Tree;
  /** Whether GitHub listed all files of both. */
  readonly isWhole: boolean;
  /** The changed files that GitHub lists. */
  readonly listed: readonly ListedFile[];
}

export interface AssembleOptions {
  /** Empty for the top, `undefined` to look for it. */
  readonly docsRoot: string | undefined;
  readonly allowedPaths: readonly string[];
}

/** A chain of snippets that include each other. */
const maxRounds = 4;

/**
 * Reads and parses what changed, and those unchanged files that the rules need.
 * @throws ActionError if the folder of the docs cannot be found, or its settings cannot be read
 * @throws the signal's reason if the run is cancelled
 */
export async function assemble(
  trees: Trees,
  { docsRoot, allowedPaths }: AssembleOptions,
  texts: Texts,
): Promise<Change> {
  const navigation = findNavigationFiles(docsRoot, trees.before, trees.after);
  // A change of `.mintignore` is a finding, and nobody has reviewed its patterns.
  const ignoring = posix.join(posix.dirname(navigation.before), '.mintignore');
  const differences = differencesOf(trees);
  await texts.read([
    ...filesAt([navigation.before, ignoring], trees.before),
    ...filesAt([navigation.after], trees.after),
    ...differences
      .filter(({ path }) => !isToolData(path))
      .flatMap(({ path, was }) => [
        ...filesAt([was], trees.before),
        ...filesAt([path], trees.after),
      ]),
  ]);
  const files = differences.map((difference) => withTexts(difference, texts));
  const ignored = texts.of(trees.before.get(ignoring)) ?? '';
  const versionOf = async (side: 'before' | 'after', paths: readonly string[]) => {
    const tree = trees[side];
    const site = { ...(await readSiteOf(navigation[side], tree, texts)), ignored };
    const pages = await texts.parse(filesAt(paths.filter(isPagePath), tree), site);
    return { tree, site, pages };
  };
  const was = files.map(({ path, previousPath = path }) => previousPath);
  const before = await versionOf('before', was);
  const after = await versionOf(
    'after',
    files.map(({ path }) => path),
  );
  const sides = { files, before, after };
  // A change of code alone, in a repository that has more than docs, needs none of its pages.
  const unchanged = touchesDocs(sides) ? unchangedPages(sides) : [];
  // Both versions stay the same objects, because what their links lead to is kept for each.
  for (const [path, page] of await parseUnchanged(sides, unchanged, texts)) {
    before.pages.set(path, page);
    after.pages.set(path, page);
  }
  const said = [
    ...files.map(({ path, before: text }) => (isPagePath(path) ? text : undefined)),
    ...unchanged.map(({ entry }) => texts.of(entry)),
  ].filter((text) => text !== undefined);
  const settings = before.site.files.map((path) => texts.of(before.tree.get(path)) ?? '');
  const known = createKnown(said, settings.join('\n'));
  const unread = [...unreadFiles(texts), ...navigationGone(navigation, after)];
  return { ...sides, allowedPaths, unread, known };
}

/** A file that differs, and where and what it was before. */
interface Difference {
  readonly path: string;
  readonly was: string;
  readonly old: TreeEntry | undefined;
  readonly now: TreeEntry | undefined;
  readonly listed: ListedFile | undefined;
}

/** Lists the files that differ: the trees say which, GitHub's list which of them were renamed. */
function differencesOf({ before, after, isWhole, listed }: Trees): readonly Difference[] {
  const listedAt = new Map(listed.map((file) => [file.name, file]));
  const previousOf = ({ status, name, previousName = name }: ListedFile) =>
    status === 'renamed' ? previousName : name;
  const previous = new Set(listed.filter(({ status }) => status === 'renamed').map(previousOf));
  return (
    [...new Set([...before.keys(), ...after.keys()])]
      .map((path) => ({ path, listed: listedAt.get(path), now: after.get(path) }))
      .map((one) => ({ ...one, was: one.listed === undefined ? one.path : previousOf(one.listed) }))
      .map((one) => ({ ...one, old: before.get(one.was) }))
      // Of a list that is not complete, a path that is missing says nothing.
      .filter(({ old, now }) => isWhole || (old !== undefined && now !== undefined))
      .filter(
        ({ path, was, old, now }) =>
          was !== path || old?.sha !== now?.sha || old?.kind !== now?.kind,
      )
      .filter(({ path, now }) => now !== undefined || !previous.has(path))
      .toSorted((one, other) => (one.path < other.path ? -1 : 1))
  );
}

function withTexts({ path, was, old, now, listed }: Difference, texts: Texts): ChangedFile {
  const status = old === undefined ? 'added' : now === undefined ? 'deleted' : 'modified';
  // Compared with nothing, all of the other text would seem to be new or gone.
  const isUnread = texts.unread.has(path) || texts.unread.has(was);
  return {
    path,
    ...(was !== path && { previousPath: was }),
    status: was === path ? status : 'renamed',
    before: isUnread ? undefined : texts.of(old),
    after: isUnread ? undefined : texts.of(now),
    additions: listed?.additions ?? 0,
    deletions: listed?.deletions ?? 0,
  };
}

/** Reads a version's navigation file, and what it includes. */
async function readSiteOf(file: string, tree: Tree, texts: Texts): Promise<Site> {
  const known = new Map<string, string | undefined>();
  for (let wanted: readonly string[] = [file]; ; ) {
    await texts.read(filesAt(wanted, tree));
    for (const path of wanted) {
      const problem = texts.unread.get(path);
      if (problem !== undefined) {
        throw unreadSettings(path, problem);
      }
      known.set(path, texts.of(tree.get(path)));
    }
    const { site, missing } = readSite(file, known);
    if (missing.length === 0) {
      return site;
    }
    wanted = missing;
  }
}

/** Without its settings, every page of the site would seem to be gone, or new. */
function unreadSettings(path: string, problem: Sentence): ActionError {
  const what = `the settings of the docs in ${quoted(path)} could not be read, because ${plainOf(problem)}`;
  return new ActionError('pull-request-unreadable', what, 're-run the workflow later');
}

/**
 * Parses the unchanged files that matter: those that may use what the change took away, those to whose
 * anchors changed pages link, and the snippets that any of these include.
 * @param unchanged pages, which are all read, because the rules ask what they said
 */
async function parseUnchanged(
  sides: Sides,
  unchanged: readonly VersionFile[],
  texts: Texts,
): Promise<ReadonlyMap<string, Page>> {
  const { files, after } = sides;
  const mayUse = searchOf(sides);
  const code = mayUse === undefined ? [] : unchangedCode(sides);
  await texts.read([...unchanged, ...code]);
  const pages = new Map<string, Page>();
  const changed = new Set(files.map(({ path }) => path));
  let wanted: readonly VersionFile[] = [
    ...[...unchanged, ...code].filter(({ entry }) => mayUse?.(texts.of(entry) ?? '')),
    ...filesAt([...anchorTargets(sides), ...includedIn(after.pages, after)], after.tree),
  ];
  for (let round = 0; round < maxRounds && wanted.length > 0; round += 1) {
    wanted = wanted.filter(({ path }) => !changed.has(path) && !pages.has(path));
    await texts.read(wanted);
    const parsed = await texts.parse(wanted, after.site);
    for (const [path, page] of parsed) {
      pages.set(path, page);
    }
    wanted = filesAt(includedIn(parsed, after), after.tree);
  }
  return pages;
}

/** The snippets that pages include. */
function includedIn(pages: ReadonlyMap<string, Page>, after: DocsVersion): readonly string[] {
  return [...importsOf(pages, after)].filter(isPagePath);
}

function unreadFiles({ unread }: Texts): readonly RuleFinding[] {
  return [...unread].map(([file, problem]) =>
    unjudged({ file }, say`the file could not be read, because ${problem}`),
  );
}

/** A change that deletes or moves the navigation file is never routine. */
function navigationGone(
  { before: file }: { readonly before: string },
  { tree }: DocsVersion,
): readonly RuleFinding[] {
  const problem = say`the change deletes or moves the navigation file, so the addresses of pages cannot be compared`;
  return tree.has(file) ? [] : [unjudged({ file }, problem)];
}
