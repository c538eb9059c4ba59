import { isLoopback } from '../text/url.ts';

/** What a job's `prLink` holds. */
export type PullRequestLink =
  | { readonly kind: 'none' }
  | FoundLink
  | { readonly kind: 'unreadable' };

/** A link that was checked and rebuilt. */
export interface FoundLink {
  readonly kind: 'link';
  readonly url: string;
  /** Where the link has GitHub's form, `…/owner/name/pull/12`, whichever server it leads to. */
  readonly github?: { readonly repository: string; readonly number: string };
}

const unreadable: PullRequestLink = { kind: 'unreadable' };

/**
 * What no honest link contains, and what URL parsers read in different ways: white space, control
 * and invisible characters, quotes, angle brackets, backslashes.
 */
const suspicious = /[\s"'`<>\\\p{C}\p{Default_Ignorable_Code_Point}]/u;

/** A host that a shell or a log could read nothing into: a name, or an address of either kind. */
const plainHost = /^(?:[\w.-]+|\[[\da-f:.]+\])$/;

/** What stays in a path or a query; a percent sign only where it begins an escape already. */
const unsafe = /%(?![\da-f]{2})|[^\w\-.~/@+=%]/gi;

const maxLength = 2000;

/**
 * Reads a `prLink` as the API sent it.
 *
 * A link is handed on only as an absolute https URL without user info (plain http for loopback
 * alone), rebuilt from its parsed parts, so that every later reader sees the URL that was checked.
 *
 * - A link of GitHub's form becomes the plain `…/owner/name/pull/12`, without the tab of that page,
 *   query or fragment. No other code host has that form.
 * - Of any other link the fragment is dropped, and in path and query everything is percent-encoded
 *   but letters, digits and `-._~/@+=`. So a step that splices the link into a command, or prints it, hands
 *   on no `$(`, backtick, `;`, `|`, `&`, quote, `##[` or `::`. Servers read an encoded path as
 *   the same; a query of several fields becomes one, which no address of a pull request needs.
 */
export function readPullRequestLink(value: unknown): PullRequestLink {
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
    return { kind: 'link', url: plain, github };
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

/** URLs are ASCII once they are parsed. */
function encoded(text: string): string {
  return text.replace(
    unsafe,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}

function readGitHubPath(path: string): { repository: string; number: string } | undefined {
  const [, repository, number] =
    /^\/([\w.-]+\/[\w.-]+)\/pull\/([1-9]\d{0,9})(?:\/.*)?$/.exec(path) ?? [];
  return repository && number ? { repository, number } : undefined;
}

/** The link as a workflow on `serverUrl` sees it: what lies on another server is no place on GitHub. */
export function asSeenFrom(serverUrl: string, { github, ...link }: FoundLink): FoundLink {
  const isOnServer = URL.parse(link.url)?.origin === URL.parse(serverUrl)?.origin;
  return isOnServer && github !== undefined ? { ...link, github } : link;
}
