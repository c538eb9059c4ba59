import { describe, expect, it } from 'vitest';
import { writeReportComment } from '../../../../src/check/report/comment.ts';
import type { GitHub } from '../../../../src/github/client.ts';
import type { GitHubResponse } from '../../../../src/github/request.ts';
import { CancelledError } from '../../../../src/text/error.ts';
import { fakeSession, githubResponse, type SeenRequest } from '../../../helpers/fake-github.ts';
import { fakeRunner } from '../../../helpers/fake-runner.ts';

const target = { repository: 'acme/docs', number: 12 };
const bot = 'github-actions[bot]';

interface Listed {
  readonly id: number;
  readonly login: string;
  readonly body: string;
}

async function write(
  comments: readonly Listed[],
  text = 'Passed.',
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
  const github: GitHub = { as: () => session, close: async () => {} };
  const runner = fakeRunner();
  const options = {
    target,
    token: 'ghs_token',
    docsRoot,
    isOnlyUpdate: false,
    text,
  };
  if (isCancelled === true) {
    runner.stop(new CancelledError('received SIGTERM'));
  }
  const problem = await writeReportComment(options, github, runner);
  const written = session.seen.filter(({ parameters }) => 'body' in parameters);
  return { written, problem };
}

const bodyOf = ({ parameters }: SeenRequest) => String(parameters['body']);

const created = 'POST /repos/acme/docs/issues/12/comments';
const updated = (id: number) => `PATCH /repos/acme/docs/issues/comments/${id}`;
const requestOf = ({ request }: SeenRequest) => request;

describe('the comment', () => {
  it('is a new one if there is none, whatever else stands on the pull request', async () => {
    const agents =
      'The docs agent opened this.\n\n<!-- docs-agent-action pull-request v1 job=a -->\n';
    const quoted = 'A workflow wrote:\n\n<!-- docs-agent-action check v1 docs=0123456789ab -->\n';
    const { written, problem } = await write([
      { id: 1, login: 'octocat', body: 'Nice.' },
      { id: 7, login: bot, body: agents },
      { id: 8, login: bot, body: quoted },
    ]);
    expect(written.map(requestOf)).toEqual([created]);
    expect(written.map(bodyOf).join()).toMatch(
      /^<!-- docs-agent-action check v1 docs=[\da-f]{12} -->\nPassed\.$/,
    );
    expect(problem).toBeUndefined();
  });

  it('is updated as a whole', async () => {
    const body = (await write([])).written.map(bodyOf).join();
    const { written } = await write([{ id: 8, login: bot, body }], 'Blocked.');
    expect(written.map(requestOf)).toEqual([updated(8)]);
    expect(written.map(bodyOf)).toEqual([body.replace('Passed.', 'Blocked.')]);
  });

  it('is never that of another author, even with our marker', async () => {
    const body = (await write([])).written.map(bodyOf).join();
    const { written } = await write([{ id: 9, login: 'octocat', body }]);
    expect(written.map(requestOf)).toEqual([created]);
  });

  it('is not written if another one may be ours, and GitHub does not say', async () => {
    const body = (await write([])).written.map(bodyOf).join();
    const { written, problem } = await write([{ id: 7, login: bot, body }], 'x', ({ request }) =>
      /graphql|GET \/user/.test(request) ? githubResponse(403, { message: 'No' }) : undefined,
    );
    expect(written).toEqual([]);
    expect(problem).toBe(
      'The comment on acme/docs#12 could not be written, because GitHub does not say which user the token belongs to.',
    );
  });

  it('that is refused is explained with the permission that it needs', async () => {
    const { problem } = await write([], 'x', ({ request }) =>
      request.startsWith('POST /repos')
        ? githubResponse(403, { message: 'Resource not accessible by integration' })
        : undefined,
    );
    expect(problem).toBe(
      'The comment on acme/docs#12 could not be written, because GitHub responded with 403 ("Resource not accessible by integration"): give github-token (or docs-token, if that is set) the permission "pull-requests: write", and check that the conversation is not locked.',
    );
  });

  it('is no problem of a cancelled run', async () => {
    const { problem } = await write([], 'x', () => ({ kind: 'no-response', code: '' }), {
      isCancelled: true,
    });
    expect(problem).toBeUndefined();
  });
});

describe('the comments of several runs', () => {
  type Stored = Readonly<Record<string, string>>;

  /** One run after another, with what the ones before have left. */
  async function runs(...list: readonly (readonly [docsRoot: string | undefined, text: string])[]) {
    let stored: Stored = {};
    for (const [docsRoot, text] of list) {
      const comments = Object.entries(stored).map(([id, body]) => ({
        id: Number(id),
        login: bot,
        body,
      }));
      const { written } = await write(comments, text, undefined, { docsRoot });
      for (const request of written) {
        const id = String(request.parameters['comment_id'] ?? comments.length + 1);
        stored = { ...stored, [id]: bodyOf(request) };
      }
    }
    return Object.values(stored).map((body) => body.split('\n').slice(1).join('\n'));
  }

  it.each([
    [
      'a report for each folder of docs',
      [
        ['one', 'Passed.'],
        ['two', 'Blocked.'],
        ['one', 'Review.'],
      ],
      ['Review.', 'Blocked.'],
    ],
    [
      'one report if a run before did not name the folder',
      [
        [undefined, 'Failed.'],
        ['docs', 'Passed.'],
      ],
      ['Passed.'],
    ],
  ] as const)('are %s', async (_name, list, expected) => {
    expect(await runs(...list)).toEqual(expected);
  });
});
