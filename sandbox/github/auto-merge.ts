import * as v from 'valibot';
import type { HttpResponse } from '../http.ts';
import { GitHubError, githubClient, type Pull } from './client.ts';
import type { Forward, ProxiedRequest, Route } from './route.ts';
import { tokenOf } from './seed.ts';

/** A request to merge a pull request, now or as soon as it is approved. */
export interface MergeRequest {
  readonly repository: string;
  readonly number: number;
  /** The token of the person who merges. */
  readonly token: string;
  readonly method: 'merge' | 'squash' | 'rebase';
  /** The expected head commit; any by default. */
  readonly sha?: string | undefined;
}

/** Merges pull requests at once, which emulate can do, or when a required review is given. */
export interface AutoMerge {
  /** Reads a pull request, and whether it lacks a required review. */
  read(
    request: Pick<MergeRequest, 'repository' | 'number' | 'token'>,
  ): Promise<[pull: Pull, isBlocked: boolean]>;
  /** @throws {GitHubError} When GitHub refuses. */
  mergeNow(request: MergeRequest): Promise<void>;
  /** @throws {GitHubError} When the pull request can be merged now, or has another head. */
  mergeOnceApproved(request: MergeRequest): Promise<void>;
  /** @throws {GitHubError} When it is not switched on. */
  stop(request: Pick<MergeRequest, 'repository' | 'number'>): void;
  readonly routes: readonly Route[];
}

const protectionSchema = v.object({ required_approving_review_count: v.number() });
const reviewsSchema = v.array(
  v.object({ state: v.string(), user: v.object({ login: v.string() }) }),
);

/**
 * @param proxyUrl The address of the local GitHub.
 * @param emulateUrl The address of emulate.
 */
export function autoMerge(proxyUrl: string, emulateUrl: string, forward: Forward): AutoMerge {
  const owner = githubClient(emulateUrl, tokenOf('owner'));
  const pending = new Map<string, MergeRequest>();

  async function isBlocked(repository: string, { number, base }: Pull): Promise<boolean> {
    const protection = `/repos/${repository}/branches/${base.ref}/protection/required_pull_request_reviews`;
    const needed = await owner.request('GET', protection, protectionSchema).catch(() => undefined);
    const path = `/repos/${repository}/pulls/${number}/reviews`;
    const reviews = await owner.request('GET', path, reviewsSchema);
    const approvals = reviews.filter(({ state }) => state === 'APPROVED');
    const approvers = new Set(approvals.map(({ user }) => user.login));
    return approvers.size < (needed?.required_approving_review_count ?? 0);
  }

  const read: AutoMerge['read'] = async ({ repository, number, token }) => {
    const pull = await githubClient(proxyUrl, token).getPull(repository, number);
    return [pull, await isBlocked(repository, pull)];
  };

  const mergeNow: AutoMerge['mergeNow'] = async ({ repository, number, token, method, sha }) => {
    const body = { merge_method: method, ...(sha === undefined ? {} : { sha }) };
    const path = `/repos/${repository}/pulls/${number}/merge`;
    await githubClient(proxyUrl, token).request('PUT', path, v.unknown(), body);
  };

  /** Adds a review, and merges the pull request if it was the last one missing. */
  async function review(
    request: ProxiedRequest,
    repository: string,
    number: number,
  ): Promise<HttpResponse> {
    const response = await forward(request);
    const merge = pending.get(`${repository}#${number}`);
    if (merge !== undefined && !(await read(merge))[1]) {
      pending.delete(`${repository}#${number}`);
      await mergeNow(merge);
    }
    return response;
  }

  return {
    read,
    mergeNow,
    async mergeOnceApproved(request) {
      const [{ head }, isBlockedNow] = await read(request);
      if (request.sha !== undefined && request.sha !== head.sha) {
        throw new GitHubError('Automatic merge', 409, 'Head branch was modified');
      }
      if (!isBlockedNow) {
        throw new GitHubError('Automatic merge', 422, 'Pull request is in clean status');
      }
      // GitHub compares the head here, and not again when it merges.
      pending.set(`${request.repository}#${request.number}`, { ...request, sha: undefined });
    },
    stop({ repository, number }) {
      if (!pending.delete(`${repository}#${number}`)) {
        throw new GitHubError('Automatic merge', 422, 'Auto-merge is not enabled');
      }
    },
    routes: [
      {
        method: 'POST',
        path: /^\/repos\/([^/]+\/[^/]+)\/pulls\/(\d+)\/reviews$/,
        handle: (request, [repository = '', number]) => review(request, repository, Number(number)),
      },
    ],
  };
}
