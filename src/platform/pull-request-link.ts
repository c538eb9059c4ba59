import { isLoopback } from '../text/url.ts';

/** A job's `prLink`. */
export type PullRequestLink =
  | { readonly kind: 'none' }
  | FoundLink
  | { readonly kind: 'unreadable' };

/** A link that was checked, and rebuilt from its parsed parts. */
export interface FoundLink {
  readonly kind: 'link';
  readonly url: string;
  /** Set if the link has GitHub's form, `…/owner/name/pull/12`, and is on the server of this run. */
  readonly github?: { readonly repository: string; readonly number: number };
}

const unreadable: PullRequestLink = { kind: 'unreadable' };

/**
 * Characters that URL parsers treat differently, and that no real link contains: white space, control
 * and invisible characters, quotes, angle brackets, backslashes.
 */
const suspicious = /[\s"'`<>\\\p{C}\p{Default_Ignorable_Code_Point}]/u;

/** A host name or an IP address, without characters that mean something to a shell or a log. */
const plainHost = /^(?:[\w.-]+|\[[\da-f:.]+\])$/;

/** Characters to percent-encode in a path or a query; existing escapes are kept. */
const unsafe = /%(?![\da-f]{2})|[^\w\-.~/@+=%]/gi;

const maxLength = 2000;

/**
 * Parses and validates a `prLink` from the API.
 *
 * A link must be an absolute https URL without user info (plain http only on loopback). It is rebuilt
 * from its parsed parts, so that every later parser sees the URL that was validated.
 *
 * - A link in GitHub's form becomes `…/owner/name/pull/12`, without the page's tab, query or fragment.
 *   No other code host has that form.
 * - Any other link loses its fragment, and in its path and query everything except letters, digits and
 *   `-._~/@+=` is percent-encoded. So a later step that prints the link, or inserts it into a command,
 *   meets no `$(`, backtick, `;`, `|`, `&`, quote, `##[` or `::`. Servers treat an encoded path as the
 *   same path. Several query fields become one, but no link to a pull request needs several.
 *
 * @param serverUrl as in `GITHUB_SERVER_URL`
 */
export function readPullRequestLink(value: unknown, serverUrl: string): PullRequestLink {
  if (value === null || value === undefined) {
    return { kind: 'none' };
  }
  if (typeof value !== 'string' || value.length > maxLength || suspicious.test(value)) {
    return unreadable;
  }
  const url = /^https?:\/\/[^/]/i.test(value) ? URL.parse(value) : null;
  if (url === null || !isTrustworthy(url)) {
    return unreadable;
  }
  const path = encoded(url.pathname);
  const github = readGitHubPath(path);
  if (github !== undefined) {
    const plain = `${url.origin}/${github.repository}/pull/${github.number}`;
    const isHere = url.origin === URL.parse(serverUrl)?.origin;
    return { kind: 'link', url: plain, ...(isHere && { github }) };
  }
  const query = url.search === '' ? '' : `?${encoded(url.search.slice(1))}`;
  const rebuilt = `${url.origin}${path}${query}`;
  return rebuilt.length > maxLength ? unreadable : { kind: 'link', url: rebuilt };
}

function isTrustworthy(url: URL): boolean {
  const isEncrypted = url.protocol === 'https:' || isLoopback(url.hostname);
  const hasUserInfo = url.username !== '' || url.password !== '';
  return isEncrypted && !hasUserInfo && plainHost.test(url.hostname);
}

/** Works character by character, because a parsed URL is ASCII. */
function encoded(text: string): string {
  return text.replace(
    unsafe,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}

function readGitHubPath(path: string): FoundLink['github'] {
  const [, repository, number] =
    /^\/([\w.-]+\/[\w.-]+)\/pull\/([1-9]\d{0,9})(?:\/.*)?$/.exec(path) ?? [];
  return repository && number ? { repository, number: Number(number) } : undefined;
}
