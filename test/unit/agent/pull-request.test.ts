import { describe, expect, it } from 'vitest';
import { learnPullRequest } from '../../../src/agent/pull-request.ts';
import { type Result, resultOfJob } from '../../../src/agent/result.ts';
import type { State } from '../../../src/agent/state.ts';
import { createStateStore } from '../../../src/common/state-store.ts';
import type { GitHub } from '../../../src/github/client.ts';
import type { GitHubResponse } from '../../../src/github/request.ts';
import type { Runner } from '../../../src/runner/runner.ts';
import { fakeSession, githubResponse } from '../../helpers/fake-github.ts';
import { type FakeRunner, fakeRunner } from '../../helpers/fake-runner.ts';
import { job, pullRequest } from '../../helpers/jobs.ts';

const here = new URL(pullRequest.url).origin;
const ended = job({ status: 'completed', pullRequest });

interface Lesson {
  readonly runner?: FakeRunner;
  readonly clock?: Partial<Runner['clock']>;
  readonly result?: Result;
  readonly docsToken?: string;
  readonly respond?: (request: string) => GitHubResponse;
}

/** What the state has about the pull request. By default, GitHub fails. */
async function learn({
  runner = fakeRunner({ GITHUB_SERVER_URL: here }),
  clock = {},
  result = resultOfJob(ended),
  docsToken = 'token',
  respond = () => githubResponse(503),
}: Lesson) {
  const session = fakeSession(({ request }) => respond(request));
  const github: GitHub = { graphqlUrl: '', as: () => session, close: async () => {} };
  const state = createStateStore<State>({ job: ended }, () => {});
  await learnPullRequest(
    result,
    { docsToken, githubToken: '' },
    {
      runner: { ...runner, clock: { ...runner.clock, ...clock } },
      state,
      github,
    },
  );
  const { link, pullRequest: learnt } = state.current;
  return { link, learnt, told: runner.told, requests: session.seen.map(({ request }) => request) };
}

const pull = 'GET /repos/acme/docs/pulls/12';
const unknown = 'info: The title and files of pull request acme/docs#12 could not be read, because';

describe('the pull request of a job that has ended', () => {
  it('is read, with its first files', async () => {
    const { link, learnt, told } = await learn({
      respond: (request) =>
        request.endsWith('/files')
          ? githubResponse(200, [{ filename: 'cli.mdx' }, { filename: 'api.mdx' }])
          : githubResponse(200, {
              title: 'Document --watch',
              head: { ref: 'docs-agent/job_1', sha: 'a1' },
              base: { ref: 'main', repo: { private: false } },
              changed_files: 2,
              additions: 12,
              deletions: 1,
            }),
    });
    expect(link).toEqual(pullRequest);
    expect(learnt).toEqual({
      title: 'Document --watch',
      branch: 'docs-agent/job_1',
      base: 'main',
      headSha: 'a1',
      isOpen: true,
      isPublic: true,
      changedFiles: 2,
      additions: 12,
      deletions: 1,
      files: ['cli.mdx', 'api.mdx'],
    });
    expect(told).toEqual([]);
  });

  it('only has a link if it is on another server', async () => {
    const runner = fakeRunner({ GITHUB_SERVER_URL: 'https://ghe.example' });
    const { link, learnt, requests, told } = await learn({ runner });
    expect([link, learnt]).toEqual([{ kind: 'link', url: pullRequest.url }, undefined]);
    expect([requests, told]).toEqual([[], []]);
  });

  it('only has a link without a token', async () => {
    const { link, learnt, requests, told } = await learn({ docsToken: '' });
    expect([link?.github, learnt]).toEqual([pullRequest.github, undefined]);
    expect(requests).toEqual([]);
    expect(told).toEqual([
      `${unknown} docs-token is empty: give docs-token a token that may read the pull requests of acme/docs (pull-requests: read).`,
    ]);
  });

  it('is given up without a failure when the run is cancelled in a delay', async () => {
    const runner = fakeRunner({ GITHUB_SERVER_URL: here });
    const sleep = async () => {
      runner.stop(new Error('cancelled'));
      runner.signal.throwIfAborted();
    };
    const { learnt, told, requests } = await learn({ runner, clock: { sleep } });
    expect(learnt).toBeUndefined();
    expect(requests.filter((request) => request === pull)).toHaveLength(1);
    expect(told).toEqual([`${unknown} GitHub did not respond in time.`]);
  });

  it('is given up without a failure after an internal error', async () => {
    const sleep = async () => {
      throw new TypeError('no such thing');
    };
    const { learnt, told, requests } = await learn({ clock: { sleep } });
    expect(learnt).toBeUndefined();
    expect(requests.filter((request) => request === pull)).toHaveLength(1);
    expect(told).toEqual([`${unknown} TypeError: no such thing.`]);
  });
});

describe('the link of a job that may keep running', () => {
  it.each<Result>([
    { result: 'timed-out', job: ended },
    { result: 'running', job: ended },
    { result: 'cancelled', jobId: 'job_1', phase: 'waiting' },
  ])('may be from before a follow-up: $result', async (result) => {
    const { link, requests } = await learn({ result });
    expect([link, requests]).toEqual([undefined, []]);
  });
});
