import type { Tree, TreeEntry } from '../change.ts';
import { isBinaryPath } from '../docs/kinds.ts';
import { type BlobText, readBlobs } from '../github/blobs.ts';
import type { RepositoryDeps } from '../github/tree.ts';
import { clause, type Sentence, say } from '../sentence.ts';

/** A file of one version. */
export interface VersionFile {
  readonly path: string;
  readonly entry: TreeEntry;
}

/** Why a file has no text. `problem` is a clause that follows "because". */
export interface Missing {
  readonly isBinary: boolean;
  readonly problem: Sentence;
}

/** Far above any page; a larger file is an API description or data. */
const maxFileBytes = 2_000_000;

/** Six times the text of a docs repository with a thousand pages. */
const maxBytes = 60_000_000;

/** The texts of files, each blob read once. */
export class Texts {
  private readonly deps: RepositoryDeps;
  private readonly known = new Map<string, string | Missing>();
  private bytes = 0;

  constructor(deps: RepositoryDeps) {
    this.deps = deps;
  }

  /**
   * Reads those that are not known yet, and says which have no text, by path.
   * @throws the signal's reason if the run is cancelled
   */
  async read(files: readonly VersionFile[]): Promise<ReadonlyMap<string, Missing>> {
    const wanted = files.filter(({ path, entry }) => isReadable(entry) && !isBinaryPath(path));
    const blobs = new Map(wanted.map(({ entry }) => [entry.sha, entry]));
    const allowed = [...blobs.values()].filter((entry) => this.isAllowed(entry));
    for (const [sha, blob] of await readBlobs(allowed, this.deps)) {
      this.known.set(sha, blob.kind === 'text' ? blob.text : missingOf(blob));
    }
    return new Map(
      wanted.flatMap(({ path, entry }) => {
        const text = this.known.get(entry.sha);
        return text === undefined || typeof text === 'string' ? [] : [[path, text] as const];
      }),
    );
  }

  /** The text of a file that was read; `undefined` if it has none. */
  of(entry: TreeEntry | undefined): string | undefined {
    const text = isReadable(entry) ? this.known.get(entry.sha) : undefined;
    return typeof text === 'string' ? text : undefined;
  }

  /** Takes what is new, and refuses what is too large. */
  private isAllowed({ sha, bytes }: TreeEntry): boolean {
    if (this.known.has(sha)) {
      return false;
    }
    this.bytes += bytes;
    if (bytes <= maxFileBytes && this.bytes <= maxBytes) {
      return true;
    }
    this.bytes -= bytes;
    const problem =
      bytes > maxFileBytes
        ? say`it is larger than ${maxFileBytes / 1_000_000} MB`
        : say`together with the files before it, it has more than ${maxBytes / 1_000_000} MB`;
    this.known.set(sha, { isBinary: false, problem });
    return false;
  }
}

function missingOf(blob: Exclude<BlobText, { readonly kind: 'text' }>): Missing {
  if (blob.kind === 'binary') {
    return { isBinary: true, problem: say`it is binary` };
  }
  const problem = clause(blob.problem);
  return {
    isBinary: false,
    problem: blob.isRefusal
      ? say`${problem}; the token needs the permission "contents: read"`
      : problem,
  };
}

/** A symbolic link's text is a path, and a submodule has none. */
function isReadable(entry: TreeEntry | undefined): entry is TreeEntry {
  return entry?.kind === 'file' || entry?.kind === 'executable';
}

/** The files of a version at some paths, without those that it lacks. */
export function filesAt(paths: Iterable<string>, tree: Tree): readonly VersionFile[] {
  return [...paths].flatMap((path) => {
    const entry = tree.get(path);
    return entry === undefined ? [] : [{ path, entry }];
  });
}
