import { isUtf8 } from 'node:buffer';
import { boolean, fallback, nullable, object, record, string } from 'valibot';
import { ownerAndRepo } from '../../github/names.ts';
import { ask, queryGraphql, type RepositoryDeps } from '../../github/request.ts';
import { parse } from '../../text/parse.ts';
import type { Tree, TreeEntry } from '../change.ts';
import { type Sentence, say } from '../sentence.ts';
import { repositoryTimeoutMs } from './tree.ts';

/** What a blob holds, or why it was not read: a main clause such as `it has more than 8 MB`. */
type Content =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'binary' }
  | { readonly kind: 'unread'; readonly problem: Sentence };

/** No page is nearly as large; the largest real API descriptions have 5 MB. */
const maxFileBytes = 8_000_000;

/** Six times the text of a docs repository with a thousand pages. */
const maxBytes = 60_000_000;

/**
 * Six times the lines of such a repository. A page takes up to 400 bytes of memory and 25 microseconds a line, and
 * many pages below the limits of one would take gigabytes.
 */
const maxParsedLines = 1_500_000;

/** GitHub takes a second or two for a batch of this size, and gives up after ten. */
const maxBatch = 100;
const maxBatchBytes = 1_000_000;
const batchTimeoutMs = 15_000;

/** GraphQL cuts texts that are longer than about 500 kB. */
const largestByGraphql = 400_000;

/** Without GraphQL each blob takes a request; a token has 1,000 an hour. */
const maxSingleRequests = 300;

/** Four requests are polite to GitHub, and fast enough for a thousand pages. */
const requestsAtOnce = 4;

/** Downloads the texts of files, each blob once, and parses pages. */
export class Texts {
  /** Files that were asked for and could not be read, by path, each with the reason as a main clause. */
  readonly unread = new Map<string, Sentence>();
  private readonly deps: RepositoryDeps;
  private readonly contents = new Map<string, Content>();
  private bytesLeft = maxBytes;
  private linesLeft = maxParsedLines;
  private requestsLeft = maxSingleRequests;

  constructor(deps: RepositoryDeps) {
    this.deps = deps;
  }

  /**
   * Reads the files that are not known yet: a hundred at a time by GraphQL, and each file that GraphQL leaves out
   * by a request of its own.
   */
  async read(files: readonly TreeEntry[]): Promise<void> {
    const wanted = files.filter(isReadable);
    const blobs = new Map(wanted.map((file) => [file.sha, file]));
    const small = [...blobs.values()].filter((file) => this.takes(file));
    const short = small.filter(({ bytes }) => bytes <= largestByGraphql);
    await inParallel(inBatches(short), (batch) => this.readBatch(batch));
    const left = small.filter(({ sha }) => !this.contents.has(sha));
    await inParallel(left, async ({ sha }) => {
      this.contents.set(sha, await this.readSingly(sha));
    });
    for (const { path, sha } of wanted) {
      const content = this.contents.get(sha);
      if (content?.kind === 'unread') {
        this.unread.set(path, content.problem);
      }
    }
  }

  /** Whether a blob is to be downloaded. Counts its bytes, or notes that they are too many. */
  private takes({ sha, bytes }: TreeEntry): boolean {
    if (this.contents.has(sha)) {
      return false;
    }
    if (bytes > Math.min(maxFileBytes, this.bytesLeft)) {
      this.contents.set(sha, { kind: 'unread', problem: tooLarge });
      return false;
    }
    this.bytesLeft -= bytes;
    return true;
  }

  /** Downloads blobs by one request. Those whose text GitHub cuts or refuses stay unread. */
  private async readBatch(batch: readonly TreeEntry[]): Promise<void> {
    const { repository } = this.deps;
    const [owner = '', name = ''] = repository.split('/').map((part) => JSON.stringify(part));
    const fields = batch.map(
      ({ sha }, index) =>
        `b${index}: object(oid: "${sha}") { ... on Blob { text isBinary isTruncated } }`,
    );
    const query = `{ repository(owner: ${owner}, name: ${name}) { ${fields.join(' ')} } }`;
    const outcome = await ask(
      this.deps,
      (octokit) => queryGraphql(octokit, query),
      (data) => parse(batchSchema, data)?.repository,
      { timeoutMs: batchTimeoutMs },
    );
    const blobs = outcome.kind === 'ok' ? outcome.value : {};
    for (const [index, { sha }] of batch.entries()) {
      const blob = blobs[`b${index}`];
      if (blob?.isBinary) {
        this.contents.set(sha, { kind: 'binary' });
      } else if (typeof blob?.text === 'string' && !blob.isTruncated) {
        this.contents.set(sha, { kind: 'text', text: blob.text });
      }
    }
  }

  private async readSingly(sha: string): Promise<Content> {
    if (this.requestsLeft === 0) {
      return { kind: 'unread', problem: say`it would take too many requests` };
    }
    this.requestsLeft -= 1;
    const asked = { ...ownerAndRepo(this.deps.repository), file_sha: sha };
    const outcome = await ask(this.deps, ({ rest }) => rest.git.getBlob(asked), readBlob, {
      timeoutMs: repositoryTimeoutMs,
    });
    return outcome.kind === 'ok'
      ? outcome.value
      : { kind: 'unread', problem: say`the download failed (${outcome.problem})` };
  }

  /** The text of a file that was read; `undefined` if it has none. */
  of(file: TreeEntry | undefined): string | undefined {
    const content = isReadable(file) ? this.contents.get(file.sha) : undefined;
    return content?.kind === 'text' ? content.text : undefined;
  }

  /**
   * Reads and parses files. One page takes milliseconds; between two files the step can be cancelled.
   * @throws the signal's reason if the run is cancelled
   */
  async parse<Parsed>(
    files: readonly TreeEntry[],
    parser: (text: string, path: string) => Parsed,
  ): Promise<Map<string, Parsed>> {
    await this.read(files);
    const parsed = new Map<string, Parsed>();
    for (const file of files) {
      const { path } = file;
      const text = this.of(file);
      if (text !== undefined) {
        this.linesLeft -= text.split('\n').length;
        if (this.linesLeft < 0) {
          this.unread.set(path, tooManyLines);
          continue;
        }
        parsed.set(path, parser(text, path));
        await new Promise((resolve) => setImmediate(resolve));
        this.deps.signal.throwIfAborted();
      } else if (isReadable(file) && !this.unread.has(path)) {
        this.unread.set(path, say`it is binary`);
      }
    }
    return parsed;
  }
}

const tooLarge = say`it has more than ${maxFileBytes / 1_000_000} MB, or more than ${maxBytes / 1_000_000} MB together with the files before it`;

const tooManyLines = say`the pages and API descriptions of the change have more than ${maxParsedLines} lines together`;

/** Each blob counts as at least a hundredth of a batch, so that no batch has more than a hundred. */
function inBatches(blobs: readonly TreeEntry[]): readonly (readonly TreeEntry[])[] {
  let size = 0;
  const batches = Map.groupBy(blobs, ({ bytes }) => {
    size += Math.max(bytes, maxBatchBytes / maxBatch);
    return Math.ceil(size / maxBatchBytes);
  });
  return [...batches.values()];
}

async function inParallel<Item>(
  items: readonly Item[],
  handle: (item: Item) => Promise<void>,
): Promise<void> {
  const open = items.values();
  const work = async () => {
    for (const item of open) {
      await handle(item);
    }
  };
  await Promise.all(Array.from({ length: requestsAtOnce }, work));
}

const batchBlobSchema = object({
  text: nullable(string()),
  isBinary: nullable(boolean()),
  isTruncated: boolean(),
});

const batchSchema = object({
  repository: record(string(), fallback(nullable(batchBlobSchema), null)),
});

const blobSchema = object({ content: string(), encoding: string() });

function readBlob(body: unknown): Content | undefined {
  const blob = parse(blobSchema, body);
  if (blob?.encoding !== 'base64') {
    return undefined;
  }
  const bytes = Buffer.from(blob.content, 'base64');
  const isText = isUtf8(bytes) && !bytes.includes(0);
  return isText ? { kind: 'text', text: bytes.toString() } : { kind: 'binary' };
}

/** Whether an entry has a text of its own: the text of a symbolic link is a path, and a submodule has none. */
function isReadable(file: TreeEntry | undefined): file is TreeEntry {
  return file?.kind === 'file' || file?.kind === 'executable';
}

/** The files of a version at some paths, without those that it lacks. */
export function filesAt(paths: readonly string[], tree: Tree): readonly TreeEntry[] {
  return paths.flatMap((path) => tree.get(path) ?? []);
}
