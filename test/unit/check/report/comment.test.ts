import { describe, expect, it } from 'vitest';
import { writeReportComment } from '../../../../src/check/report/comment.ts';
import { CancelledError } from '../../../../src/text/error.ts';
import { fakeRunner } from '../../../helpers/fake-runner.ts';
import { githubSession } from '../../../helpers/github-session.ts';
import { type Arrival, githubToken, type Reply } from '../../../helpers/servers.ts';

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
  respond?: (route: string) => Reply | undefined,
  { docsRoot, isCancelled }: { docsRoot?: string | undefined; isCancelled?: boolean } = {},
) {
  const { server, github } = await githubSession((route): Reply => {
    const own = respond?.(route);
    if (own !== undefined) {
      return own;
    }
    if (route === 'POST /graphql') {
      return { status: 200, body: { data: { viewer: { login: bot } } } };
    }
    return route === 'GET /repos/acme/docs/issues/12/comments'
      ? { status: 200, body: comments.map(({ login, ...rest }) => ({ ...rest, user: { login } })) }
      : { status: 200, body: { id: 501 } };
  });
  const runner = fakeRunner();
  const options: Parameters<typeof writeReportComment>[0] = {
    target,
    token: {
      repository: target.repository,
      value: githubToken,
      input: 'github-token',
      isStandIn: false,
    },
    docsRoot,
    isOnlyUpdate: false,
    text,
  };
  if (isCancelled === true) {
    runner.stop(new CancelledError('received SIGTERM'));
  }
  const problem = await writeReportComment(options, github, runner);
  const written = server.arrivals.filter(({ body }) => body.startsWith('{"body":'));
  return { written, problem };
}

const bodyOf = ({ body }: Arrival) => String(JSON.parse(body).body);

const created = 'POST /repos/acme/docs/issues/12/comments';
const updated = (id: number) => `PATCH /repos/acme/docs/issues/comments/${id}`;
const requestOf = ({ method, path }: Arrival) => `${method} ${path}`;

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
    const { written, problem } = await write([{ id: 7, login: bot, body }], 'x', (route) =>
      /graphql|GET \/user/.test(route) ? { status: 403, body: { message: 'No' } } : undefined,
    );
    expect(written).toEqual([]);
    expect(problem).toBe(
      'The comment on acme/docs#12 could not be written, because GitHub does not say which user the token belongs to.',
    );
  });

  it('that is refused is explained with the permission that it needs', async () => {
    const { problem } = await write([], 'x', (route) =>
      route.startsWith('POST /repos')
        ? { status: 403, body: { message: 'Resource not accessible by integration' } }
        : undefined,
    );
    expect(problem).toBe(
      'The comment on acme/docs#12 could not be written, because GitHub responded with 403 ("Resource not accessible by integration"): give github-token the permission "pull-requests: write" on acme/docs, and check that the conversation is not locked.',
    );
  });

  it('is no problem of a cancelled run', async () => {
    const { problem } = await write([], 'x', undefined, { isCancelled: true });
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
        const id = /comments\/(\d+)$/.exec(request.path)?.[1] ?? String(comments.length + 1);
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
