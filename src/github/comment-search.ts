import type { Marker, MarkerPlace, MarkerSigner } from './marker.ts';
import type { GitHubResponse, Session } from './request.ts';
import type { ListedComment } from './response-schema.ts';
import { isSuccess, type Pause, repositoryParameters, sendAgain } from './send.ts';

/** A comment whose marker this API key signed for this place. */
export interface SignedComment {
  readonly id: number;
  readonly marker: Marker;
  /** Whether our own token wrote it; no other comment is ever changed. */
  readonly isOwn: boolean;
}

/** What a search through all comments brought. */
export type Search =
  /** Oldest first. */
  | { readonly kind: 'found'; readonly comments: readonly SignedComment[] }
  | { readonly kind: 'failed'; readonly failure: GitHubResponse };

export interface SearchWorld {
  readonly session: Session;
  readonly signer: MarkerSigner;
  readonly place: MarkerPlace;
  readonly pause: Pause;
  readonly signal: AbortSignal;
}

const timeoutMs = 10_000;
const pageSize = 100;

/**
 * Searches all pages of a thread's comments for markers that verify.
 * @param identity whose comments are our own; `undefined` when nobody knows, and then none is
 */
export async function searchComments(
  world: SearchWorld,
  identity: Promise<string | undefined>,
): Promise<Search> {
  const { readComments } = await import('./response-schema.ts');
  const comments: ListedComment[] = [];
  for (let page = 1; ; page += 1) {
    const exchange = await listPage(world, page);
    const listed = isSuccess(exchange) ? readComments(exchange.body) : undefined;
    if (listed === undefined) {
      return { kind: 'failed', failure: exchange };
    }
    comments.push(...listed);
    if (listed.length < pageSize) {
      return { kind: 'found', comments: verify(comments, await identity, world) };
    }
  }
}

function listPage(
  { session, place, pause, signal }: SearchWorld,
  page: number,
): Promise<GitHubResponse> {
  const call = {
    route: 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments',
    parameters: {
      ...repositoryParameters(place.repository),
      issue_number: place.threadNumber,
      per_page: pageSize,
      page,
    },
    timeoutMs,
    signal,
  };
  return sendAgain(session, call, pause);
}

function verify(
  comments: readonly ListedComment[],
  identity: string | undefined,
  { signer, place }: SearchWorld,
): readonly SignedComment[] {
  return comments.flatMap(({ id, author, body }) => {
    const marker = signer.read(body, place);
    const isOwn = author !== '' && author.toLowerCase() === identity?.toLowerCase();
    return marker === undefined ? [] : [{ id, marker, isOwn }];
  });
}

/**
 * The comment to go on in: the one that tells of this very job, else the last that this step kept.
 *
 * A comment that this same run wrote about another job is a sibling's: the legs of a matrix share
 * workflow, job and step.
 */
export function chooseComment(
  comments: readonly SignedComment[],
  wanted: Marker,
): SignedComment | undefined {
  const own = comments.filter(({ isOwn }) => isOwn);
  const isSibling = ({ run, jobId }: Marker): boolean =>
    run === wanted.run && jobId !== wanted.jobId;
  return (
    own.findLast(({ marker }) => wanted.jobId !== '' && marker.jobId === wanted.jobId) ??
    own.findLast(({ marker }) => marker.key === wanted.key && !isSibling(marker))
  );
}
