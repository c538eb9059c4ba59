import { posix } from 'node:path';
import type { ChangedFile, DocsVersion } from '../change.ts';
import { kindOf } from '../docs/kinds.ts';
import { isPagePath } from './paths.ts';

/** What unchanged pages may still use, although this change took it away, or may include. */
export interface Questions {
  /** The last parts of addresses, such as `setup` for `guides/setup.mdx`, or `logo.png`. */
  readonly names: ReadonlySet<string>;
  /** Without `#`. */
  readonly anchors: ReadonlySet<string>;
  /** Whether a picture or another file is gone, whose name may be put together of parts. */
  readonly isFileGone: boolean;
}

/** Says what to look for in unchanged files. */
export function questionsOf(
  files: readonly ChangedFile[],
  before: DocsVersion,
  after: DocsVersion,
): Questions {
  const gone = files.flatMap(({ path, previousPath, status }) =>
    status === 'deleted' ? [path] : previousPath === undefined ? [] : [previousPath],
  );
  const sources = new Set(after.site.redirects.map(({ source }) => source));
  const redirects = before.site.redirects.filter(({ source }) => !sources.has(source));
  const shrunk = files
    .map((file) => ({ path: file.path, anchors: goneAnchors(file, before, after) }))
    .filter(({ anchors }) => anchors.length > 0);
  const snippets = shrunk.filter(({ path }) => kindOf(path, after.site) === 'snippet');
  // If a page imports one of them, it is a part of the site.
  const others = files.filter(
    ({ path, status }) =>
      status !== 'deleted' &&
      isPagePath(path) &&
      ['readme', 'for-agents'].includes(kindOf(path, after.site)),
  );
  return {
    names: new Set([
      ...gone.flatMap(namesOf),
      ...others.flatMap(({ path }) => namesOf(path)),
      ...redirects.flatMap(({ source }) => namesOf(literalPart(source))),
      // Its headings are also those of the pages that include it.
      ...snippets.flatMap(({ path }) => namesOf(path)),
    ]),
    isFileGone: gone.some((path) => !isPagePath(path)),
    anchors: new Set(shrunk.flatMap(({ anchors }) => anchors)),
  };
}

function goneAnchors(
  { path, previousPath, status }: ChangedFile,
  before: DocsVersion,
  after: DocsVersion,
): readonly string[] {
  if (status === 'added' || status === 'deleted') {
    return [];
  }
  const left = after.pages.get(path)?.anchors ?? new Set();
  const old = [...(before.pages.get(previousPath ?? path)?.anchors ?? [])];
  return old.filter((anchor) => anchor !== '' && !left.has(anchor));
}

/** The last part of the address of a file; an index page has that of its folder too. */
function namesOf(path: string): readonly string[] {
  const { dir, base, name } = posix.parse(path);
  const names = [isPagePath(path) ? name : base];
  if (/^(?:index|readme)$/i.test(name) && dir !== '') {
    names.push(posix.basename(dir));
  }
  return names.filter((one) => one !== '');
}

/** What stands before the first wildcard. */
function literalPart(source: string): string {
  const parts = source.split('#')[0]?.split('/') ?? [];
  const wildcard = parts.findIndex((part) => /[:*(]/.test(part));
  return (wildcard < 0 ? parts : parts.slice(0, wildcard)).join('/');
}
