import type { TreeEntry } from '../../../../src/check/change.ts';
import type { LinkTargets } from '../../../../src/check/docs/links.ts';
import { readSite, type Site } from '../../../../src/check/docs/site.ts';

/** Reads the settings at that path, and no other file. */
export function read(settings: unknown, file = 'docs.json'): Site {
  return readSite(file, new Map([[file, JSON.stringify(settings)]]));
}

/** A version of the docs with these files. */
export function version(
  paths: readonly string[],
  settings: unknown = {},
  file = 'docs.json',
): LinkTargets {
  return {
    tree: new Map(paths.map((path) => [path, entry('file', path)])),
    site: read(settings, file),
  };
}

export function entry(kind: TreeEntry['kind'], path: string): TreeEntry {
  return { path, sha: '0'.repeat(40), kind, bytes: 1 };
}
