import * as v from 'valibot';
import type { Answer } from '../service/http.ts';
import { GitHubError, githubClient, type Pull } from './client.ts';
import type { Call, PassOn, Rule } from './rule.ts';
import { tokenOf } from './seed.ts';

/** A wish to merge a pull request, now or as soon as its reviews allow it. */
export interface MergeWish {
  readonly repository: string;
  readonly number: number;
  /** Whoever wishes is the one who merges. */
  readonly token: string;
  readonly method: 'merge' | 'squash' | 'rebase';
  /** The head that the wish is about; whatever it is when left out. */
  readonly sha?: string | undefined;
}

/** Merging behind a required review, which emulate checks but does not wait for. */
export interface AutoMerge {
  /** Reads a pull request, and whether a required review is missing. */
  look(wish: Pick<MergeWish, 'repository' | 'number' | 'token'>): Promise<[Pull, boolean]>;
  /** @throws {GitHubError} When GitHub refuses. */
  mergeNow(wish: MergeWish): Promise<void>;
  /** @throws {GitHubError} When nothing keeps it from being merged now, or its head is another. */
  mergeOnceApproved(wish: MergeWish): Promise<void>;
  readonly rules: readonly Rule[];
}

const protectionSchema = v.object({ required_approving_review_count: v.number() });
const reviewsSchema = v.array(
  v.object({ state: v.string(), user: v.object({ login: v.string() }) }),
);

/**
 * @param front Where requests are answered as GitHub does.
 * @param behind Where emulate listens.
 */
export function autoMerge(front: string, behind: string, passOn: PassOn): AutoMerge {
  const owner = githubClient(behind, tokenOf('owner'));
  const wishes = new Map<string, MergeWish>();

  async function isBlocked(repository: string, { number, base }: Pull): Promise<boolean> {
    const rule = `/repos/${repository}/branches/${base.ref}/protection/required_pull_request_reviews`;
    const needed = await owner.request('GET', rule, protectionSchema).catch(() => undefined);
    const path = `/repos/${repository}/pulls/${number}/reviews`;
    const reviews = await owner.request('GET', path, reviewsSchema);
    const approvals = reviews.filter(({ state }) => state === 'APPROVED');
    const approvers = new Set(approvals.map(({ user }) => user.login));
    return approvers.size < (needed?.required_approving_review_count ?? 0);
  }

  const look: AutoMerge['look'] = async ({ repository, number, token }) => {
    const pull = await githubClient(front, token).getPull(repository, number);
    return [pull, await isBlocked(repository, pull)];
  };

  const mergeNow: AutoMerge['mergeNow'] = async ({ repository, number, token, method, sha }) => {
    const body = { merge_method: method, ...(sha === undefined ? {} : { sha }) };
    const path = `/repos/${repository}/pulls/${number}/merge`;
    await githubClient(front, token).request('PUT', path, v.unknown(), body);
  };

  /** An approval may be all that was waited for. */
  async function review(call: Call, repository: string, number: number): Promise<Answer> {
    const answer = await passOn(call);
    const wish = wishes.get(`${repository}#${number}`);
    if (wish !== undefined && !(await look(wish))[1]) {
      wishes.delete(`${repository}#${number}`);
      await mergeNow(wish);
    }
    return answer;
  }

  return {
    look,
    mergeNow,
    async mergeOnceApproved(wish) {
      const [{ head }, blocked] = await look(wish);
      if (wish.sha !== undefined && wish.sha !== head.sha) {
        throw new GitHubError('Automatic merge', 409, 'Head branch was modified');
      }
      if (!blocked) {
        throw new GitHubError('Automatic merge', 422, 'Pull request is in clean status');
      }
      // GitHub compares the head now, not when it merges.
      wishes.set(`${wish.repository}#${wish.number}`, { ...wish, sha: undefined });
    },
    rules: [
      {
        method: 'POST',
        path: /^\/repos\/([^/]+\/[^/]+)\/pulls\/(\d+)\/reviews$/,
        answer: (call, [repository = '', number]) => review(call, repository, Number(number)),
      },
    ],
  };
}
