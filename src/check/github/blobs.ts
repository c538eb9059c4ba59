import { boolean, fallback, nullable, object, record, string } from 'valibot';
import { isSuccess, sendAgain } from '../../github/request.ts';
import { parse } from '../../text/parse.ts';
import { type Sentence, say } from '../sentence.ts';
import { type RepositoryDeps, readFrom } from './tree.ts';

/** A blob to read. */
export interface Blob {
  readonly sha: string;
  readonly bytes: number;
}

/** The content of a blob; the problem is a main clause. */
export type BlobText =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'binary' }
  | { readonly kind: 'unread'; readonly problem: Sentence };

/** GitHub takes a second or two for so much, and gives up after ten. */
const maxBatch = 100;
const maxBatchBytes = 1_000_000;
const timeoutMs = 15_000;

/** GraphQL cuts texts that are longer than about 500 kB. */
const largestByGraphql = 400_000;

/** Without GraphQL each blob takes a request; a token has 1,000 an hour. */
const maxSingleRequests = 300;

/** Polite to GitHub, and fast enough for a thousand pages. */
const requestsAtOnce = 4;

/**
 * Reads the texts of blobs, most of them a hundred at a time by GraphQL, and what that leaves out by one
 * request each.
 * @throws the signal's reason if the run is cancelled
 */
export async function readBlobs(
  blobs: readonly Blob[],
  deps: RepositoryDeps,
): Promise<ReadonlyMap<string, BlobText>> {
  const texts = new Map<string, BlobText>();
  const isSmall = ({ bytes }: Blob) => deps.session.graphqlUrl !== '' && bytes <= largestByGraphql;
  await inParallel(inBatches(blobs.filter(isSmall)), async (batch) => {
    for (const [sha, text] of await readBatch(batch, deps)) {
      texts.set(sha, text);
    }
  });
  const left = blobs.filter(({ sha }) => !texts.has(sha));
  await inParallel(left.slice(0, maxSingleRequests), async ({ sha }) => {
    const reading = await readFrom(deps, 'git/blobs/{file_sha}', { file_sha: sha }, readRestBlob);
    texts.set(
      sha,
      reading.kind === 'read'
        ? reading.value
        : { kind: 'unread', problem: say`the download failed (${reading.problem})` },
    );
  });
  const problem = say`it would take too many requests`;
  for (const { sha } of left.slice(maxSingleRequests)) {
    texts.set(sha, { kind: 'unread', problem });
  }
  return texts;
}

function inBatches(blobs: readonly Blob[]): readonly (readonly Blob[])[] {
  const batches: Blob[][] = [];
  let size = 0;
  for (const blob of blobs) {
    const last = batches.at(-1);
    size += blob.bytes;
    if (last === undefined || last.length === maxBatch || size > maxBatchBytes) {
      batches.push([blob]);
      size = blob.bytes;
    } else {
      last.push(blob);
    }
  }
  return batches;
}

/** Stops at the first error: only a cancelled run has one, in which every request fails. */
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

const blobSchema = object({
  text: nullable(string()),
  isBinary: nullable(boolean()),
  isTruncated: boolean(),
});

const batchSchema = object({
  data: object({ repository: record(string(), fallback(nullable(blobSchema), null)) }),
});

/** Leaves out blobs whose text is not complete. */
async function readBatch(
  batch: readonly Blob[],
  deps: RepositoryDeps,
): Promise<ReadonlyMap<string, BlobText>> {
  const [owner = '', name = ''] = deps.repository.split('/').map((part) => JSON.stringify(part));
  const fields = batch
    .map(
      ({ sha }, index) =>
        `b${index}: object(oid: "${sha}") { ... on Blob { text isBinary isTruncated } }`,
    )
    .join(' ');
  const query = `{ repository(owner: ${owner}, name: ${name}) { ${fields} } }`;
  const question = { route: `POST ${deps.session.graphqlUrl}`, parameters: { query }, timeoutMs };
  const response = await sendAgain(question, deps);
  deps.signal.throwIfAborted();
  const read = isSuccess(response) ? parse(batchSchema, response.body)?.data.repository : undefined;
  return new Map(
    batch.flatMap(({ sha }, index): readonly (readonly [string, BlobText])[] => {
      const { text = null, isBinary = false, isTruncated = true } = read?.[`b${index}`] ?? {};
      if (isBinary) {
        return [[sha, { kind: 'binary' }]];
      }
      return text === null || isTruncated ? [] : [[sha, { kind: 'text', text }]];
    }),
  );
}

const restBlobSchema = object({ content: string(), encoding: string() });

function readRestBlob(body: unknown): BlobText | undefined {
  const blob = parse(restBlobSchema, body);
  if (blob?.encoding !== 'base64') {
    return undefined;
  }
  try {
    const bytes = Buffer.from(blob.content, 'base64');
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes('\0') ? { kind: 'binary' } : { kind: 'text', text };
  } catch {
    return { kind: 'binary' };
  }
}
