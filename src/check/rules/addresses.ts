import type { Change, ChangedFile, DocsVersion } from '../change.ts';
import { linksOf } from '../docs/links.ts';
import { addressOfPage, isKnown, placeInSettings } from '../docs/site.ts';
import { found, type RuleFinding } from '../finding.ts';
import { oncePer } from '../once-per.ts';
import { say } from '../sentence.ts';
import { isHidden, isShown, kindIn, pathBefore } from './page-changes.ts';
import { redirectFindings } from './redirects.ts';

/** Addresses that led somewhere and lead nowhere now, and redirects that cannot work. */
export function deadAddress(change: Change): readonly RuleFinding[] {
  return [
    ...deadPages(change).map((file) => deadPage(file, change)),
    ...deadSources(change),
    ...redirectFindings(change).filter(({ rule }) => rule === 'dead-address'),
  ];
}

/** The pages that are gone or moved, and whose address leads nowhere now. */
export const deadPages = oncePer((change: Change): readonly ChangedFile[] => {
  const { files, before, after } = change;
  return (
    files
      .filter(({ status }) => status === 'deleted' || status === 'renamed')
      // A folder of docs that moved as a whole has a finding already.
      .filter(() => isKnown(after) && after.site.root === before.site.root)
      .filter((file) => wasKnownAs(pathBefore(file), before))
      .filter((file) => !linksOf(after).isRedirected(pathBefore(file)))
      .filter((file) => !isMadeNow(pathBefore(file), change))
  );
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
  if (!isKnown(after)) return [];
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
