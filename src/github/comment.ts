import {
  chooseComment,
  type SearchWorld,
  type SignedComment,
  searchComments,
} from './comment-search.ts';
import { readIdentity } from './identity.ts';
import type { Marker } from './marker.ts';
import type { GitHubResponse } from './request.ts';
import {
  describeResponse,
  isRefusal,
  isSuccess,
  mayPass,
  repositoryParameters,
  sendAgain,
} from './send.ts';

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
   * @param text Markdown; the line about earlier pull requests and the marker are added here
   * @param jobId empty while the comment tells of no job
   * @param link of the job's pull request; empty while there is none
   */
  write(text: string, jobId: string, link: string): Promise<Written>;
}

/** A pull request of an earlier job that the comment told of. */
export interface EarlierPull {
  readonly link: string;
  /** False where nobody can tell. */
  readonly isOpen: boolean;
}

/** What to make of the pull requests of earlier jobs when their news is written over. */
export interface Earlier {
  /** Leaves out those that are closed. Never throws. */
  review(links: readonly string[]): Promise<readonly EarlierPull[]>;
  /** One line of Markdown; empty for none. */
  describe(pulls: readonly EarlierPull[]): string;
}

export interface CommentWorld extends SearchWorld {
  /** Address for GraphQL queries; empty for none. */
  readonly graphqlUrl: string;
  /** The key that a new comment gets. */
  readonly key: string;
  /** Run and attempt, such as `1001.2`. */
  readonly run: string;
  readonly earlier: Earlier;
}

/** A comment is no archive. */
const mostEarlier = 5;

const timeoutMs = 10_000;

/** A comment whose creation was not answered may take a moment to be listed. */
const settleMs = 1000;

/** The comment's id and key, and what it told before; remembered within one run. */
interface Home {
  readonly id: number;
  readonly key: string;
  /** The job's link as the comment has it. */
  readonly link: string;
  readonly earlier: readonly EarlierPull[];
}

/** A creation that was not answered: the comment may stand, or not. */
interface Lost {
  readonly kind: 'lost';
  readonly exchange: GitHubResponse;
}

export function createCommentKeeper(world: CommentWorld): CommentKeeper {
  let home: Home | undefined;
  let identity: Promise<string | undefined> | undefined;
  let wasLost = false;

  const create = async (text: string, marker: Marker): Promise<Written | Lost> => {
    const exchange = await post(text, marker, world);
    const { readCommentId } = await import('./response-schema.ts');
    const id = isSuccess(exchange) ? readCommentId(exchange.body) : undefined;
    if (id !== undefined) {
      home = { id, key: marker.key, link: marker.link, earlier: [] };
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
      home = await takeOver(chosen, marker, world);
      return await update(home, text, marker, world);
    }
    return wasLost && found.comments.some((comment) => isAlike(comment, marker))
      ? { kind: 'failed', problem: 'GitHub does not tell whose token this is', isRefusal: false }
      : await create(text, marker);
  };

  return {
    async write(text, jobId, link) {
      const marker = { key: world.key, jobId, run: world.run, link, earlier: [] };
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

/** What stays of a comment that is gone on in; the news of another job makes way for ours. */
async function takeOver(
  { id, marker }: SignedComment,
  { jobId }: Marker,
  { earlier }: CommentWorld,
): Promise<Home> {
  const isSameJob = marker.jobId === jobId;
  const links = isSameJob ? marker.earlier : [marker.link, ...marker.earlier];
  const kept = [...new Set(links)].filter((link) => link !== '').slice(0, mostEarlier);
  return {
    id,
    key: marker.key,
    link: isSameJob ? marker.link : '',
    earlier: kept.length === 0 ? [] : await earlier.review(kept),
  };
}

function isAlike({ marker }: SignedComment, { key, jobId, run }: Marker): boolean {
  return marker.key === key && marker.jobId === jobId && marker.run === run;
}

function post(text: string, marker: Marker, world: CommentWorld): Promise<GitHubResponse> {
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
  home: Home,
  text: string,
  marker: Marker,
  { session, place, signer, signal, pause, earlier }: CommentWorld,
): Promise<Written> {
  const link = marker.link || home.link;
  const pulls = home.earlier.filter((pull) => pull.link !== link);
  const line = earlier.describe(pulls);
  const signed = { ...marker, key: home.key, link, earlier: pulls.map((pull) => pull.link) };
  const call = {
    route: 'PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}',
    parameters: {
      ...repositoryParameters(place.repository),
      comment_id: home.id,
      body: `${text}\n${line === '' ? '' : `${line}\n\n`}${signer.write(signed, place)}\n`,
    },
    timeoutMs,
    signal,
  };
  const exchange = await sendAgain(session, call, pause);
  return isSuccess(exchange) ? { kind: 'written' } : await failed(exchange);
}

async function failed(exchange: GitHubResponse): Promise<Written> {
  return {
    kind: 'failed',
    problem: await describeResponse(exchange),
    isRefusal: isRefusal(exchange),
  };
}
