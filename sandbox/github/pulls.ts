import * as v from 'valibot';
import type { Answer } from '../service/http.ts';
import { type Change, readChange } from './change.ts';
import { githubClient, type Pull, pullSchema } from './client.ts';
import { buildMerge } from './merge.ts';
import { pullPage } from './page.ts';
import type { Call, PassOn, Rule } from './rule.ts';
import { tokenOf } from './seed.ts';

const REPOSITORY = '/repos/([^/]+/[^/]+)';

/**
 * Pull requests as GitHub keeps them. emulate takes down a pull request's commit when it is opened
 * and never looks again: commits that follow are neither shown nor merged. It counts no files, and
 * merging gives the base branch exactly the files of the head, so that what was merged in between
 * is lost.
 */
export function pullRules(behind: string, passOn: PassOn): Rule[] {
  const reader = githubClient(behind, tokenOf('owner'));
  /** What merged pull requests changed, by URL: afterwards it cannot be found out any more. */
  const merged = new Map<string, Change>();

  async function changeOf(repository: string, pull: Pull): Promise<Change> {
    return merged.get(pull.html_url) ?? (await readChange(reader, repository, pull));
  }

  async function correct(repository: string, listed: unknown): Promise<unknown> {
    const change = await changeOf(repository, v.parse(pullSchema, listed));
    return corrected(listed, change);
  }

  async function merge(call: Call, repository: string, number: number): Promise<Answer> {
    const pull = await reader.getPull(repository, number);
    const change = await changeOf(repository, pull);
    const { sha, ...wishes } = v.parse(mergeBody, JSON.parse(call.body || '{}'));
    if (pull.state !== 'open' || !change.mergeable) {
      return { status: 405, body: { message: 'Pull Request is not mergeable' } };
    }
    if (sha !== undefined && sha !== change.headSha) {
      const message = 'Head branch was modified. Review and try the merge again.';
      return { status: 409, body: { message } };
    }
    const client = githubClient(behind, call.token ?? '');
    const { mergeSha, publish } = await buildMerge(client, repository, pull, change, wishes);
    const answer = await passOn({ ...call, body: JSON.stringify(wishes) });
    if (answer.status !== 200) {
      return answer;
    }
    await publish(reader);
    merged.set(pull.html_url, { ...change, mergeable: false, mergeSha });
    const message = 'Pull Request successfully merged';
    return { status: 200, body: { sha: mergeSha, merged: true, message } };
  }

  return [
    {
      method: 'GET',
      path: new RegExp(`^${REPOSITORY}/pulls$`),
      answer: async (call, [repository = '']) =>
        changed(await passOn(call), v.array(v.unknown()), (pulls) =>
          Promise.all(pulls.map((pull) => correct(repository, pull))),
        ),
    },
    {
      method: 'GET',
      path: new RegExp(`^${REPOSITORY}/pulls/\\d+$`),
      answer: async (call, [repository = '']) =>
        changed(await passOn(call), v.unknown(), (pull) => correct(repository, pull)),
    },
    {
      method: 'GET',
      path: new RegExp(`^${REPOSITORY}/pulls/(\\d+)/files$`),
      answer: async (_, [repository = '', number]) => {
        const pull = await reader.getPull(repository, Number(number));
        return { status: 200, body: (await changeOf(repository, pull)).files };
      },
    },
    {
      method: 'PUT',
      path: new RegExp(`^${REPOSITORY}/pulls/(\\d+)/merge$`),
      answer: (call, [repository = '', number]) => merge(call, repository, Number(number)),
    },
    {
      method: 'GET',
      path: /^\/([^/]+\/[^/]+)\/pull\/(\d+)$/,
      answer: async (_, [repository = '', number]) => {
        const pull = await reader.getPull(repository, Number(number));
        return { status: 200, body: pullPage(repository, pull, await changeOf(repository, pull)) };
      },
    },
  ];
}

const mergeBody = v.looseObject({
  sha: v.optional(v.string()),
  merge_method: v.optional(v.string()),
  commit_title: v.optional(v.string()),
});

function corrected(listed: unknown, { headSha, commits, files, mergeable, mergeSha }: Change) {
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

/** Changes the JSON of a good answer; any other answer stays as it is. */
async function changed<T>(
  answer: Answer,
  schema: v.GenericSchema<unknown, T>,
  change: (body: T) => Promise<unknown>,
): Promise<Answer> {
  if (answer.status !== 200) {
    return answer;
  }
  return { ...answer, body: await change(v.parse(schema, JSON.parse(String(answer.body)))) };
}
