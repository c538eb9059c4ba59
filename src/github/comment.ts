import {
  chooseComment,
  readTokenOwner,
  type SignedComment,
  searchComments,
} from './comment-search.ts';
import type { Marker } from './marker.ts';
import {
  type CommentDeps,
  failed,
  type OwnComment,
  post,
  takeOver,
  update,
  type Written,
} from './own-comment.ts';
import { type GitHubResponse, isSuccess, isTemporary, type RequestFailure } from './request.ts';

/** The content of the comment. */
export interface Content {
  /** Markdown; the line about earlier pull requests and the marker are added later. */
  readonly text: string;
  /** Empty while the comment is about no job. */
  readonly jobId: string;
  /** Of the job's pull request; empty while there is none. */
  readonly link: string;
  /** What a re-run needs to know, as one word; empty for nothing. */
  readonly record: string;
}

/** The records that earlier attempts left in comments of a thread. */
export type RecordSearch =
  | {
      readonly kind: 'found';
      readonly records: readonly string[];
      /** Whether a comment claims to be this step's, and its signature is not ours. */
      readonly hasForged: boolean;
    }
  | ({ readonly kind: 'failed' } & RequestFailure);

/** The one comment of a step on an issue or pull request. */
export interface CommentKeeper {
  /** Updates the comment, or creates it. */
  write(content: Content): Promise<Written>;
  /** Finds the records of all steps in the thread, and of all their runs: steps can share a comment. */
  findRecords(signal: AbortSignal): Promise<RecordSearch>;
}

/** GitHub may need a moment to list a comment whose creation got no response. */
const settleMs = 1000;

/** GitHub did not confirm the creation: the comment may exist or not. */
interface Unconfirmed {
  readonly kind: 'unconfirmed';
  readonly response: GitHubResponse;
}

export function createCommentKeeper(deps: CommentDeps): CommentKeeper {
  let own: OwnComment | undefined;
  let tokenOwner: Promise<string | undefined> | undefined;
  let wasUnconfirmed = false;

  const create = async (text: string, marker: Marker): Promise<Written | Unconfirmed> => {
    const response = await post(text, marker, deps);
    const { readCommentId } = await import('./response-schema.ts');
    const id = isSuccess(response) ? readCommentId(response.body) : undefined;
    if (id !== undefined) {
      own = { id, key: marker.key, link: marker.link, earlier: [], records: marker.records };
      return { kind: 'written' };
    }
    wasUnconfirmed = isSuccess(response) || isTemporary(response);
    return wasUnconfirmed ? { kind: 'unconfirmed', response } : await failed(response);
  };

  const updateOrCreate = async (text: string, marker: Marker): Promise<Written | Unconfirmed> => {
    tokenOwner ??= readTokenOwner(deps.graphqlUrl, deps).catch(() => undefined);
    const search = await searchComments(deps, tokenOwner);
    if (search.kind === 'unread') {
      return { ...search, kind: 'failed' };
    }
    const chosen = chooseComment(search.comments, marker);
    if (chosen !== undefined) {
      own = await takeOver(chosen, marker, deps);
      return await update(own, text, marker, deps);
    }
    return wasUnconfirmed && search.comments.some((comment) => isSame(comment, marker))
      ? {
          kind: 'failed',
          problem: 'GitHub does not say which user github-token belongs to',
          isRefusal: false,
        }
      : await create(text, marker);
  };

  return {
    async write({ text, jobId, link, record }) {
      const { key, run } = deps;
      const records = record === '' ? [] : [record];
      const marker = { key, jobId, run, link, earlier: [], records };
      if (own !== undefined) {
        return await update(own, text, marker, deps);
      }
      const first = await updateOrCreate(text, marker);
      if (first.kind !== 'unconfirmed') {
        return first;
      }
      // The comment may exist all the same: search for it before another one is created.
      await deps.clock.sleep(settleMs, deps.signal);
      const second = await updateOrCreate(text, marker);
      return second.kind === 'unconfirmed' ? await failed(second.response) : second;
    },
    async findRecords(signal) {
      const both = AbortSignal.any([signal, deps.signal]);
      const search = await searchComments({ ...deps, signal: both }, Promise.resolve(undefined));
      if (search.kind === 'unread') {
        return { ...search, kind: 'failed' };
      }
      const records = search.comments.flatMap(({ marker }) => marker.records);
      return { kind: 'found', records, hasForged: search.hasForged };
    },
  };
}

function isSame({ marker }: SignedComment, { key, jobId, run }: Marker): boolean {
  return marker.key === key && marker.jobId === jobId && marker.run === run;
}
