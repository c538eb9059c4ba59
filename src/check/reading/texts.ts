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

/** Far above any page; the largest real API descriptions have 5 MB. */
const maxFileBytes = 8_000_000;

/** Six times the text of a docs repository with a thousand pages. */
const maxBytes = 60_000_000;

/** The texts of files, each blob read once, and the pages that they are, each parsed once. */
export class Texts {
  /** Why files have no text that were asked for, by path: a main clause. */
  readonly unread = new Map<string, Sentence>();
  private readonly deps: RepositoryDeps;
  private readonly known = new Map<string, BlobText>();
  private readonly pages = new Map<string, Page>();
  private bytesLeft = maxBytes;

  constructor(deps: RepositoryDeps) {
    this.deps = deps;
  }

  /**
   * Reads those that are not known yet.
   * @throws the signal's reason if the run is cancelled
   */
  async read(files: readonly VersionFile[]): Promise<void> {
    const wanted = files.filter(({ path, entry }) => isReadable(entry) && !isBinaryPath(path));
    const blobs = new Map(wanted.map(({ entry }) => [entry.sha, entry]));
    const fresh = [...blobs.values()].filter(({ sha }) => !this.known.has(sha));
    for (const [sha, text] of await readBlobs(this.takeSmall(fresh), this.deps)) {
      this.known.set(sha, text);
    }
    for (const { path, entry } of wanted) {
      const text = this.known.get(entry.sha);
      if (text?.kind === 'unread') {
        this.unread.set(path, text.problem);
      }
    }
  }

  /** Refuses what is too large. */
  private takeSmall(entries: readonly TreeEntry[]): readonly TreeEntry[] {
    const small: TreeEntry[] = [];
    for (const entry of entries) {
      if (entry.bytes <= Math.min(maxFileBytes, this.bytesLeft)) {
        this.bytesLeft -= entry.bytes;
        small.push(entry);
      } else {
        this.known.set(entry.sha, { kind: 'unread', problem: tooLarge });
      }
    }
    return small;
  }

  /** The text of a file that was read; `undefined` if it has none. */
  of(entry: TreeEntry | undefined): string | undefined {
    const text = isReadable(entry) ? this.known.get(entry.sha) : undefined;
    return text?.kind === 'text' ? text.text : undefined;
  }

  /**
   * Parses those that were read. A page takes milliseconds; between two pages the step can be cancelled.
   * @throws the signal's reason if the run is cancelled
   */
  async parse(files: readonly VersionFile[], site: Site): Promise<Map<string, Page>> {
    const pages = new Map<string, Page>();
    for (const { path, entry } of files) {
      const text = isReadable(entry) ? this.known.get(entry.sha) : undefined;
      if (text?.kind === 'text') {
        const key = `${entry.sha} ${posix.extname(path)} ${kindOf(path, site)}`;
        const page = this.pages.get(key) ?? parseFile(path, text.text, site);
        this.pages.set(key, page);
        pages.set(path, page);
        await new Promise((resolve) => setImmediate(resolve));
        this.deps.signal.throwIfAborted();
      } else if (text?.kind === 'binary') {
        // A picture has no text, but a page must have one.
        this.unread.set(path, say`it is binary`);
      }
    }
    return pages;
  }
}

const tooLarge = say`it has more than ${maxFileBytes / 1_000_000} MB, or more than ${maxBytes / 1_000_000} MB together with the files before it`;

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
