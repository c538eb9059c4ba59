import { describe, expect, it, onTestFinished } from 'vitest';
import { bundleOf } from '../../scripts/actions.ts';
import { readManifest } from '../../scripts/tables.ts';
import { annotations, runOnEvent } from '../helpers/run.ts';
import {
  ended,
  githubError,
  githubToken,
  notFound,
  ok,
  type Reply,
  type Routes,
  reset,
  type ScriptedGitHub,
  scriptedGitHub,
  silence,
  startBoth,
} from '../helpers/servers.ts';

const docsToken = 'github_pat_d0cs';
const path = '/repos/acme/docs/pulls/12';
const details = `GET ${path}`;
const list = `GET ${path}/files`;

const pull = {
  number: 12,
  state: 'open',
  title: 'Document --watch @acme/everyone\u202E',
  head: { ref: 'docs-agent/job_8f2', sha: '78cc6426543cf9bedc56ec6145d21c0cbadf18c8' },
  base: { ref: 'main', sha: 'f95f852bd8fca8fcc58a9a2d6c842781e32a215e' },
  changed_files: 12,
  additions: 14,
  deletions: 1,
};
const good: Reply = ok(pull);
const names = Array.from({ length: 10 }, (_, index) => `docs/page-${index + 1}.mdx`);
const files: Reply = ok(names.map((filename) => ({ filename })));

/** A GitHub that returns the pull request and its files. */
const working: Routes = { [details]: good, [list]: files };

async function run(
  routes: Routes,
  inputs: Readonly<Record<string, string>> = {},
  linkOf = (github: ScriptedGitHub) => `${github.url}/acme/docs/pull/12`,
) {
  const { github, api } = await startBoth(routes, (github) => [
    ended('completed', { prLink: linkOf(github) }),
  ]);
  const result = await runOnEvent({
    eventName: 'schedule',
    event: 'schedule',
    githubUrl: github.url,
    baseUrl: api.url,
    inputs: { prompt: '', 'job-id': 'job_8f2', ...inputs },
  });
  expect(result.outputs['result']).toBe('pull-request');
  expect(result.exitCode).toBe(0);
  return { ...result, github };
}

const fromLink = ['pr-link', 'pr-number', 'pr-repository'];
const { outputs: declared } = readManifest(bundleOf('agent').actionFile);
const pullNames = Object.keys(declared).filter(
  (name) => name.startsWith('pr-') && !fromLink.includes(name),
);

/** The outputs about the pull request that only GitHub can tell. */
function pullOutputs(outputs: Readonly<Record<string, string>>) {
  return pullNames.map((name) => outputs[name]);
}

/** The outputs with which the next step refers to the pull request. */
function placeOutputs(outputs: Readonly<Record<string, string>>) {
  return [outputs['pr-repository'], outputs['pr-number']];
}

const known = [
  'Document --watch @acme/everyone ',
  'docs-agent/job_8f2',
  'main',
  pull.head.sha,
  '12',
];
const unknown = pullNames.map(() => undefined);

/** The lines of the log about a pull request that could not be read. */
function lines(stdout: string): string[] {
  return stdout
    .split('\n')
    .filter((line) => line.startsWith('The title and files'))
    .map((line) => line.replace(/127\.0\.0\.1:\d+/, 'HOST'));
}

describe('the pull request', () => {
  it('has outputs that action.yml says need a token', () => {
    const silent = pullNames.filter(
      (name) => !declared[name]?.description.includes('if a token can read it'),
    );
    expect(silent).toEqual([]);
  });

  it('is read with docs-token, which is used for nothing else', async () => {
    const result = await run(working, { 'docs-token': docsToken });
    expect(pullOutputs(result.outputs)).toEqual(known);
    expect(placeOutputs(result.outputs)).toEqual(['acme/docs', '12']);
    expect(result.github.calls.toSorted()).toEqual([details, `${list}?per_page=10`]);
    for (const { headers } of result.github.arrivals) {
      expect(headers.authorization).toBe(`token ${docsToken}`);
    }
    expect(result.stdout).toContain(`::add-mask::${docsToken}`);
  });

  it('is read with github-token if there is no other token', async () => {
    const { github } = await run(working);
    expect(github.arrivals.map(({ headers }) => headers.authorization)).toEqual([
      `token ${githubToken}`,
      `token ${githubToken}`,
    ]);
  });

  it.each<[string, Reply, string]>([
    [
      'another repository, which the default token does not see',
      notFound,
      'GitHub responded with 404 ("Not Found"): docs-token is empty, and this workflow\'s own token sees no repository acme/docs, so if that is its name, create a fine-grained token for it that has the permission "pull-requests: read", store it as a secret, and set docs-token to it',
    ],
    [
      'a refusal',
      githubError(403, 'Resource not accessible by integration'),
      'GitHub responded with 403 ("Resource not accessible by integration"): give docs-token the permission "pull-requests: read" on acme/docs',
    ],
    [
      'a wrong token',
      githubError(401, 'Bad credentials'),
      'GitHub responded with 401 ("Bad credentials"): check that docs-token is complete and has not expired, as the token of an App does after an hour',
    ],
    ['a fault', { status: 500 }, 'GitHub responded with 500'],
    ['a broken connection', reset, 'GitHub did not respond (UND_ERR_SOCKET)'],
    ['silence', silence, 'GitHub did not respond'],
    [
      'nonsense',
      ok({ title: 'x' }),
      'GitHub responded with 200, but in a form that this action cannot read',
    ],
  ])('that cannot be read never fails the step: %s', async (_name, reply, words) => {
    const result = await run({ [details]: reply, [list]: files });
    expect(pullOutputs(result.outputs)).toEqual(unknown);
    expect(lines(result.stdout)).toEqual([
      `The title and files of pull request acme/docs#12 could not be read, because ${words}.`,
    ]);
    expect(annotations(result, 'warning')).toEqual([]);
  });

  it('is not read without a token', async () => {
    const result = await run(working, { 'github-token': '' });
    expect(result.github.calls).toEqual([]);
    expect(lines(result.stdout)).toHaveLength(1);
  });

  it.each([
    ['another host', () => 'https://github.example/acme/docs/pull/12'],
    ['another port', () => 'http://127.0.0.1:9/acme/docs/pull/12'],
    ['another form', (github: ScriptedGitHub) => `${github.url}/acme/docs/-/merge_requests/12`],
  ])('on %s is never requested', async (_name, linkOf) => {
    const result = await run(working, { 'docs-token': docsToken }, linkOf);
    expect(result.outputs['pr-link']).toBe(linkOf(result.github));
    expect(placeOutputs(result.outputs)).toEqual([undefined, undefined]);
    expect(result.github.calls).toEqual([]);
    expect(pullOutputs(result.outputs)).toEqual(unknown);
    expect(lines(result.stdout)).toEqual([]);
  });

  it('has a plain link, whichever of its pages the API links to', async () => {
    const result = await run(working, {}, ({ url }) => {
      return `${url}/acme/docs/pull/12/files?w=$(id)&x=::error::#y##[error]`;
    });
    expect(result.outputs['pr-link']).toBe(`${result.github.url}/acme/docs/pull/12`);
    expect(result.outputs['message']).toMatch(/\/acme\/docs\/pull\/12$/);
    expect(placeOutputs(result.outputs)).toEqual(['acme/docs', '12']);
  });
});

describe('the report of a pull request', () => {
  const here = ({ url }: ScriptedGitHub) => `${url}/acme/product/pull/12`;
  const of = (routes: Routes): Routes =>
    Object.fromEntries(
      Object.entries(routes).map(([route, reply]) => [
        route.replace('acme/docs', 'acme/product'),
        reply,
      ]),
    );

  /** The part of the summary between its heading and the next steps. */
  async function shown(routes: Routes, linkOf = here) {
    const { summary, ...result } = await run({ ...working, ...of(routes) }, {}, linkOf);
    const [, text = ''] = /\n\n([\s\S]*?)\n\n\*\*Next/.exec(summary) ?? [];
    return { ...result, text: text.replace(/127\.0\.0\.1:\d+/, 'HOST') };
  }

  it('shows its title, its size and its first ten files', async () => {
    const { text, outputs } = await shown(working);
    expect(outputs['pr-changed-files']).toBe('12');
    expect(text).toMatchInlineSnapshot(`
      "Pull request: <a href="http://HOST/acme/product/pull/12"><code>acme/product&#35;12</code></a> <code>Document --watch &#64;acme/everyone</code><br>12 files changed, 14 lines added, 1 deleted:

      - <code>docs/page-1.mdx</code>
      - <code>docs/page-2.mdx</code>
      - <code>docs/page-3.mdx</code>
      - <code>docs/page-4.mdx</code>
      - <code>docs/page-5.mdx</code>
      - <code>docs/page-6.mdx</code>
      - <code>docs/page-7.mdx</code>
      - <code>docs/page-8.mdx</code>
      - <code>docs/page-9.mdx</code>
      - <code>docs/page-10.mdx</code>
      - and 2 more"
    `);
  });

  it.each<[string, Reply]>([
    ['refused', githubError(403, 'Resource not accessible by integration')],
    ['left in silence', silence],
    [
      'answered with HTML',
      { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>' },
    ],
  ])(
    'has no list if the request for the files is %s, and is the same otherwise',
    async (_name, reply) => {
      const { text, outputs, stdout, exitCode } = await shown({ ...working, [list]: reply });
      expect(text).toBe(
        'Pull request: <a href="http://HOST/acme/product/pull/12"><code>acme/product&#35;12</code></a> <code>Document --watch &#64;acme/everyone</code><br>12 files changed, 14 lines added, 1 deleted.',
      );
      expect(pullOutputs(outputs)).toEqual(known);
      expect(lines(stdout)).toEqual([]);
      expect(stdout).not.toMatch(/^::(?:warning|error)::/m);
      expect(exitCode).toBe(0);
    },
  );

  it('only has the link if the pull request is in another repository', async () => {
    const { text, outputs } = await shown(working, ({ url }) => `${url}/acme/docs/pull/12`);
    expect(pullOutputs(outputs)).toEqual(known);
    expect(text).toMatchInlineSnapshot(
      `"Pull request: <a href="http://HOST/acme/docs/pull/12"><code>acme/docs&#35;12</code></a>"`,
    );
  });
});

describe('a redirect', () => {
  it('is followed to a renamed repository of the same API', async () => {
    const renamed = '/repositories/42/pulls/12';
    const { outputs, github } = await run({
      [`GET ${path}`]: { status: 301, headers: { location: renamed } },
      [`GET ${renamed}`]: good,
    });
    expect(outputs['pr-changed-files']).toBe('12');
    expect(new Set(github.arrivals.map(({ headers }) => headers.authorization))).toEqual(
      new Set([`token ${githubToken}`]),
    );
  });

  it.each([301, 302, 307, 308])('sends the token to no other server: %i', async (status) => {
    const elsewhere = await scriptedGitHub(working);
    onTestFinished(() => elsewhere.close());
    const location = `${elsewhere.url}${path}`;
    const { outputs } = await run({ [`GET ${path}`]: { status, headers: { location } } });
    expect(elsewhere.calls).toEqual([]);
    expect(pullOutputs(outputs)).toEqual(unknown);
  });

  it('is not followed without end', async () => {
    const { github } = await run({ [`GET ${path}`]: { status: 302, headers: { location: path } } });
    expect(github.calls.filter((call) => call === details)).toHaveLength(4);
  });
});
