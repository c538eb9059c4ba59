import { type RepositoryDeps, type RequestFailure, readFrom } from '../../github/request.ts';
import { literal, queryRepository } from './graphql.ts';
import { inBatches, inParallel } from './in-parallel.ts';

/** A blob to read. */
export interface Blob {
  readonly sha: string;
  readonly bytes: number;
}

/** The content of a blob. */
export type BlobText =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'binary' }
  | ({ readonly kind: 'unread' } & Pick<RequestFailure, 'problem' | 'isRefusal'>);

/** GitHub takes a second or two for so much, and gives up after ten. */
const batchLimits = { mostItems: 100, mostSize: 1_000_000, sizeOf: ({ bytes }: Blob) => bytes };

/** GraphQL cuts texts that are longer than about 500 kB. */
const largestByGraphql = 400_000;

/** Polite to GitHub, and fast enough for a thousand pages. */
const requestsAtOnce = 4;

/** Without GraphQL each blob takes a request; a token has 1,000 an hour. */
const mostSingleRequests = 300;

/** A batch that fails is halved so often. */
const mostHalvings = 3;

/**
 * Reads the texts of blobs, most of them a hundred at a time by GraphQL.
 * @throws the signal's reason if the run is cancelled
 */
export async function readBlobs(
  blobs: readonly Blob[],
  deps: RepositoryDeps,
): Promise<ReadonlyMap<string, BlobText>> {
  const distinct = [...new Map(blobs.map((blob) => [blob.sha, blob])).values()];
  const isSmall = ({ bytes }: Blob) => deps.graphqlUrl !== '' && bytes <= largestByGraphql;
  const batches = inBatches(distinct.filter(isSmall), batchLimits);
  const read = await inParallel(batches, requestsAtOnce, (batch) => readBatch(batch, 0, deps));
  const texts = new Map(read.flatMap((entries) => [...entries]));
  await readSingly(
    distinct.filter(({ sha }) => !texts.has(sha)),
    texts,
    deps,
  );
  return texts;
}

/** Leaves out blobs whose text is not complete. */
async function readBatch(
  batch: readonly Blob[],
  halvings: number,
  deps: RepositoryDeps,
): Promise<ReadonlyMap<string, BlobText>> {
  const isLast = halvings === mostHalvings || batch.length === 1;
  const selection = batch
    .map(({ sha }, index) => `b${index}: object(oid: ${literal(sha)}) { ${blobFields} }`)
    .join(' ');
  const reading = await queryRepository(selection, isLast ? 'several' : 'one', deps);
  const isWhole = reading.kind === 'read' && !reading.value.hasErrors;
  const isRefused = reading.kind === 'unread' && reading.isRefusal;
  if (!isWhole && !isRefused && !isLast) {
    const middle = Math.ceil(batch.length / 2);
    const halves = [batch.slice(0, middle), batch.slice(middle)];
    const read = await inParallel(halves, 1, (half) => readBatch(half, halvings + 1, deps));
    return new Map(read.flatMap((entries) => [...entries]));
  }
  if (reading.kind === 'unread') {
    return new Map(batch.map(({ sha }) => [sha, reading]));
  }
  const { readBlobText } = await import('./graphql-schema.ts');
  const entries = batch.flatMap(({ sha }, index) => {
    const text = readBlobText(reading.value.fields.get(`b${index}`));
    return text === undefined ? [] : [[sha, text] as const];
  });
  return new Map(entries);
}

/** The fields that `readBlobText` reads. */
const blobFields = '... on Blob { text isBinary isTruncated }';

async function readSingly(
  blobs: readonly Blob[],
  texts: Map<string, BlobText>,
  deps: RepositoryDeps,
): Promise<void> {
  const { readRestBlob } = await import('./graphql-schema.ts');
  await inParallel(blobs.slice(0, mostSingleRequests), requestsAtOnce, async ({ sha }) => {
    const reading = await readFrom(deps, 'git/blobs/{file_sha}', { file_sha: sha }, readRestBlob);
    texts.set(sha, reading.kind === 'read' ? reading.value : reading);
  });
  const problem = 'reading it would take too many requests';
  for (const { sha } of blobs.slice(mostSingleRequests)) {
    texts.set(sha, { kind: 'unread', problem, isRefusal: false });
  }
}
