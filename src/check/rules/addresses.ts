import type { Change, ChangedFile, DocsVersion } from '../change.ts';
import { isPagePath } from '../docs/kinds.ts';
import { addressOf, linksOf } from '../docs/links.ts';
import { createRedirects } from '../docs/redirects.ts';
import { pageName, placeInSettings, type Redirect } from '../docs/site.ts';
import { found, type RuleFinding } from '../finding.ts';
import { oncePer } from '../once-per.ts';
import { type Sentence, say } from '../sentence.ts';
import { newItems } from './match.ts';
import { isHidden, isShown, kindIn, pathBefore } from './page-changes.ts';

/** The address of a page, such as `/guides/setup`. */
export function addressOfPage(path: string, { site }: DocsVersion): string {
  const { root } = site;
  return `/${pageName(root === '' ? path : path.slice(root.length + 1))}`;
}

/** Addresses that led somewhere and lead nowhere now, and redirects that cannot work. */
export function deadAddress(change: Change): readonly RuleFinding[] {
  return [
    ...deadPages(change).map((file) => deadPage(file, change)),
    ...deadSources(change),
    ...[...badRedirects(change)].map(([{ source }, what]) =>
      found('dead-address', placeInSettings(change.after.site, source, 'source'), what),
    ),
  ];
}

/** A navigation that cannot be read names nothing, so that every page would seem to be gone. */
export function isKnown({ site }: DocsVersion): boolean {
  return site.pages.length > 0 || site.problems.length === 0;
}

/** The pages that are gone or moved, and whose address leads nowhere now. */
export const deadPages = oncePer((change: Change): readonly ChangedFile[] => {
  const { files, before, after } = change;
  return files
    .filter(({ status }) => status === 'deleted' || status === 'renamed')
    .filter(() => isKnown(after))
    .filter((file) => wasKnownAs(pathBefore(file), before))
    .filter((file) => !linksOf(after).isRedirected(pathBefore(file)))
    .filter((file) => !isMadeNow(pathBefore(file), change));
});

function deadPage(file: ChangedFile, { before, after }: Change): RuleFinding {
  const address = addressOfPage(pathBefore(file), before);
  const isMoved = file.status === 'renamed' && isShown(after, file.path);
  const what = isMoved
    ? say`${address} moved to ${addressOfPage(file.path, after)}, and the old address leads nowhere: add a redirect.`
    : say`${address} is gone and leads nowhere: add a redirect to the page that replaces it.`;
  return found('dead-address', { file: file.path }, what);
}

/** Whether the site makes a page of an operation by itself now, at the address of a page that showed it. */
function isMadeNow(path: string, { before, after }: Change): boolean {
  const fields = before.pages.get(path)?.frontMatter ?? [];
  const name = addressOfPage(path, before).slice(1);
  return (
    fields.some((field) => field.name === 'openapi' || field.name === 'api') &&
    after.site.apiFolders.some((folder) => folder !== '' && name.startsWith(`${folder}/`))
  );
}

/** Whether readers could know the address of a file: the navigation named it, and no build changed it. */
function wasKnownAs(path: string, before: DocsVersion): boolean {
  const name = addressOfPage(path, before).slice(1);
  const isNamed = before.site.pages.includes(name);
  return kindIn(before, path) === 'page' && (isNamed || wasLinked(path, before));
}

/** A page that nothing named had few readers: that it goes is a finding of another rule. */
function wasLinked(path: string, before: DocsVersion): boolean {
  const hasNavigation = before.site.pages.length > 0;
  return !hasNavigation && !isHidden(before.pages.get(path));
}

/** Redirects that were taken away, and whose address leads nowhere without them. */
function deadSources({ before, after }: Change): readonly RuleFinding[] {
  if (!isKnown(after)) {
    return [];
  }
  const left = new Set(after.site.redirects.map(({ source }) => source));
  const [settings = ''] = after.site.files.keys();
  return before.site.redirects
    .filter(({ source }) => !left.has(source) && !/[*:]/u.test(source))
    .filter(({ source }) => {
      const address = `/${source.replace(/^\/+/u, '')}`;
      const [was, is] = [before, after].map((one) => linksOf(one).resolve(address, ''));
      return is?.kind === 'nowhere' && was?.kind !== 'nowhere';
    })
    .map(({ source, destination }) => {
      const { file } = placeInSettings(before.site, source, 'source');
      return found(
        'dead-address',
        { file: after.tree.has(file) ? file : settings },
        say`The redirect from ${source} to ${destination} is gone, so the address leads nowhere: put it back.`,
      );
    });
}

/** The redirects of this change that loop, lead nowhere, or hide a page, each with what is wrong. */
export const badRedirects = oncePer((change: Change): ReadonlyMap<Redirect, Sentence> => {
  const redirects = isKnown(change.after) ? changedRedirects(change) : [];
  return new Map(
    redirects.flatMap((redirect) => {
      const problem = problemOf(redirect, change);
      return problem === undefined ? [] : [[redirect, problem] as const];
    }),
  );
});

/** The redirects that are new, or lead elsewhere now. */
export function changedRedirects({ before, after }: Change): readonly Redirect[] {
  return newItems(before.site.redirects, after.site.redirects, ({ source, destination }) =>
    JSON.stringify([pageName(source), destination]),
  );
}

function problemOf(redirect: Redirect, { after }: Change): Sentence | undefined {
  const { source, destination } = redirect;
  // A fragment never reaches the server, so such a redirect does nothing.
  if (source.includes('#')) {
    return undefined;
  }
  if (isLoop(redirect, after)) {
    return say`The redirect from ${source} to ${destination} comes back to where it began: redirect to a page.`;
  }
  const hidden = [...after.tree.keys()].find(
    (path) => isPagePath(path) && isHiddenBy(redirect, path, after),
  );
  if (hidden !== undefined) {
    return say`The redirect from ${source} to ${destination} hides the page at ${source}: remove one of them.`;
  }
  const isOpen = /[*:]/u.test(destination) || URL.canParse(destination);
  const address = `/${destination.replace(/^\/+/u, '')}`;
  const end = isOpen ? undefined : linksOf(after).resolve(address, '');
  return end?.kind === 'nowhere'
    ? say`The redirect from ${source} leads to ${destination}, where there is no page: redirect to a page.`
    : undefined;
}

/** What a pattern stands for, so that it can be followed. */
function sampleOf(source: string): string {
  return plainSource(source).replace(/:\w+[*+?]?|\*/gu, 'any');
}

/** A server may decode an address, and cut off its end, before it compares the path. */
function plainSource(source: string): string {
  const path = source.replace(/(?<!:\w{1,100})\?.*$|#.*$/u, '');
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** More hops than browsers follow. */
const maxHops = 20;

/** Whether a redirect leads back to itself; `/a` and `/a/index` are the same page to the site. */
function isLoop({ source }: Redirect, { site }: DocsVersion): boolean {
  const redirects = createRedirects(site);
  const sameFor = (path: string) =>
    pageName(path)
      .replace(/(?:^|\/)index$/iu, '')
      .toLowerCase();
  const seen = new Set<string>();
  let address = pageName(sampleOf(source));
  for (let hop = 0; hop < maxHops; hop += 1) {
    if (seen.has(sameFor(address))) {
      return true;
    }
    seen.add(sameFor(address));
    const next = redirects.match(address)?.destination;
    if (next === undefined || URL.canParse(next)) {
      return false;
    }
    address = pageName(next.split(/[?#]/u)[0] ?? '');
  }
  return true;
}

/** Whether a redirect takes readers away from a page that they could open. */
function isHiddenBy(redirect: Redirect, path: string, version: DocsVersion): boolean {
  if (!isShown(version, path) || kindIn(version, path) !== 'page') {
    return false;
  }
  const written = { ...redirect, source: plainSource(redirect.source) };
  const { match } = createRedirects({ redirects: [written] });
  const end = () => linksOf(version).resolve(redirect.destination, '');
  const isOwn = () => {
    const to = end();
    return to.kind === 'page' && to.file === path;
  };
  return match(addressOf(path, version.site)) !== undefined && !isOwn();
}
