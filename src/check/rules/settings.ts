import type { Change } from '../change.ts';
import { finalEnd } from '../docs/link-end.ts';
import { linksOf } from '../docs/links.ts';
import { pageName } from '../docs/navigation.ts';
import type { Redirect } from '../docs/site.ts';
import type { RuleFinding, SettingsChanged } from '../finding.ts';
import { addressOfPage, changedRedirects } from './addresses.ts';
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
          found(is?.file ?? file, is?.line, {
            kind: 'setting-changed',
            key,
            before: was?.json ?? '',
            after: is?.json ?? '',
          }),
        ];
  });
}

/** Plain are those from the old address of a page that this change moved, and from one that led nowhere. */
function unusualRedirects(change: Change): readonly RuleFinding[] {
  const { before } = change;
  const old = new Map(
    before.site.redirects.map(({ source, destination }) => [pageName(source), destination]),
  );
  const moves = movesOf(change);
  return changedRedirects(change).flatMap((redirect) => {
    const problem = problemOf(redirect, old, moves, change);
    const { source, destination, file, line } = redirect;
    return problem === undefined
      ? []
      : [found(file, line, { kind: 'redirect', source, destination, problem })];
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

type RedirectProblem = Extract<SettingsChanged, { readonly kind: 'redirect' }>['problem'];

function problemOf(
  redirect: Redirect,
  old: ReadonlyMap<string, string>,
  moves: ReadonlyMap<string, string>,
  { before, after }: Change,
): RedirectProblem | undefined {
  const { source, destination } = redirect;
  const name = pageName(source);
  if (isElsewhere(destination, after.site.address)) {
    return 'to-other-host';
  }
  if (name === '' || name === 'index') {
    return 'from-root';
  }
  const end = finalEnd(linksOf(before).resolve(`/${name}`, ''));
  if (end.kind === 'file' || /\.(?!mdx?$|html?$)\w{1,5}$/u.test(source)) {
    return 'from-file';
  }
  if (old.has(name)) {
    return isFollowed(old.get(name), destination, moves) ? undefined : 'changed';
  }
  const isHarmless =
    (end.kind === 'nowhere' && isPlainPath(source) && isOldPage(destination, before)) ||
    isMove(redirect, moves);
  return isHarmless ? undefined : 'not-moved';
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
  return finalEnd(linksOf(before).resolve(`/${pageName(plain(destination))}`, '')).kind === 'page';
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

function found(file: string, line: number | undefined, event: SettingsChanged): RuleFinding {
  return {
    rule: 'settings-changed',
    places: [{ file, ...(line !== undefined && { line }) }],
    event,
  };
}
