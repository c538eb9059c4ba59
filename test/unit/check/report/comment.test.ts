import { describe, expect, it } from 'vitest';
import { writeReportComment } from '../../../../src/check/report/comment.ts';
import type { GitHub } from '../../../../src/github/client.ts';
import type { GitHubResponse } from '../../../../src/github/request.ts';
import { CancelledError } from '../../../../src/runner/errors.ts';
import { fakeSession, githubResponse, type SeenRequest } from '../../../helpers/fake-github.ts';
import { fakeRunner } from '../../../helpers/fake-runner.ts';

const target = { repository: 'acme/docs', number: 12 };
const agents = `The docs agent opened this.\n\n<!-- docs-agent-action pull-request v1 job=a round=1 rounds=x mac=${'0'.repeat(64)} -->\n`;
const bot = 'github-actions[bot]';

interface Listed {
  readonly id: number;
  readonly login: string;
  readonly body: string;
}

async function write(
  comments: readonly Listed[],
  text = 'Routine.',
  respond?: (request: SeenRequest) => GitHubResponse | undefined,
  { docsRoot, isCancelled }: { docsRoot?: string | undefined; isCancelled?: boolean } = {},
) {
  const session = fakeSession((seen) => {
    const own = respond?.(seen);
    if (own !== undefined) {
      return own;
    }
    if (seen.request === 'POST https://api.example/graphql') {
      return githubResponse(200, { data: { viewer: { login: bot } } });
    }
    if (seen.request === 'GET /repos/acme/docs/issues/12/comments') {
      return githubResponse(
        200,
        comments.map(({ id, login, body }) => ({ id, user: { login }, body })),
      );
    }
    return githubResponse(200, { id: 501 });
  });
  const github: GitHub = {
    graphqlUrl: 'https://api.example/graphql',
    as: () => session,
    close: async () => {},
  };
  const runner = fakeRunner();
  const options = {
    target,
    token: 'ghs_token',
    docsRoot,
    isOnlyUpdate: false,
    render: () => text,
  };
  if (isCancelled === true) {
    runner.stop(new CancelledError('received SIGTERM'));
  }
  await writeReportComment(options, github, runner);
  const written = session.seen.filter(({ parameters }) => 'body' in parameters);
  return { written, told: runner.told };
}

const bodyOf = ({ parameters }: SeenRequest) => String(parameters['body']);

describe('the comment', () => {
  it('is our own if there is none', async () => {
    const { written, told } = await write([{ id: 1, login: 'octocat', body: 'Nice.' }]);
    expect(written.map(({ request }) => request)).toEqual([
      'POST /repos/acme/docs/issues/12/comments',
    ]);
    expect(written.map(bodyOf).join()).toContain('Routine.');
    expect(told).toEqual([]);
  });

  it('becomes a section of the agent’s, whose text stays', async () => {
    const { written } = await write([{ id: 7, login: bot, body: agents }]);
    expect(written.map(({ request }) => request)).toEqual([
      'PATCH /repos/acme/docs/issues/comments/7',
    ]);
    expect(written.map(bodyOf).join()).toContain(agents.trim());
  });

  it('is updated, and nothing is added', async () => {
    const first = await write([]);
    const body = first.written.map(bodyOf).join();
    const { written } = await write([{ id: 8, login: bot, body }], 'Blocked.');
    expect(written.map(({ request }) => request)).toEqual([
      'PATCH /repos/acme/docs/issues/comments/8',
    ]);
    expect(written.map(bodyOf)).toEqual([body.replace('Routine.', 'Blocked.')]);
  });

  it('is never that of another author, even with our lines in it', async () => {
    const body = (await write([])).written.map(bodyOf).join();
    const { written } = await write([
      { id: 9, login: 'octocat', body },
      { id: 10, login: 'octocat', body: agents },
    ]);
    expect(written.map(({ request }) => request)).toEqual([
      'POST /repos/acme/docs/issues/12/comments',
    ]);
  });

  it('is not written if it may be ours, and GitHub does not say', async () => {
    const { written, told } = await write(
      [{ id: 7, login: bot, body: agents }],
      'x',
      ({ request }) =>
        /graphql|GET \/user/.test(request) ? githubResponse(403, { message: 'No' }) : undefined,
    );
    expect(written).toEqual([]);
    expect(told).toEqual([
      'warning: The comment on acme/docs#12 could not be written, because GitHub does not say which user the token belongs to.',
    ]);
  });

  it('that is refused is warned of, with the permission that it needs', async () => {
    const { told } = await write([], 'x', ({ request }) =>
      request.startsWith('POST /repos')
        ? githubResponse(403, { message: 'Resource not accessible by integration' })
        : undefined,
    );
    expect(told).toEqual([
      'warning: The comment on acme/docs#12 could not be written, because GitHub responded with 403 ("Resource not accessible by integration"): give github-token (or docs-token, if that is set) the permission "pull-requests: write", and check that the conversation is not locked.',
    ]);
  });
});

describe('the comment of several runs', () => {
  const run = async (body: string, docsRoot: string | undefined, text: string) => {
    const comments = body === '' ? [] : [{ id: 8, login: bot, body }];
    const { written } = await write(comments, text, undefined, { docsRoot });
    expect(written.map(({ request }) => request)).toEqual([
      body === ''
        ? 'POST /repos/acme/docs/issues/12/comments'
        : 'PATCH /repos/acme/docs/issues/comments/8',
    ]);
    return written.map(bodyOf).join();
  };
  const sectionsIn = (body: string) => body.match(/^[A-Z]\w+\.$/gm);

  it('has one report if the run before could not find the docs', async () => {
    const failed = await run('', undefined, 'Failed.');
    expect(sectionsIn(await run(failed, 'docs', 'Routine.'))).toEqual(['Routine.']);
  });

  it('has one report if this run could not find the docs', async () => {
    const routine = await run('', 'docs', 'Routine.');
    const failed = await run(routine, undefined, 'Failed.');
    expect(sectionsIn(failed)).toEqual(['Failed.']);
    expect(sectionsIn(await run(failed, 'docs', 'Blocked.'))).toEqual(['Blocked.']);
  });

  it('has a report for each folder of docs, and none that nobody updates', async () => {
    const one = await run('', 'one', 'Routine.');
    const two = await run(one, 'two', 'Blocked.');
    expect(sectionsIn(two)).toEqual(['Routine.', 'Blocked.']);
    const failed = await run(two, undefined, 'Failed.');
    expect(sectionsIn(failed)).toEqual(['Routine.', 'Blocked.', 'Failed.']);
    expect(sectionsIn(await run(failed, 'two', 'Review.'))).toEqual(['Routine.', 'Review.']);
  });

  it('is not warned of in a cancelled run', async () => {
    const { told } = await write([], 'x', () => ({ kind: 'no-response', code: '' }), {
      isCancelled: true,
    });
    expect(told).toEqual([]);
  });
});
