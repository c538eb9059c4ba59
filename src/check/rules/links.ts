import type { Change } from '../change.ts';
import type { Finding } from '../old-finding.ts';
import { type ChangedPage, changedPages, pathBefore } from './compare.ts';
import { endOf, fileOf, keyOf, type Use, usesOf } from './uses.ts';

/** What a changed page links to, shows or imports, and what does not exist. Old mistakes pass. */
export function brokenLink(change: Change): readonly Finding[] {
  const oldMistakes = brokenBefore(change);
  return changedPages(change).flatMap((page) => {
    const had = new Set(usesOf(page.before).map(keyOf));
    return usesOf(page.after)
      .filter((use) => endOf(use, page.file.path, change.after).kind === 'nowhere')
      .filter((use) =>
        mayBeOld(page, use, had)
          ? endOf(use, pathBefore(page.file), change.before).kind !== 'nowhere'
          : !oldMistakes.has(keyOf(use)),
      )
      .map((use) => ({
        rule: 'broken-link' as const,
        file: page.file.path,
        line: use.line,
        what: `${verbs[use.kind]} ${use.target}, which does not exist`,
      }));
  });
}

/** A page that could not be parsed before may have had any link. */
function mayBeOld({ before }: ChangedPage, use: Use, had: ReadonlySet<string>): boolean {
  return had.has(keyOf(use)) || before?.problem !== undefined;
}

/** What was broken in some changed page before, and may have moved to another one. */
function brokenBefore(change: Change): ReadonlySet<string> {
  const broken = changedPages(change).flatMap(({ file, before }) =>
    usesOf(before).filter(
      (use) =>
        use.target.startsWith('/') &&
        endOf(use, pathBefore(file), change.before).kind === 'nowhere',
    ),
  );
  return new Set(broken.map(keyOf));
}

const verbs = {
  link: 'links to',
  image: 'shows',
  embed: 'embeds',
  import: 'imports',
} as const satisfies Record<Use['kind'], string>;

/** What unchanged pages and the settings still use, although this change took it away. */
export function stillUsed(change: Change): readonly Finding[] {
  return [...usesInPages(change), ...usesInSettings(change)];
}

function usesInPages({ files, before, after }: Change): readonly Finding[] {
  const changed = new Set(files.map(({ path }) => path));
  return [...after.pages]
    .filter(([path]) => !changed.has(path))
    .flatMap(([path, page]) =>
      usesOf(page).flatMap((use) => {
        if (endOf(use, path, after).kind !== 'nowhere') {
          return [];
        }
        const was = endOf(use, path, before);
        return was.kind === 'nowhere' || was.kind === 'unknown'
          ? []
          : [finding(path, use.line, `still ${verbs[use.kind]} ${use.target}`, fileOf(was))];
      }),
    );
}

/** A logo, an icon or an API description that the settings or the navigation name. */
function usesInSettings({ files, after }: Change): readonly Finding[] {
  const { site, tree } = after;
  const gone = new Set(
    files.map(({ path, previousPath }) => previousPath ?? path).filter((path) => !tree.has(path)),
  );
  if (gone.size === 0) {
    return [];
  }
  const [file = ''] = site.files;
  const navigation = { json: site.navigationJson, file, line: undefined };
  const named = [...site.settings.values(), navigation].flatMap(({ json, file, line }) =>
    pathsIn(json)
      .filter((path) => gone.has(inRoot(path, site.root)))
      .map((path) => finding(file, line, `still names ${path}`, inRoot(path, site.root))),
  );
  const isNamed = (path: string) => named.some(({ what }) => what.endsWith(` removes ${path}`));
  const descriptions = site.apiFiles
    .filter((path) => gone.has(path) && !isNamed(path))
    .map((path) => finding(file, undefined, `still names ${path}`, path));
  return [...named, ...descriptions];
}

function pathsIn(json: string): readonly string[] {
  const strings = [...json.matchAll(/"(?<path>[^"\\:]{1,300}\.\w{2,5})"/gu)];
  return [...new Set(strings.map((match) => match.groups?.['path'] ?? ''))];
}

function inRoot(path: string, root: string): string {
  const below = path.replace(/^(?:\.?\/)+/u, '');
  return root === '' ? below : `${root}/${below}`;
}

function finding(
  file: string,
  line: number | undefined,
  use: string,
  gone: string | undefined,
): Finding {
  const what = gone === undefined ? 'which is gone' : `but this change removes ${gone}`;
  const place = line === undefined ? { file } : { file, line };
  return { rule: 'still-used', ...place, what: `${use}, ${what}` };
}
