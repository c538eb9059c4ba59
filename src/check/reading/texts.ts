import type { RepositoryDeps } from '../../github/request.ts';
import type { TreeEntry } from '../change.ts';
import { type BlobText, readBlobs } from '../github/blobs.ts';
import { isBinaryPath } from './paths.ts';
import { problemWithAdvice } from './required.ts';

/** A file of one version. */
export interface VersionFile {
  readonly path: string;
  readonly entry: TreeEntry;
}

/** Why a file has no text. `problem` is a clause that follows "because". */
export type Missing =
  | { readonly kind: 'binary' }
  | { readonly kind: 'unread'; readonly problem: string };

/** The texts of files, each blob read once. */
export interface Texts {
  /** Reads those that are not known yet, and says which have no text, by path. */
  read(files: readonly VersionFile[]): Promise<ReadonlyMap<string, Missing>>;
  /** The text of a blob that was read; `undefined` if it has none. */
  textOf(sha: string): string | undefined;
}

/** Far above any page; a larger file is an API description or data. */
const largestFileBytes = 2_000_000;

/** Six times the text of a docs repository with a thousand pages. */
const mostBytes = 60_000_000;

/** @throws the signal's reason if the run is cancelled, from `read` */
export function createTexts(deps: RepositoryDeps): Texts {
  const known = new Map<string, string | Missing>();
  let bytes = 0;

  /** Takes the blobs that are new, and refuses those that are too large. */
  function choose(entries: readonly TreeEntry[]): readonly TreeEntry[] {
    return entries.filter(({ sha, bytes: size }) => {
      if (known.has(sha)) {
        return false;
      }
      const isTooLarge = size > largestFileBytes || bytes + size > mostBytes;
      if (isTooLarge) {
        known.set(sha, { kind: 'unread', problem: tooLarge(size) });
      } else {
        bytes += size;
      }
      return !isTooLarge;
    });
  }

  return {
    async read(files) {
      const wanted = files.filter(({ path, entry }) => isReadable(entry) && !isBinaryPath(path));
      const distinct = new Map(wanted.map(({ entry }) => [entry.sha, entry]));
      for (const [sha, blob] of await readBlobs(choose([...distinct.values()]), deps)) {
        known.set(sha, fromBlob(blob));
      }
      return new Map(
        wanted.flatMap(({ path, entry }) => {
          const text = known.get(entry.sha);
          return text === undefined || typeof text === 'string' ? [] : [[path, text] as const];
        }),
      );
    },
    textOf(sha) {
      const text = known.get(sha);
      return typeof text === 'string' ? text : undefined;
    },
  };
}

function tooLarge(bytes: number): string {
  return bytes > largestFileBytes
    ? `it is larger than ${largestFileBytes / 1_000_000} MB`
    : `together with the files before it, it has more than ${mostBytes / 1_000_000} MB`;
}

function fromBlob(blob: BlobText): string | Missing {
  switch (blob.kind) {
    case 'text':
      return blob.text;
    case 'binary':
      return blob;
    case 'unread':
      return { kind: 'unread', problem: problemWithAdvice(blob, 'contents: read') };
  }
}

/** A symbolic link's text is a path, and a submodule has none. */
function isReadable({ kind }: TreeEntry): boolean {
  return kind === 'file' || kind === 'executable';
}
