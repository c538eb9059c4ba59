import { describe, expect, it, onTestFinished } from 'vitest';
import { startBoth } from '../helpers/both-servers.ts';
import { annotations } from '../helpers/run-agent.ts';
import { githubToken, runOnEvent } from '../helpers/run-on-event.ts';
import { created, ended, halfAnswer, type Reply, reset, silence } from '../helpers/scripted-api.ts';
import { type Routes, type ScriptedGitHub, scriptedGitHub } from '../helpers/scripted-github.ts';

const docsToken = 'github_pat_d0cs';
const path = '/repos/acme/docs/pulls/12';

const pull = {
  number: 12,
  title: 'Document --watch @acme/everyone\u202E',
  head: { ref: 'docs-agent/job_8f2', sha: '78cc6426543cf9bedc56ec6145d21c0cbadf18c8' },
  base: { ref: 'main', sha: 'f95f852bd8fca8fcc58a9a2d6c842781e32a215e' },
  changed_files: 2,
  additions: 14,
  deletions: 1,
};
const good: Reply = { status: 200, body: pull };

async function run(
  routes: Routes,
  inputs: Readonly<Record<string, string>> = {},
  linkOf = (github: ScriptedGitHub) => `${github.url}/acme/docs/pull/12`,
) {
  const { github, api } = await startBoth(routes, (github) => [
    created,
    ended('completed', { prLink: linkOf(github) }),
  ]);
  const result = await runOnEvent({
    eventName: 'schedule',
    event: 'schedule',
    githubUrl: github.url,
    baseUrl: api.url,
    speed: 4,
    inputs,
  });
  expect(result.outputs['result']).toBe('pull-request');
  expect(result.exitCode).toBe(0);
  return { ...result, github };
}

/** What the next step gets of the pull request. */
function pullOutputs(outputs: Readonly<Record<string, string>>) {
  const names = ['pr-title', 'pr-branch', 'pr-base', 'pr-head-sha', 'pr-changed-files'];
  return names.map((name) => outputs[name]);
}

/** How the next step names the pull request to `gh` and to the API. */
function placeOutputs(outputs: Readonly<Record<string, string>>) {
  return [outputs['pr-repository'], outputs['pr-number']];
}

const unknown = [undefined, undefined, undefined, undefined, undefined];

/** What a test expects of the log: the one line about a pull request that was not read. */
function lines(stdout: string): string[] {
  return stdout
    .split('\n')
    .filter((line) => line.startsWith('The title and size'))
    .map((line) => line.replace(/127\.0\.0\.1:\d+/, 'HOST'));
}

describe('the pull request', () => {
  it('is read with docs-token, which is used for nothing else', async () => {
    const result = await run({ [`GET ${path}`]: good }, { 'docs-token': docsToken });
    expect(pullOutputs(result.outputs)).toEqual([
      'Document --watch @acme/everyone ',
      'docs-agent/job_8f2',
      'main',
      pull.head.sha,
      '2',
    ]);
    expect(placeOutputs(result.outputs)).toEqual(['acme/docs', '12']);
    expect(result.github.calls).toEqual([`GET ${path}`]);
    expect(result.github.arrivals[0]?.headers.authorization).toBe(`token ${docsToken}`);
    expect(result.stdout).toContain(`::add-mask::${docsToken}`);
    expect(result.summary).toContain('<code>Document --watch &#64;acme/everyone</code>');
    expect(result.summary).toContain('2 files, 14 lines added, 1 deleted');
  });

  it('is read with github-token where there is no other', async () => {
    const { github } = await run({ [`GET ${path}`]: good });
    expect(github.arrivals[0]?.headers.authorization).toBe(`token ${githubToken}`);
  });

  it.each<[string, Reply]>([
    [
      'another repository, which the default token does not see',
      { status: 404, body: { message: 'Not Found' } },
    ],
    ['a refusal', { status: 403, body: { message: 'Resource not accessible by integration' } }],
    ['a wrong token', { status: 401, body: { message: 'Bad credentials' } }],
    ['a fault', { status: 500 }],
    ['a broken connection', reset],
    ['half an answer', halfAnswer],
    ['silence', silence],
    ['nonsense', { status: 200, body: { title: 'x' } }],
    ['HTML', { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>' }],
  ])('stays unknown without a failure: %s', async (_name, reply) => {
    const result = await run({ [`GET ${path}`]: reply });
    expect(pullOutputs(result.outputs)).toEqual(unknown);
    expect(lines(result.stdout)).toMatchSnapshot();
    expect(lines(result.stdout)).toHaveLength(1);
    expect(annotations(result, 'warning')).toEqual([]);
  });

  it('stays unknown without a token', async () => {
    const result = await run({ [`GET ${path}`]: good }, { 'github-token': '' });
    expect(result.github.calls).toEqual([]);
    expect(lines(result.stdout)).toHaveLength(1);
  });

  it.each([
    ['another host', () => 'https://github.example/acme/docs/pull/12'],
    ['another port', () => 'http://127.0.0.1:9/acme/docs/pull/12'],
    ['another form', (github: ScriptedGitHub) => `${github.url}/acme/docs/-/merge_requests/12`],
  ])('is not asked for elsewhere: %s', async (_name, linkOf) => {
    const result = await run({ [`GET ${path}`]: good }, { 'docs-token': docsToken }, linkOf);
    expect(result.outputs['pr-link']).toBe(linkOf(result.github));
    expect(placeOutputs(result.outputs)).toEqual(['', '']);
    expect(result.github.calls).toEqual([]);
    expect(pullOutputs(result.outputs)).toEqual(unknown);
    expect(lines(result.stdout)).toEqual([]);
  });

  it('has a plain link, whichever of its pages the API names', async () => {
    const result = await run({ [`GET ${path}`]: good }, {}, ({ url }) => {
      return `${url}/acme/docs/pull/12/files?w=$(id)&x=::error::#y##[error]`;
    });
    expect(result.outputs['pr-link']).toBe(`${result.github.url}/acme/docs/pull/12`);
    expect(result.outputs['message']).toMatch(/\/acme\/docs\/pull\/12$/);
    expect(placeOutputs(result.outputs)).toEqual(['acme/docs', '12']);
  });
});

describe('a redirect', () => {
  it('is followed inside the API, where a repository was renamed', async () => {
    const renamed = '/repositories/42/pulls/12';
    const { outputs, github } = await run({
      [`GET ${path}`]: { status: 301, headers: { location: renamed } },
      [`GET ${renamed}`]: good,
    });
    expect(outputs['pr-changed-files']).toBe('2');
    expect(github.arrivals.map(({ headers }) => headers.authorization)).toEqual([
      `token ${githubToken}`,
      `token ${githubToken}`,
    ]);
  });

  it.each([301, 302, 307, 308])('takes the token nowhere else: %i', async (status) => {
    const elsewhere = await scriptedGitHub({ [`GET ${path}`]: good });
    onTestFinished(() => elsewhere.close());
    const location = `${elsewhere.url}${path}`;
    const { outputs } = await run({ [`GET ${path}`]: { status, headers: { location } } });
    expect(elsewhere.calls).toEqual([]);
    expect(pullOutputs(outputs)).toEqual(unknown);
  });

  it('is not followed for ever', async () => {
    const { github } = await run({ [`GET ${path}`]: { status: 302, headers: { location: path } } });
    expect(github.calls).toHaveLength(4);
  });
});
