import type { Exchange } from './call.ts';
import {
  chooseComment,
  type SearchWorld,
  type SignedComment,
  searchComments,
} from './comment-search.ts';
import {
  describeExchange,
  exchangeAgain,
  isRefusal,
  isSuccess,
  mayPass,
  repositoryParameters,
} from './exchange.ts';
import { readIdentity } from './identity.ts';
import type { Marker } from './marker.ts';

/** What came of writing the comment. */
export type Written =
  | { readonly kind: 'written' }
  | {
      readonly kind: 'failed';
      /** A main clause. */
      readonly problem: string;
      /** Whether GitHub refused, which another permission may mend. */
      readonly isRefusal: boolean;
    };

/** The one comment of a step on an issue or pull request. */
export interface CommentKeeper {
  /**
   * Brings the comment up to date where it stands, or creates it.
   *
   * @param text Markdown; the marker is added here
   * @param jobId empty while the comment tells of no job
   */
  write(text: string, jobId: string): Promise<Written>;
}

export interface CommentWorld extends SearchWorld {
  /** Address for GraphQL queries; empty for none. */
  readonly graphqlUrl: string;
  /** The key that a new comment gets. */
  readonly key: string;
  /** Run and attempt, such as `1001.2`. */
  readonly run: string;
}

const timeoutMs = 10_000;

/** A comment whose creation was not answered may take a moment to be listed. */
const settleMs = 1000;

/** The comment's id and key, remembered within one run. */
interface Home {
  readonly id: number;
  readonly key: string;
}

/** A creation that was not answered: the comment may stand, or not. */
interface Lost {
  readonly kind: 'lost';
  readonly exchange: Exchange;
}

export function createCommentKeeper(world: CommentWorld): CommentKeeper {
  let home: Home | undefined;
  let identity: Promise<string | undefined> | undefined;
  let wasLost = false;

  const create = async (text: string, marker: Marker): Promise<Written | Lost> => {
    const exchange = await post(text, marker, world);
    const { readCommentId } = await import('./answer-schema.ts');
    const id = isSuccess(exchange) ? readCommentId(exchange.body) : undefined;
    if (id !== undefined) {
      home = { id, key: marker.key };
      return { kind: 'written' };
    }
    wasLost = isSuccess(exchange) || mayPass(exchange);
    return wasLost ? { kind: 'lost', exchange } : await failed(exchange);
  };

  const findOrCreate = async (text: string, marker: Marker): Promise<Written | Lost> => {
    identity ??= readIdentity(world).catch(() => undefined);
    const found = await searchComments(world, identity);
    if (found.kind === 'failed') {
      return await failed(found.failure);
    }
    const chosen = chooseComment(found.comments, marker);
    if (chosen !== undefined) {
      home = { id: chosen.id, key: chosen.marker.key };
      return await update(home, text, marker, world);
    }
    return wasLost && found.comments.some((comment) => isAlike(comment, marker))
      ? { kind: 'failed', problem: 'GitHub does not tell whose token this is', isRefusal: false }
      : await create(text, marker);
  };

  return {
    async write(text, jobId) {
      const marker = { key: world.key, jobId, run: world.run };
      if (home !== undefined) {
        return await update(home, text, marker, world);
      }
      const first = await findOrCreate(text, marker);
      if (first.kind !== 'lost') {
        return first;
      }
      // The answer was lost, the comment perhaps not: it is looked for before one is posted again.
      await world.pause(settleMs);
      const second = await findOrCreate(text, marker);
      return second.kind === 'lost' ? await failed(second.exchange) : second;
    },
  };
}

function isAlike({ marker }: SignedComment, { key, jobId, run }: Marker): boolean {
  return marker.key === key && marker.jobId === jobId && marker.run === run;
}

function post(text: string, marker: Marker, world: CommentWorld): Promise<Exchange> {
  const { session, place, signer, signal } = world;
  return session.exchange({
    route: 'POST /repos/{owner}/{repo}/issues/{issue_number}/comments',
    parameters: {
      ...repositoryParameters(place.repository),
      issue_number: place.threadNumber,
      body: `${text}\n${signer.write(marker, place)}\n`,
    },
    timeoutMs,
    signal,
  });
}

/** A comment keeps the key that it was created with, so that its own step finds it next time. */
async function update(
  { id, key }: Home,
  text: string,
  marker: Marker,
  { session, place, signer, signal, pause }: CommentWorld,
): Promise<Written> {
  const call = {
    route: 'PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}',
    parameters: {
      ...repositoryParameters(place.repository),
      comment_id: id,
      body: `${text}\n${signer.write({ ...marker, key }, place)}\n`,
    },
    timeoutMs,
    signal,
  };
  const exchange = await exchangeAgain(session, call, pause);
  return isSuccess(exchange) ? { kind: 'written' } : await failed(exchange);
}

async function failed(exchange: Exchange): Promise<Written> {
  return {
    kind: 'failed',
    problem: await describeExchange(exchange),
    isRefusal: isRefusal(exchange),
  };
}
