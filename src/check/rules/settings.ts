import type { Change } from '../change.ts';
import { linksOf } from '../docs/links.ts';
import { pageName, type Redirect } from '../docs/site.ts';
import { found, foundValue, type RuleFinding } from '../finding.ts';
import { type Sentence, say } from '../sentence.ts';
import { addressOfPage, badRedirects, changedRedirects } from './addresses.ts';
import { pathBefore } from './page-changes.ts';

/** What `docs.json` says apart from its navigation, and redirects that are no plain ones. */
export function settingsChanged(change: Change): readonly RuleFinding[] {
  return [...otherSettings(change), ...unusualRedirects(change)];
}

function otherSettings({ before, after }: Change): readonly RuleFinding[] {
  const [file = ''] = after.site.files;
  const keys = new Set([...before.site.settings.keys(), ...after.site.settings.keys()]);
  return [...keys].flatMap((key) => {
    const [was, is] = [before.site.settings.get(key), after.site.settings.get(key)];
    return was?.json === is?.json
      ? []
      : [
          foundValue(
            'settings-changed',
            { file: is?.file ?? file, line: is?.line },
            say`The setting ${key}`,
            was?.json ?? '',
            is?.json ?? '',
          ),
        ];
  });
}

/** Plain are those from the old address of a page that this change moved, and from one that led nowhere. Bad ones have a finding already. */
function unusualRedirects(change: Change): readonly RuleFinding[] {
  const { before } = change;
  const old = new Map(
    before.site.redirects.map(({ source, destination }) => [pageName(source), destination]),
  );
  const moves = movesOf(change);
  const bad = badRedirects(change);
  return changedRedirects(change)
    .filter((redirect) => !bad.has(redirect))
    .flatMap((redirect) => {
      const what = problemOf(redirect, old, moves, change);
      const { file, line } = redirect;
      return what === undefined ? [] : [found('settings-changed', { file, line }, what)];
    });
}

/** The new address of each page that moved; empty for one that is gone. */
function movesOf({ files, before, after }: Change): ReadonlyMap<string, string> {
  return new Map(
    files
      .filter(
        ({ status, path }) =>
          (status === 'renamed' || status === 'deleted') && /\.mdx?$/iu.test(path),
      )
      .map((file) => [
        pageName(addressOfPage(pathBefore(file), before)),
        file.status === 'renamed' ? pageName(addressOfPage(file.path, after)) : '',
      ]),
  );
}

function problemOf(
  redirect: Redirect,
  old: ReadonlyMap<string, string>,
  moves: ReadonlyMap<string, string>,
  { before, after }: Change,
): Sentence | undefined {
  const { source, destination } = redirect;
  const name = pageName(source);
  if (isElsewhere(destination, after.site.address)) {
    return say`Readers of ${source} get to another site now, ${destination}.`;
  }
  if (name === '' || name === 'index') {
    return say`Readers of the front page get to ${destination} now.`;
  }
  const end = linksOf(before).resolve(`/${name}`, '');
  if (end.kind === 'file' || /\.(?!mdx?$|html?$)\w{1,5}$/u.test(source)) {
    return say`Readers of the file ${source} get to ${destination} now.`;
  }
  if (old.has(name)) {
    return isFollowed(old.get(name), destination, moves)
      ? undefined
      : say`${source} redirects to ${destination} now, and led to another place before.`;
  }
  const isHarmless =
    (end.kind === 'nowhere' && isPlainPath(source) && isOldPage(destination, before)) ||
    isMove(redirect, moves);
  return isHarmless
    ? undefined
    : say`${source} redirects to ${destination} now, and no page of this pull request moved there.`;
}

/** Whether an address stands for itself alone. */
function isPlainPath(source: string): boolean {
  return /^[\w/.~-]+$/u.test(source);
}

/** A page that is gone is looked at as it is, wherever its address leads. */
function isMove({ source, destination }: Redirect, moves: ReadonlyMap<string, string>): boolean {
  const target = moves.get(pageName(source));
  return target === '' || target === pageName(plain(destination));
}

/** From an address that led nowhere, a redirect to a page that was there takes nothing away. */
function isOldPage(destination: string, before: Change['before']): boolean {
  return linksOf(before).resolve(`/${pageName(plain(destination))}`, '').kind === 'page';
}

/** Whether a redirect was changed to follow a page that moved. */
function isFollowed(
  was: string | undefined,
  is: string,
  moves: ReadonlyMap<string, string>,
): boolean {
  return was !== undefined && moves.get(pageName(plain(was))) === pageName(plain(is));
}

function plain(destination: string): string {
  return destination.split(/[?#]/u)[0] ?? '';
}

/** Whether an address leaves the site, or may: `/:path*` becomes `//host`. */
function isElsewhere(destination: string, own: string | undefined): boolean {
  const written = destination.replace(/[\t\r\n]/gu, '').trimStart();
  const url = URL.parse(written, 'https://docs.invalid/');
  const isOpen = /^[\\/]*(?::\w+[*+]|\*)/u.test(written);
  const host = own === undefined ? '' : URL.parse(own)?.host;
  return isOpen || url === null || (url.host !== 'docs.invalid' && url.host !== host);
}
