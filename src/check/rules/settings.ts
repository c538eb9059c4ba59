import type { Change, DocsVersion } from '../change.ts';
import { linksOf } from '../docs/links.ts';
import { pageName, placeInSettings, type Redirect } from '../docs/site.ts';
import { found, foundValue, type RuleFinding } from '../finding.ts';
import { type Sentence, say } from '../sentence.ts';
import { addressOfPage, badRedirects, changedRedirects } from './addresses.ts';
import { pathBefore } from './page-changes.ts';

/** What `docs.json` says apart from its navigation, and redirects that are no plain ones. */
export function settingsChanged(change: Change): readonly RuleFinding[] {
  return [...otherSettings(change), ...unusualRedirects(change)];
}

function otherSettings({ before, after }: Change): readonly RuleFinding[] {
  const keys = new Set([...before.site.settings.keys(), ...after.site.settings.keys()]);
  return [...keys].flatMap((key) => {
    const [was, is] = [before.site.settings.get(key), after.site.settings.get(key)];
    return was === is
      ? []
      : [
          foundValue(
            'settings-changed',
            placeInSettings(after.site, '', key),
            say`The setting ${key}`,
            was ?? '',
            is ?? '',
          ),
        ];
  });
}

/** Redirects by which readers get to another page than before. Bad ones have a finding already. */
function unusualRedirects(change: Change): readonly RuleFinding[] {
  const bad = badRedirects(change);
  const earlier = new Map(
    change.before.site.redirects.map(({ source, destination }) => [source, destination]),
  );
  return changedRedirects(change)
    .filter((redirect) => !bad.has(redirect))
    .flatMap((redirect) => {
      const what = problemOf(redirect, change);
      const { source, destination } = redirect;
      const place = placeInSettings(change.after.site, source, 'source');
      const before = earlier.get(source);
      const versions = before === undefined ? {} : { before, after: destination };
      return what === undefined ? [] : [found('settings-changed', place, what, versions)];
    });
}

function problemOf({ source, destination }: Redirect, change: Change): Sentence | undefined {
  const { before, after } = change;
  const address = `/${pageName(source)}`;
  if (isElsewhere(destination, after.site.address)) {
    return say`Readers of ${source} get to another site now, ${destination}.`;
  }
  if (address === '/' || address === '/index') {
    return say`Readers of the front page get to ${destination} now.`;
  }
  const was = linksOf(before).resolve(address, '');
  if (was.kind === 'file' || /\.(?!mdx?$|html?$)\w{1,5}$/u.test(source)) {
    return say`Readers of the file ${source} get to ${destination} now.`;
  }
  if (was.kind === 'page') {
    const is = linksOf(after).resolve(address, '');
    return is.kind === 'page' && is.file === fileNow(was.file, change)
      ? undefined
      : say`${source} redirects to ${destination} now, and led to another place before.`;
  }
  // From an address that led nowhere, a redirect to a page that was there takes nothing away.
  return was.kind === 'nowhere' && isPlainPath(source) && isPage(destination, before)
    ? undefined
    : say`${source} redirects to ${destination} now, and no page of this pull request moved there.`;
}

/** Where the page at a path is now, or else the one that its address leads to. */
function fileNow(path: string, { files, before, after }: Change): string | undefined {
  const moved = files.find((file) => file.status === 'renamed' && pathBefore(file) === path);
  const end = linksOf(after).resolve(addressOfPage(path, before), '');
  return moved?.path ?? (end.kind === 'page' ? end.file : undefined);
}

function isPage(destination: string, version: DocsVersion): boolean {
  const [path = ''] = destination.split(/[?#]/u);
  return linksOf(version).resolve(`/${pageName(path)}`, '').kind === 'page';
}

/** Whether an address stands for itself alone. */
function isPlainPath(source: string): boolean {
  return /^[\w/.~-]+$/u.test(source);
}

/** Whether an address leaves the site, or may: `/:path*` becomes `//host`. */
function isElsewhere(destination: string, own: string | undefined): boolean {
  const written = destination.replace(/[\t\r\n]/gu, '').trimStart();
  const url = URL.parse(written, 'https://docs.invalid/');
  const isOpen = /^[\\/]*(?::\w+[*+]|\*)/u.test(written);
  const host = own === undefined ? '' : URL.parse(own)?.host;
  return isOpen || url === null || (url.host !== 'docs.invalid' && url.host !== host);
}
