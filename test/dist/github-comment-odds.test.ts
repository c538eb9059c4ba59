import { afterEach, describe, expect, it } from 'vitest';
import { commentKey, createMarkerSigner, type Marker } from '../../src/github/marker.ts';
import { annotations, apiKey } from '../helpers/run-agent.ts';
import { type EventRun, githubToken, runOnEvent } from '../helpers/run-on-event.ts';
import {
  bot,
  commentsPath,
  installation,
  permissions,
  quietIssue,
  type Routes,
  type ScriptedGitHub,
  scriptedGitHub,
} from '../helpers/scripted-github.ts';
import {
  active,
  created,
  done,
  type Reply,
  refusal,
  reset,
  type ScriptedService,
  scriptedService,
  silence,
} from '../helpers/scripted-service.ts';

let github: ScriptedGitHub;
let service: ScriptedService;

afterEach(async () => {
  await Promise.all([github.close(), service.close()]);
});

const list = `GET ${commentsPath}`;
const post = `POST ${commentsPath}`;
const patch = 'PATCH /repos/acme/product/issues/comments/501';
const working: Routes = { ...permissions({ owner: 'admin' }), ...installation, ...quietIssue };

async function run(
  routes: Routes,
  step: Partial<EventRun> = {},
  script: readonly Reply[] = [created, active, done],
) {
  github = await scriptedGitHub({ ...working, ...routes });
  service = await scriptedService(script);
  return await runOnEvent({
    eventName: 'issues',
    event: 'issues-labeled-by-owner',
    githubUrl: github.url,
    baseUrl: service.url,
    speed: 20,
    ...step,
  });
}

/** Requests about comments, in order. */
function commentCalls(): string[] {
  return github.calls.filter((call) => /comments|graphql|\/user$/.test(call)).sort();
}

function count(route: string): number {
  return github.calls.filter((call) => call.split('?')[0] === route).length;
}

/** The texts that were written, oldest first. */
function written(): string[] {
  return github.arrivals
    .filter(({ method, path }) => method !== 'GET' && path.includes('comments'))
    .map(({ body }) => String(JSON.parse(body).body));
}

const key = commentKey({
  workflow: 'Docs',
  job: 'docs',
  step: '__run',
  projectId: 'acme',
  subject: 'job',
});

/** A comment that this step could have left behind, with what a test wants otherwise. */
function left(
  fields: Partial<Marker> & {
    id?: number;
    author?: string;
    signedWith?: string;
    repository?: string;
    thread?: number;
  } = {},
) {
  const { id = 501, author = bot, signedWith = apiKey, repository = 'acme/product' } = fields;
  const { jobId = 'job_old', run: runId = '900.1', thread = 7 } = fields;
  const place = { repository, threadNumber: thread };
  const marker = { key: fields.key ?? key, jobId, run: runId };
  const body = `### Old news\n\n${createMarkerSigner(signedWith).write(marker, place)}\n`;
  return { id, user: { login: author }, body };
}

describe('the course of a comment', () => {
  it('is created when the job starts and told how it ends', async () => {
    const result = await run({});
    expect(result.outputs['result']).toBe('pull-request');
    expect(written().map((text) => text.split('\n')[0])).toEqual([
      '### ⏳ The agent is working',
      '### ✅ Pull request opened',
    ]);
    expect(commentCalls()).toEqual([
      `GET ${commentsPath}?per_page=100&page=1`,
      patch,
      'POST /graphql',
      post,
    ]);
    for (const { headers } of github.arrivals) {
      expect(headers.authorization).toBe(`token ${githubToken}`);
    }
    expect(written().join()).not.toContain(apiKey);
  });

  it('tells of an error after the start', async () => {
    const result = await run({}, {}, [created, refusal(401), refusal(401)]);
    expect(result.outputs['result']).toBe('error');
    expect(written().at(-1)).toContain('### ❌ The step ended with an error');
    expect(written().at(-1)).toContain('answered 401');
  });

  it('is not written where nothing was started', async () => {
    const result = await run({}, {}, [refusal(401)]);
    expect(result.outputs['reason']).toBe('key-refused');
    expect(commentCalls()).toEqual([]);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('tells of a cancelled run: %s', async (signal) => {
    const onLine: EventRun['onLine'] = (line, _stream, kill) => {
      if (line.startsWith('Started job')) kill(signal);
    };
    const result = await run({}, { onLine, speed: 1 }, [created, active]);
    expect(result.outputs).toMatchObject({ result: 'cancelled', 'job-id': 'job_8f2' });
    expect(result.signal).toBeNull();
    expect(written().at(-1)).toContain('### 🛑 The run was cancelled');
    expect(count(post)).toBe(1);
  });

  it('keeps a cancelled run waiting no longer than its own limit', async () => {
    const onLine: EventRun['onLine'] = (line, _stream, kill) => {
      if (line.startsWith('Started job')) kill('SIGINT');
    };
    const result = await run({ [list]: silence }, { onLine, speed: 5 }, [created, active]);
    expect(result.outputs['result']).toBe('cancelled');
    expect(result.signal).toBeNull();
  });
});

describe('a comment of before', () => {
  it.each([
    ['of this step', left()],
    ['of this job, left by another step', left({ key: '0'.repeat(32), jobId: 'job_8f2' })],
    ['of a run before this attempt', left({ run: '1001.0' })],
  ])('is gone on in: %s', async (_name, comment) => {
    await run({ [list]: { status: 200, body: [comment] } });
    expect(count(post)).toBe(0);
    expect(count(patch)).toBe(2);
  });

  it.each([
    ["a stranger's", left({ author: 'stranger' })],
    ['one whose author is gone', { ...left(), user: null }],
    ['another step', left({ key: 'f'.repeat(32) })],
    ['a sibling of a matrix', left({ run: '1001.1' })],
    ['one signed with another key', left({ signedWith: 'mint_other' })],
    ["another repository's", left({ repository: 'acme/other' })],
    ['one copied from another issue', left({ thread: 8 })],
    ['a forged job', { ...left(), body: left().body.replace('job_old', 'job_8f2') }],
    ['a later version', { ...left(), body: left().body.replace(' v1 ', ' v2 ') }],
    ['no marker at all', { ...left(), body: 'Thanks!' }],
    ['a comment without a text', { ...left(), body: null }],
  ])('is not touched: %s', async (_name, comment) => {
    const foreign = { ...comment, id: 777 };
    await run({ [list]: { status: 200, body: [foreign] } });
    expect(count(post)).toBe(1);
    expect(github.calls.filter((call) => call.includes('777'))).toEqual([]);
  });

  it('is found beyond the first hundred', async () => {
    const chatter = (from: number) =>
      Array.from({ length: 100 }, (_, at) => ({
        id: from + at,
        user: { login: 'stranger' },
        body: 'And I?',
      }));
    await run({
      [list]: [
        { status: 200, body: chatter(1000) },
        { status: 200, body: chatter(2000) },
        { status: 200, body: [...chatter(3000).slice(0, 5), left()] },
      ],
    });
    expect(count(list)).toBe(3);
    expect(github.calls).toContain(`GET ${commentsPath}?per_page=100&page=3`);
    expect([count(post), count(patch)]).toEqual([0, 2]);
  });

  it('is known by the identity of a personal token too', async () => {
    await run({
      'POST /graphql': { status: 404 },
      'GET /user': { status: 200, body: { login: 'Docs-Robot' } },
      [list]: { status: 200, body: [left({ author: 'docs-robot' })] },
    });
    expect(count(post)).toBe(0);
  });

  it('is not changed where nobody tells whose token this is', async () => {
    await run({
      'POST /graphql': { status: 200, body: { errors: [{ message: 'no' }] } },
      [list]: { status: 200, body: [left({ id: 777 })] },
    });
    expect([count(post), count(patch)]).toEqual([1, 1]);
  });
});

describe('a lost answer', () => {
  /** Takes the comment, but the answer never comes; the list then has it. */
  function lost(routes: Routes = {}): Routes {
    const taken: unknown[] = [];
    return {
      [post]: (request) => {
        const { body } = JSON.parse(github.arrivals.at(-1)?.body ?? '{}');
        taken.push({ id: 501, user: { login: bot }, body });
        request.socket.destroy();
      },
      [list]: (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify(taken));
      },
      ...routes,
    };
  }

  it('is looked for before anything is posted again', async () => {
    const result = await run(lost());
    expect(result.outputs['result']).toBe('pull-request');
    expect(count(post)).toBe(1);
    expect(written().at(-1)).toContain('Pull request opened');
  });

  it('is posted again where it is not found', async () => {
    await run({ [post]: [reset, { status: 201, body: { id: 501 } }] });
    expect(count(post)).toBe(2);
    expect(count(list)).toBe(2);
  });

  it('is not posted again where our own cannot be told from others', async () => {
    const inputs = { comment: 'true' };
    const result = await run(lost({ 'POST /graphql': { status: 502 } }), { inputs });
    expect(count(post)).toBe(1);
    expect(annotations(result, 'warning')).toMatchInlineSnapshot(`
      [
        "The comment on acme/product#7 could not be written, because GitHub does not tell whose token this is.",
      ]
    `);
  });
});

describe('a comment that fails', () => {
  it.each([
    [
      '403',
      { [post]: { status: 403, body: { message: 'Resource not accessible by integration' } } },
    ],
    [
      'locked',
      {
        [post]: {
          status: 403,
          body: { message: 'Unable to create comment because issue is locked.' },
        },
      },
    ],
    ['404', { [list]: { status: 404, body: { message: 'Not Found' } } }],
    ['410', { [list]: { status: 410, body: { message: 'Issues are disabled for this repo' } } }],
    ['422', { [post]: { status: 422, body: { message: 'Validation Failed' } } }],
    ['rate limit', { [post]: { status: 429, body: { message: 'API rate limit exceeded' } } }],
    ['a fault', { [list]: { status: 503, body: '<html>' } }],
    ['silence', { [list]: silence }],
    ['nonsense', { [list]: { status: 200, body: { comments: [] } } }],
    ['gone meanwhile', { [patch]: { status: 404, body: { message: 'Not Found' } } }],
  ] satisfies readonly (readonly [string, Routes])[])(
    'changes nothing else: %s',
    async (_name, routes) => {
      const result = await run(routes, { inputs: { comment: 'true' } });
      expect(result.outputs['result']).toBe('pull-request');
      expect(result.exitCode).toBe(0);
      expect(annotations(result, 'warning')).toMatchSnapshot();
      expect(annotations(result, 'warning')).toHaveLength(1);
      const lines = result.stdout.trimEnd().split('\n');
      expect(lines.at(-1)).toBe(result.outputs['message']);
    },
  );

  it('is only a debug line with auto, and a warning with a number', async () => {
    const routes = { [post]: refusal(403) };
    const auto = await run(routes);
    expect(annotations(auto, 'warning')).toEqual([]);
    expect(auto.stdout).toContain('::debug::The comment on acme/product#7 could not be written');
    await Promise.all([github.close(), service.close()]);
    const numbered = await run(routes, { inputs: { comment: '7' } });
    expect(annotations(numbered, 'warning')).toHaveLength(1);
  });
});

describe('an Enterprise server', () => {
  it('is asked below its own paths alone', async () => {
    const below = (routes: Routes): Routes =>
      Object.fromEntries(
        Object.entries(routes).map(([route, reply]) => [
          route.replace(' /repos', ' /api/v3/repos').replace(' /graphql', ' /api/graphql'),
          reply,
        ]),
      );
    github = await scriptedGitHub(below(working));
    service = await scriptedService([created, done]);
    const result = await runOnEvent({
      eventName: 'issues',
      event: 'issues-labeled-by-owner',
      githubUrl: github.url,
      apiPath: '/api/v3',
      baseUrl: service.url,
      speed: 20,
      inputs: { comment: 'true' },
      env: { GITHUB_GRAPHQL_URL: `${github.url}/api/graphql` },
    });
    expect(result.outputs['result']).toBe('pull-request');
    expect(annotations(result, 'warning')).toEqual([]);
    expect(github.calls.every((call) => call.includes(' /api/'))).toBe(true);
    expect(github.calls).toContain('POST /api/graphql');
  });

  it('gets no token for GraphQL at another origin', async () => {
    const other = await scriptedGitHub(installation);
    await run({}, { env: { GITHUB_GRAPHQL_URL: `${other.url}/graphql` } });
    expect(other.calls).toEqual([]);
    expect(github.calls).toContain('GET /user');
    await other.close();
  });
});
