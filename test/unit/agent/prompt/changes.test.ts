import { describe, expect, it } from 'vitest';
import { readChangesSince } from '../../../../src/agent/inputs.ts';
import { readChanges } from '../../../../src/agent/prompt/changes.ts';
import { fakeClock } from '../../../helpers/fake-runner.ts';
import {
  comparison,
  diverged,
  githubSession,
  headSha,
  identical,
  listedCommit,
  listedRelease,
  listedRun,
  mergeBase,
  noSignal,
  notFound,
  startSha,
} from '../../../helpers/servers.ts';

const repository = '/repos/acme/product';
const compareWith = (start: string) => `GET ${repository}/compare/${start}...${headSha}`;
const runsOf = (file: string) => `GET ${repository}/actions/workflows/${file}/runs`;

interface Asked {
  readonly since?: string;
  readonly eventName?: string;
  readonly payload?: unknown;
  readonly ref?: string;
}

/** Reads changes from a GitHub that has these bodies, by request. */
async function changes(asked: Asked, bodies: Readonly<Record<string, unknown>>) {
  const { server, session } = await githubSession((route, { path }) => {
    const page = new URLSearchParams(path.split('?')[1]).get('page') ?? '1';
    const body = bodies[`${route} ${page}`] ?? (page === '1' ? bodies[route] : undefined);
    return body === undefined ? notFound : { status: 200, body };
  });
  const {
    since = '',
    eventName = 'push',
    payload = { before: startSha },
    ref = 'refs/heads/main',
  } = asked;
  const workflow = 'acme/product/.github/workflows/docs.yml';
  const event = { kind: 'payload', payload } as const;
  const run = { event, eventName, ref, workflow, sha: headSha };
  const deps = { session, repository: 'acme/product', clock: fakeClock(), signal: noSignal };
  const read = readChanges(readChangesSince(since), run, deps);
  const found = await read.catch((error: unknown) => ({ error: String(error) }));
  return { ...found, calls: server.calls };
}

const push = { [compareWith(startSha)]: comparison() };
const last = { since: 'last-success' };
const runs = (...workflow_runs: readonly object[]) => ({ [runsOf('docs.yml')]: { workflow_runs } });
const releases = `GET ${repository}/releases`;
const release = { eventName: 'release', payload: { release: listedRelease('v2.0', 20) } };
/** Twelve releases, of which the newest belong to other branches. */
const branches = (count: number) => ({
  [releases]: Array.from({ length: 12 }, (_, index) =>
    listedRelease(`v1.${20 - index}`, 20 - index),
  ),
  ...Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      compareWith(`v1.${19 - index}`),
      comparison(diverged),
    ]),
  ),
});
const ofFork = { full_name: 'evil/product' };
const mergeBaseWarning =
  'The commit of the last successful run, f95f852, is not in the history of 1f7a7a4, so {{changes}} starts at their merge base, abcdef0.';

it.for<
  readonly [
    name: string,
    asked: Asked,
    bodies: Readonly<Record<string, unknown>>,
    start: string,
    warning?: string,
  ]
>([
  ['the commit before a push', {}, push, 'f95f852'],
  [
    'a tag',
    { since: 'v1', eventName: 'schedule' },
    { [compareWith('v1')]: comparison() },
    'v1 (f95f852)',
  ],
  [
    'the beginning of a commit, which is named once',
    { since: 'F95F852B' },
    { [compareWith('F95F852B')]: comparison() },
    'f95f852',
  ],
  [
    'the last successful run',
    last,
    { ...push, ...runs(listedRun(startSha), listedRun('older')) },
    'the last successful run (f95f852)',
  ],
  [
    'never the run of a pull request, whose branch can have the same name',
    last,
    {
      ...push,
      ...runs(
        listedRun('evil', { event: 'pull_request', head_repository: ofFork }),
        listedRun('evil', { head_repository: ofFork }),
        listedRun('evil', { head_repository: null }),
        listedRun('evil', { event: 'pull_request_target' }),
        listedRun(startSha),
      ),
    },
    'the last successful run (f95f852)',
  ],
  [
    'the merge base with a successful run that has left the history',
    last,
    { [compareWith(startSha)]: comparison(diverged), ...runs(listedRun(startSha)) },
    'the merge base with the last successful run (abcdef0)',
    mergeBaseWarning,
  ],
  [
    'the merge base with a successful run that is newer',
    last,
    {
      [compareWith(startSha)]: comparison({ ...diverged, status: 'behind' }),
      ...runs(listedRun(startSha)),
    },
    'the merge base with the last successful run (abcdef0)',
    mergeBaseWarning,
  ],
  [
    'the commit before the push, before a run has succeeded',
    last,
    { ...push, ...runs() },
    'f95f852',
    'No run of this workflow on "main" has succeeded yet, so {{changes}} starts at the commit before this push.',
  ],
  [
    'the tenth release before a release, if that is in its history',
    release,
    {
      ...branches(9),
      [compareWith('v1.10')]: comparison(),
    },
    'v1.10 (f95f852)',
  ],
])('the start is %s', async ([, asked, bodies, start, warning]) => {
  const { calls: _calls, ...found } = await changes(asked, bodies);
  expect(found).toEqual({
    described: `Changes in the prompt: 1 commit and 1 file since ${start}, up to 1f7a7a4.`,
    warnings: warning === undefined ? [] : [warning],
    list: expect.stringContaining(`Changes in acme/product since ${start}, up to commit 1f7a7a4.`),
    withPatches: expect.stringContaining('\n+src/watch.ts\n'),
  });
});

describe('a release of one product among several', () => {
  const of = (tag: string, day: number, fields = {}) => listedRelease(tag, day, fields);
  const api = { eventName: 'release', payload: { release: of('api@1.3.0', 20) } };
  const start = async (listed: readonly object[], asked: Asked, tag: string) =>
    await changes(asked, {
      [releases]: listed,
      [compareWith(encodeURIComponent(tag))]: comparison(),
    });

  it('starts at the newest earlier one of the same product', async () => {
    const listed = [
      of('api@1.3.0', 20),
      of('web@2.1.0', 19),
      of('api@1.3.0-rc.1', 18, { prerelease: true }),
      of('api@1.2.9', 17, { draft: true, published_at: null }),
      of('api@1.2.0', 12),
      of('api@1.1.0', 11),
    ];
    expect(await start(listed, api, 'api@1.2.0')).toMatchObject({
      described: expect.stringContaining(' since api@1.2.0 (f95f852)'),
    });
  });

  it('starts at a prerelease whose tag has no number behind its word', async () => {
    const release = of('v2.0.0-beta.1', 20, { prerelease: true });
    const listed = [release, of('v2.0.0-beta', 19, { prerelease: true }), of('v1.9.0', 12)];
    const asked = { eventName: 'release', payload: { release } };
    expect(await start(listed, asked, 'v2.0.0-beta')).toMatchObject({
      described: expect.stringContaining(' since v2.0.0-beta (f95f852)'),
    });
  });

  it('passes over a release of an older line that is not in its history', async () => {
    const found = await changes(api, {
      [releases]: [of('api@0.9.5', 19), of('web@2.1.0', 18), of('api@1.2.0', 12)],
      [compareWith(encodeURIComponent('api@0.9.5'))]: comparison(diverged),
      [compareWith(encodeURIComponent('api@1.2.0'))]: comparison(),
    });
    expect(found).toMatchObject({
      described: expect.stringContaining(' since api@1.2.0 (f95f852)'),
    });
  });
});

describe('commits of several pages', () => {
  const commits = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => listedCommit(from + index));

  it('begin with the newest', async () => {
    const found = await changes(
      {},
      {
        [`${compareWith(startSha)} 1`]: comparison({
          total_commits: 300,
          commits: commits(1, 100),
        }),
        [`${compareWith(startSha)} 2`]: { commits: commits(101, 200) },
        [`${compareWith(startSha)} 3`]: { commits: commits(201, 300) },
      },
    );
    expect('list' in found && found.list).toMatch(
      /300 commits, newest first:\n\n```text\n\w{7} \(writer\) Commit 300\n[\s\S]*Commit 1\n```\n\n1 changed/,
    );
  });

  it('are read up to a limit, and the others are counted', async () => {
    const found = await changes(
      {},
      {
        [`${compareWith(startSha)} 1`]: comparison({
          total_commits: 1234,
          commits: commits(1, 100),
        }),
        [`${compareWith(startSha)} 11`]: { commits: commits(1001, 1100) },
        [`${compareWith(startSha)} 12`]: { commits: commits(1101, 1200) },
        [`${compareWith(startSha)} 13`]: { commits: commits(1201, 1234) },
      },
    );
    expect(found.calls).toHaveLength(4);
    expect('list' in found && found.list).toMatch(
      /\) Commit 1234\n[\s\S]*\) Commit 1001\n```\n\n\(Left out: 1,000 older commits\.\)/,
    );
  });
});

const needed = 'ActionError: Input changes-since';

describe('without a start', () => {
  it.each<[string, Asked, Readonly<Record<string, unknown>>, string]>([
    [
      'on a schedule',
      { eventName: 'schedule' },
      {},
      `${needed} has to name the start of {{changes}}, because the event schedule names none: give a commit, a tag, a branch or last-success.`,
    ],
    [
      'on a push of a new branch',
      { payload: { before: '0'.repeat(40) } },
      {},
      `${needed} has to name the start of {{changes}}, because this push created "main", so that no commit is before it: give the branch that it started from, a commit or a tag.`,
    ],
    [
      'on a push of a tag',
      { ref: 'refs/tags/v2.0.0', payload: { before: '0'.repeat(40) } },
      {},
      `${needed} has to name the start of {{changes}}, because this push created "v2.0.0", so that no commit is before it: give the branch that it started from, a commit or a tag.`,
    ],
    [
      'on a push without a commit before it',
      { payload: {} },
      {},
      `${needed} has to name the start of {{changes}}, because this push created "main", so that no commit is before it: give the branch that it started from, a commit or a tag.`,
    ],
    [
      'on a release behind ten of other branches',
      release,
      {
        ...branches(10),
        [compareWith('v1.9')]: comparison(),
      },
      `${needed} has to name the start of {{changes}}, because no earlier release in the history of "v2.0" has the same text around its version: give a commit, a tag or a branch.`,
    ],
    [
      'on the first release of a product among others',
      { eventName: 'release', payload: { release: listedRelease('api@1.0.0', 20) } },
      {
        [releases]: [listedRelease('web@2.1.0', 19), listedRelease('web@2.0.0', 18)],
        [compareWith(encodeURIComponent('web@2.1.0'))]: comparison(),
      },
      `${needed} has to name the start of {{changes}}, because no earlier release in the history of "api@1.0.0" has the same text around its version: give a commit, a tag or a branch.`,
    ],
    [
      'on the first release of all',
      release,
      { [releases]: [listedRelease('v2.0', 20)] },
      `${needed} has to name the start of {{changes}}, because no earlier release in the history of "v2.0" has the same text around its version: give a commit, a tag or a branch.`,
    ],
    [
      'on a release event without a release',
      { ...release, payload: {} },
      {},
      `${needed} has to name the start of {{changes}}, because the event names no release: give a commit, a tag or a branch.`,
    ],
    [
      'before the first successful run of a schedule',
      { since: 'last-success', eventName: 'schedule' },
      { [runsOf('docs.yml')]: { workflow_runs: [] } },
      `${needed} has to name the start of {{changes}}, because no run of this workflow on "main" has succeeded yet: give a commit, a tag or a branch for the first run.`,
    ],
    [
      'for the last success of a tag',
      { since: 'last-success', ref: 'refs/tags/v1' },
      {},
      `${needed} has to name the start of {{changes}}, because the runner names no branch or no workflow file for last-success: give a commit, a tag or a branch.`,
    ],
    [
      'after a force-push',
      {},
      { [compareWith(startSha)]: comparison(diverged) },
      `ActionError: The changes for the prompt could not be read, because "${startSha}" is not in the history of this run's commit 1f7a7a4, which is what a force-push leaves behind: give a start in changes-since that is, such as their merge base ${mergeBase}.`,
    ],
  ])('%s', async (_name, asked, bodies, error) => {
    expect(await changes(asked, bodies)).toMatchObject({ error });
  });
});

describe('nothing', () => {
  it.each([
    ['no commit', comparison(identical), 'there is no commit between f95f852 and 1f7a7a4'],
    ['no file', comparison({ files: [] }), 'no file changed between f95f852 and 1f7a7a4'],
  ])('%s', async (_name, body, finding) => {
    expect(await changes({}, { [compareWith(startSha)]: body })).toMatchObject({
      result: 'skipped',
      reason: 'nothing-changed',
      message: `Nothing was started, because ${finding}.`,
    });
  });
});
