import type { Change, ChangedFile, DocsVersion } from '../change.ts';
import { isBuilt } from '../docs/built.ts';
import { finalEnd } from '../docs/link-end.ts';
import { linksOf } from '../docs/links.ts';
import { createRedirects } from '../docs/redirects.ts';
import type { Finding } from '../old-finding.ts';
import { closestTo } from '../similar.ts';
import { pathBefore } from './compare.ts';
import { isHidden, isPage, isReadable, navigationNames, pageNameOf } from './page-path.ts';

/** Pages whose address leads nowhere now: deleted or renamed ones, and those of redirects that went. */
export function pageWithoutRedirect(change: Change): readonly Finding[] {
  return isReadable(change.after) ? [...pagesThatWent(change), ...redirectsThatWent(change)] : [];
}

function pagesThatWent(change: Change): readonly Finding[] {
  const { before, after, files } = change;
  const names = navigationNames(before);
  return files
    .filter(({ status }) => status === 'deleted' || status === 'renamed')
    .filter((file) => {
      const path = pathBefore(file);
      const isNamed = names.has(pageNameOf(path, before.site) ?? '');
      // A build may give another address to a page that the navigation does not name by its path.
      return isPage(before, path) && (isNamed || !(isHidden(before, path) || isBuilt(before)));
    })
    .filter((file) => !linksOf(after).isRedirected(pathBefore(file)))
    .map((file) => ({
      rule: 'page-without-redirect',
      file: file.path,
      what: whatIsMissing(change, file),
      ...(file.previousPath === undefined ? {} : { was: file.previousPath }),
    }));
}

function whatIsMissing({ before, after }: Change, file: ChangedFile): string {
  const source = `/${pageNameOf(pathBefore(file), before.site) ?? ''}`;
  const page = file.status === 'renamed' ? pageNameOf(file.path, after.site) : undefined;
  const destination = page === undefined ? 'the page that replaces it' : `/${page}`;
  const verb = page === undefined ? 'is gone' : `moved to ${destination}`;
  const redirect = createRedirects(after.site).match(source.slice(1));
  if (redirect !== undefined) {
    return `${verb}, and ${source} redirects to ${redirect.destination}, which does not exist: redirect it to ${destination}`;
  }
  const similar = closestTo(source, newSources(before, after));
  const hint = similar === undefined ? '' : ` (the one from ${similar} may be meant for it)`;
  return `${verb}, and ${source} leads nowhere: add a redirect from ${source} to ${destination}${hint}`;
}

function newSources(before: DocsVersion, after: DocsVersion): readonly string[] {
  const old = new Set(before.site.redirects.map(({ source }) => source));
  return after.site.redirects.map(({ source }) => source).filter((source) => !old.has(source));
}

function redirectsThatWent({ before, after }: Change): readonly Finding[] {
  const left = new Set(after.site.redirects.map(({ source }) => source));
  const [file = ''] = after.site.files;
  return before.site.redirects
    .filter(({ source }) => !left.has(source) && !/[*:]/u.test(source))
    .filter(({ source }) => {
      const address = `/${source.replace(/^\/+/u, '')}`;
      const [was, is] = [before, after].map((one) => finalEnd(linksOf(one).resolve(address, '')));
      return is?.kind === 'nowhere' && was?.kind !== 'nowhere';
    })
    .map(({ source, destination, file: place }) => ({
      rule: 'page-without-redirect',
      file: after.tree.has(place) ? place : file,
      what: `does not redirect ${source} any more, so that it leads nowhere`,
      was: destination,
    }));
}
