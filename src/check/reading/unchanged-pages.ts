import type { ChangedFile, DocsVersion } from '../change.ts';
import { kindOf } from '../docs/kinds.ts';
import { linksOf } from '../docs/links.ts';
import type { Page } from '../docs/page.ts';
import { isCodePath, isInside, isPagePath } from './paths.ts';
import { questionsOf } from './questions.ts';
import { createSearch } from './search.ts';
import type { Texts, VersionFile } from './texts.ts';
import type { UnreadList } from './unread-list.ts';

interface Sides {
  readonly files: readonly ChangedFile[];
  readonly before: DocsVersion;
  readonly after: DocsVersion;
}

/** A chain of snippets that include each other. */
const mostRounds = 4;

/**
 * Names the unchanged files that matter, in rounds: those that may use what the change took away, those to
 * whose anchors changed pages link, and the snippets that any of these include. Where the change took
 * nothing away, no other page is read.
 *
 * @param found what was parsed of the rounds before; the caller fills it
 * @throws the signal's reason if the run is cancelled
 */
export async function* wantedUnchanged(
  sides: Sides,
  texts: Texts,
  unread: UnreadList,
  found: ReadonlyMap<string, Page>,
): AsyncGenerator<readonly VersionFile[]> {
  const { files, before, after } = sides;
  const changed = new Set(files.map(({ path }) => path));
  const search = createSearch(questionsOf(files, before, after));
  const hits = search === undefined ? [] : await searchPages(search, changed, after, texts, unread);
  const needed = [...anchorTargets(sides), ...importsOf(after.pages, after)];
  let wanted = [...hits, ...needed.flatMap((path) => unchangedFile(path, changed, after))];
  for (let round = 0; round < mostRounds && wanted.length > 0; round += 1) {
    for (const [path, reason] of await texts.read(wanted)) {
      const problem = reason.kind === 'unread' ? reason.problem : 'it is binary';
      unread.add(path, `whether the page uses what changed is not known, because ${problem}`);
    }
    yield wanted;
    const known = new Set([...changed, ...found.keys(), ...wanted.map(({ path }) => path)]);
    wanted = importsOf(found, after).flatMap((path) => unchangedFile(path, known, after));
  }
}

/** Reads all unchanged pages, and returns those with a hit. */
async function searchPages(
  search: (text: string) => boolean,
  changed: ReadonlySet<string>,
  after: DocsVersion,
  texts: Texts,
  unread: UnreadList,
): Promise<readonly VersionFile[]> {
  const files = [...unchangedPagesOf(changed, after), ...unchangedCodeOf(changed, after)];
  const missing = await texts.read(files);
  const problems = [...missing.values()].flatMap((one) =>
    one.kind === 'unread' ? [one.problem] : [],
  );
  for (const problem of new Set(problems)) {
    unread.add('', `not all pages could be searched for links to what is gone, because ${problem}`);
  }
  return files.filter(({ entry }) => search(texts.textOf(entry.sha) ?? ''));
}

/** The unchanged pages and snippets of the docs. */
export function unchangedPagesOf(
  changed: ReadonlySet<string>,
  { tree, site }: DocsVersion,
): readonly VersionFile[] {
  return [...tree]
    .filter(([path]) => isPagePath(path) && !changed.has(path))
    .filter(([path]) => ['page', 'snippet'].includes(kindOf(path, site)))
    .map(([path, entry]) => ({ path, entry }));
}

/** More is no code of a documentation site, but a program in whose repository it lies. */
const mostCodeFiles = 200;
const largestCodeBytes = 200_000;

/** The unchanged components, scripts and style sheets of the docs. */
function unchangedCodeOf(
  changed: ReadonlySet<string>,
  { tree, site }: DocsVersion,
): readonly VersionFile[] {
  const files = [...tree]
    .filter(([path]) => isCodePath(path) && isInside(site.root, path) && !changed.has(path))
    .filter(([, { bytes }]) => bytes <= largestCodeBytes)
    .map(([path, entry]) => ({ path, entry }));
  return files.length <= mostCodeFiles ? files : [];
}

/** The pages to whose anchors changed pages link now. What they linked to before is not this change's fault. */
function anchorTargets({ files, before, after }: Sides): readonly string[] {
  const links = linksOf(after);
  return files.flatMap(({ path, previousPath = path }) => {
    const old = new Set(before.pages.get(previousPath)?.links.map(({ target }) => target));
    const now = after.pages.get(path)?.links ?? [];
    return now
      .filter(({ target }) => target.includes('#') && (path !== previousPath || !old.has(target)))
      .map(({ target }) => links.resolve(target, path))
      .flatMap((end) => (end.kind === 'page' ? [end.file] : []));
  });
}

function importsOf(pages: ReadonlyMap<string, Page>, after: DocsVersion): readonly string[] {
  const links = linksOf(after);
  const files = [...pages].flatMap(([path, page]) =>
    page.links.flatMap(({ kind, target }) =>
      kind === 'import' ? (links.resolveImport(target, path) ?? []) : [],
    ),
  );
  return [...new Set(files)];
}

function unchangedFile(
  path: string,
  known: ReadonlySet<string>,
  { tree }: DocsVersion,
): readonly VersionFile[] {
  const entry = tree.get(path);
  return entry === undefined || known.has(path) || !isPagePath(path) ? [] : [{ path, entry }];
}
