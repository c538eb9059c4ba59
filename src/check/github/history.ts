import type { Reading, RepositoryDeps } from '../../github/reading.ts';
import { type BlobText, blobFields } from './blobs.ts';
import { literal, queryRepository } from './graphql.ts';
import { inParallel } from './in-parallel.ts';

/** A commit that changed a path. */
export interface PathCommit {
  readonly commit: string;
  /** The first one; `undefined` for the first commit of a repository. */
  readonly parent: string | undefined;
}

/** A file at a commit. */
export interface FileVersion {
  readonly commit: string;
  readonly path: string;
}

/** GitHub walks the whole history for each path, so a query for more of them could time out. */
const pathsAtOnce = 10;

const versionsAtOnce = 60;

/**
 * Reads the last commits of each path, newest first, as seen from a commit. Merges are left out, as
 * `git log` does for a path.
 * @throws the signal's reason if the run is cancelled
 */
export async function readHistoryOf(
  paths: readonly string[],
  from: string,
  commitsOfEach: number,
  deps: RepositoryDeps,
): Promise<Reading<ReadonlyMap<string, readonly PathCommit[]>>> {
  const { readHistories } = await import('./graphql-schema.ts');
  const found = new Map<string, readonly PathCommit[]>();
  const readings = await inParallel(inGroups(paths, pathsAtOnce), 3, async (group) => {
    const fields = group.map(
      (path, index) =>
        `p${index}: history(first: ${commitsOfEach}, path: ${literal(path)}) { nodes { oid parents(first: 1) { nodes { oid } } } }`,
    );
    const selection = `c: object(oid: ${literal(from)}) { ... on Commit { ${fields.join(' ')} } }`;
    const reading = await queryRepository(selection, 'several', deps);
    if (reading.kind === 'unread') {
      return reading;
    }
    const histories = readHistories(reading.value.fields.get('c'));
    for (const [index, path] of group.entries()) {
      found.set(path, histories?.get(`p${index}`) ?? []);
    }
    return histories === undefined ? unreadable : undefined;
  });
  return readings.find((reading) => reading !== undefined) ?? { kind: 'read', value: found };
}

const unreadable = {
  kind: 'unread',
  problem: "GitHub's response has no history",
  isRefusal: false,
} as const;

/**
 * Reads files at commits. Those that did not exist, are binary or are cut have no text. The key is the
 * version's own object.
 * @throws the signal's reason if the run is cancelled
 */
export async function readVersions(
  versions: readonly FileVersion[],
  deps: RepositoryDeps,
): Promise<Reading<ReadonlyMap<FileVersion, string>>> {
  const { readBlobText } = await import('./graphql-schema.ts');
  const texts = new Map<FileVersion, string>();
  const readings = await inParallel(inGroups(versions, versionsAtOnce), 3, async (group) => {
    const fields = group.map(
      ({ commit, path }, index) =>
        `v${index}: object(expression: ${literal(`${commit}:${path}`)}) { ${blobFields} }`,
    );
    const reading = await queryRepository(fields.join(' '), 'several', deps);
    if (reading.kind === 'unread') {
      return reading;
    }
    for (const [index, version] of group.entries()) {
      const blob: BlobText | undefined = readBlobText(reading.value.fields.get(`v${index}`));
      if (blob?.kind === 'text') {
        texts.set(version, blob.text);
      }
    }
    return undefined;
  });
  return readings.find((reading) => reading !== undefined) ?? { kind: 'read', value: texts };
}

function inGroups<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
