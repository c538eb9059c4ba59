import * as v from 'valibot';
import type { HttpResponse } from '../http.ts';
import { githubClient, type Pull, pullSchema } from './client.ts';
import { buildMerge } from './merge.ts';
import { type PullDiff, readDiff } from './pull-diff.ts';
import { pullPage } from './pull-page.ts';
import type { Forward, ProxiedRequest, Route } from './route.ts';
import { tokenOf } from './seed.ts';

const REPOSITORY = '/repos/([^/]+/[^/]+)';

/**
 * Pull requests that behave as on GitHub. emulate stores the head commit of a pull request when it is
 * opened, so it neither shows nor merges later commits. It does not count files, and its merge gives
 * the base branch exactly the files of the head, which loses everything that was merged in between.
 */
export function pullRoutes(emulateUrl: string, forward: Forward): Route[] {
  const reader = githubClient(emulateUrl, tokenOf('owner'));
  /** The diffs of merged pull requests, by URL. They cannot be read after the merge. */
  const merged = new Map<string, PullDiff>();

  async function diffOf(repository: string, pull: Pull): Promise<PullDiff> {
    return merged.get(pull.html_url) ?? (await readDiff(reader, repository, pull));
  }

  async function correct(repository: string, listed: unknown): Promise<unknown> {
    return corrected(listed, await diffOf(repository, v.parse(pullSchema, listed)));
  }

  async function merge(
    request: ProxiedRequest,
    repository: string,
    number: number,
  ): Promise<HttpResponse> {
    const pull = await reader.getPull(repository, number);
    const diff = await diffOf(repository, pull);
    const { sha, ...options } = v.parse(mergeBody, JSON.parse(request.body || '{}'));
    if (pull.state !== 'open' || !diff.mergeable) {
      return { status: 405, body: { message: 'Pull Request is not mergeable' } };
    }
    if (sha !== undefined && sha !== diff.headSha) {
      const message = 'Head branch was modified. Review and try the merge again.';
      return { status: 409, body: { message } };
    }
    const client = githubClient(emulateUrl, request.token ?? '');
    const { mergeSha, publish } = await buildMerge(client, repository, pull, diff, options);
    const response = await forward({ ...request, body: JSON.stringify(options) });
    if (response.status !== 200) {
      return response;
    }
    await publish(reader);
    merged.set(pull.html_url, { ...diff, mergeable: false, mergeSha });
    const message = 'Pull Request successfully merged';
    return { status: 200, body: { sha: mergeSha, merged: true, message } };
  }

  return [
    {
      method: 'GET',
      path: new RegExp(`^${REPOSITORY}/pulls$`),
      handle: async (request, [repository = '']) =>
        withBody(await forward(request), v.array(v.unknown()), (pulls) =>
          Promise.all(pulls.map((pull) => correct(repository, pull))),
        ),
    },
    {
      method: 'GET',
      path: new RegExp(`^${REPOSITORY}/pulls/\\d+$`),
      handle: async (request, [repository = '']) =>
        withBody(await forward(request), v.unknown(), (pull) => correct(repository, pull)),
    },
    {
      method: 'GET',
      path: new RegExp(`^${REPOSITORY}/pulls/(\\d+)/files$`),
      handle: async (_, [repository = '', number]) => {
        const pull = await reader.getPull(repository, Number(number));
        return { status: 200, body: (await diffOf(repository, pull)).files };
      },
    },
    {
      method: 'PUT',
      path: new RegExp(`^${REPOSITORY}/pulls/(\\d+)/merge$`),
      handle: (request, [repository = '', number]) => merge(request, repository, Number(number)),
    },
    {
      method: 'GET',
      path: /^\/([^/]+\/[^/]+)\/pull\/(\d+)$/,
      handle: async (_, [repository = '', number]) => {
        const pull = await reader.getPull(repository, Number(number));
        return { status: 200, body: pullPage(repository, pull, await diffOf(repository, pull)) };
      },
    },
  ];
}

const mergeBody = v.looseObject({
  sha: v.optional(v.string()),
  merge_method: v.optional(v.string()),
  commit_title: v.optional(v.string()),
});

/** The fields of a pull request that emulate gets wrong, or lacks. */
function corrected(listed: unknown, { headSha, commits, files, mergeable, mergeSha }: PullDiff) {
  const pull = v.parse(v.looseObject({ head: v.looseObject({}) }), listed);
  return {
    ...pull,
    head: { ...pull.head, sha: headSha },
    commits,
    changed_files: files.length,
    additions: files.reduce((sum, { additions }) => sum + additions, 0),
    deletions: files.reduce((sum, { deletions }) => sum + deletions, 0),
    mergeable,
    ...(mergeSha === undefined ? {} : { merge_commit_sha: mergeSha }),
  };
}

/** Replaces the body of a response with the status 200. */
async function withBody<T>(
  response: HttpResponse,
  schema: v.GenericSchema<unknown, T>,
  change: (body: T) => Promise<unknown>,
): Promise<HttpResponse> {
  if (response.status !== 200) {
    return response;
  }
  return { ...response, body: await change(v.parse(schema, JSON.parse(String(response.body)))) };
}
