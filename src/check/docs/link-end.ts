import type { Redirect } from './site.ts';

/** Where a link leads. `anchor` is without `#`, and decoded. */
export type LinkEnd =
  | { readonly kind: 'page'; readonly file: string; readonly anchor: string | undefined }
  /** Any other file of the repository. */
  | { readonly kind: 'file'; readonly file: string }
  /** On the page that has the link. */
  | { readonly kind: 'anchor'; readonly anchor: string }
  | { readonly kind: 'redirect'; readonly redirect: Redirect; readonly end: LinkEnd }
  /** Lower case. */
  | { readonly kind: 'other-host'; readonly host: string }
  /** Cannot be told: made from an API description, served by Mintlify, not written out, no web address. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'nowhere' };

export const unknown = { kind: 'unknown' } as const;
export const nowhere = { kind: 'nowhere' } as const;

/** Where a link leads in the end, whatever the redirects on its way. */
export function finalEnd(end: LinkEnd): Exclude<LinkEnd, { kind: 'redirect' }> {
  return end.kind === 'redirect' ? finalEnd(end.end) : end;
}

/** The same with the anchor of the link that leads there. */
export function withAnchor(end: LinkEnd, anchor: string | undefined): LinkEnd {
  if (anchor === undefined) return end;
  if (end.kind === 'redirect') return { ...end, end: withAnchor(end.end, anchor) };
  // An anchor in the redirect wins, as it does in a browser.
  return end.kind === 'page' ? { ...end, anchor: end.anchor ?? anchor } : end;
}

/** An address without its query, decoded. */
export function partsOf(target: string): {
  readonly path: string;
  readonly anchor: string | undefined;
} {
  const [beforeAnchor = '', ...anchor] = target.split('#');
  const [path = ''] = beforeAnchor.split('?');
  const hasAnchor = anchor.join('#') !== '';
  return { path: decoded(path), anchor: hasAnchor ? decoded(anchor.join('#')) : undefined };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
