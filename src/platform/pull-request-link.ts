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
  /** Where the link has GitHub's form, `…/owner/name/pull/12`. */
  readonly github?: { readonly repository: string; readonly number: string };
}

const unreadable: PullRequestLink = { kind: 'unreadable' };

/**
 * What no honest link contains, and what URL parsers read in different ways: white space, control
 * and invisible characters, quotes, angle brackets, backslashes.
 */
const suspicious = /[\s"'`<>\\\p{C}\p{Default_Ignorable_Code_Point}]/u;

const maxLength = 2000;

/**
 * Reads a `prLink` as the service sent it.
 *
 * A link is handed on only as an absolute https URL without user info (plain http for loopback
 * alone), rebuilt from its parsed parts, so that every later reader sees the URL that was checked.
 */
export function readPullRequestLink(value: unknown): PullRequestLink {
  if (value === null || value === undefined) {
    return { kind: 'none' };
  }
  if (typeof value !== 'string' || value.length > maxLength || suspicious.test(value)) {
    return unreadable;
  }
  if (!/^https?:\/\/[^/]/i.test(value) || !URL.canParse(value)) {
    return unreadable;
  }
  const url = new URL(value);
  if (!isTrustworthy(url)) {
    return unreadable;
  }
  const rebuilt = `${url.origin}${url.pathname}${url.search}${url.hash}`;
  const github = readGitHubPath(url.pathname);
  return { kind: 'link', url: rebuilt, ...(github && { github }) };
}

function isTrustworthy(url: URL): boolean {
  const isEncrypted = url.protocol === 'https:' || isLoopback(url.hostname);
  return isEncrypted && url.username === '' && url.password === '';
}

function readGitHubPath(path: string): { repository: string; number: string } | undefined {
  const [, repository, number] = /^\/([\w.-]+\/[\w.-]+)\/pull\/([1-9]\d{0,9})\/?$/.exec(path) ?? [];
  return repository && number ? { repository, number } : undefined;
}
