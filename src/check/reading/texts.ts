import { posix } from 'node:path';
import type { Tree, TreeEntry } from '../change.ts';
import { isBinaryPath, isCodePath, kindOf } from '../docs/kinds.ts';
import { emptyPage, type Page, parsePage, pathsInCode } from '../docs/page.ts';
import type { Site } from '../docs/site.ts';
import { type BlobText, readBlobs } from '../github/blobs.ts';
import type { RepositoryDeps } from '../github/tree.ts';
import { type Sentence, say } from '../sentence.ts';

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

/** The texts of files, each blob read once, and the pages that they are, each parsed once. */
export class Texts {
  private readonly deps: RepositoryDeps;
  private readonly known = new Map<string, string | Missing>();
  private readonly pages = new Map<string, Page>();
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

  /**
   * Parses those that have a text. A page takes milliseconds; between two pages the step can be cancelled.
   * @throws the signal's reason if the run is cancelled
   */
  async parse(files: readonly VersionFile[], site: Site): Promise<Map<string, Page>> {
    const pages = new Map<string, Page>();
    for (const { path, entry } of files) {
      const text = this.of(entry);
      if (text !== undefined) {
        const key = `${entry.sha} ${posix.extname(path)} ${kindOf(path, site)}`;
        const page = this.pages.get(key) ?? parseFile(path, text, site);
        this.pages.set(key, page);
        pages.set(path, page);
        await new Promise((resolve) => setImmediate(resolve));
        this.deps.signal.throwIfAborted();
      }
    }
    return pages;
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

/**
 * Parses a page, a snippet, other Markdown, or a component or style sheet of the site. Mintlify reads `.md`
 * as MDX too, but files such as README.md are for GitHub and may be any Markdown.
 */
export function parseFile(path: string, text: string, site: Site): Page {
  const isShown = ['page', 'snippet'].includes(kindOf(path, site)) || path.endsWith('.mdx');
  return isCodePath(path) ? parseCode(text) : parsePage(text, !isShown);
}

/** Of a component, a script or a style sheet, only what it leads to is read. */
function parseCode(text: string): Page {
  const links = pathsInCode(text).map((path) => ({
    ...path,
    line: text.slice(0, text.indexOf(path.target)).split('\n').length,
  }));
  return { ...emptyPage, links };
}

function missingOf(blob: Exclude<BlobText, { readonly kind: 'text' }>): Missing {
  if (blob.kind === 'binary') {
    return { isBinary: true, problem: say`it is binary` };
  }
  const problem = say`the download failed (${blob.problem})`;
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
