import { expect, it } from 'vitest';
import { readEnvironment, readProxy } from '../../../src/runner/environment.ts';

/** As in `node dist/agent/index.js` without a runner. */
it('has defaults if the runner sets no variables', () => {
  const { workspace, run, runId, attempt, ...rest } = readEnvironment({});
  expect({ workspace, run, runId, attempt }).toEqual({
    workspace: '.',
    run: '0.1',
    runId: '0',
    attempt: 1,
  });
  expect(new Set(Object.values(rest))).toEqual(new Set(['']));
});

const whole = {
  GITHUB_WORKSPACE: '/work',
  GITHUB_EVENT_PATH: '/event.json',
  GITHUB_EVENT_NAME: 'issues',
  GITHUB_REPOSITORY: 'acme/product',
  GITHUB_REPOSITORY_ID: '77',
  GITHUB_SHA: 'abc',
  GITHUB_REF: 'refs/heads/main',
  GITHUB_ACTOR: 'ada',
  GITHUB_TRIGGERING_ACTOR: 'bob',
  GITHUB_SERVER_URL: 'https://github.example',
  GITHUB_API_URL: 'https://api.github.example',
  GITHUB_WORKFLOW_REF: 'acme/product/.github/workflows/docs.yml@refs/heads/a@b',
  GITHUB_WORKFLOW: 'Docs',
  GITHUB_JOB: 'docs',
  GITHUB_ACTION: '__run',
  GITHUB_RUN_ID: '1001',
  GITHUB_RUN_ATTEMPT: '2',
};

it('has what the runner says of the run', () => {
  expect(readEnvironment(whole)).toEqual({
    workspace: '/work',
    eventPath: '/event.json',
    eventName: 'issues',
    repository: 'acme/product',
    repositoryId: '77',
    sha: 'abc',
    ref: 'refs/heads/main',
    actor: 'ada',
    triggeringActor: 'bob',
    serverUrl: 'https://github.example',
    apiUrl: 'https://api.github.example',
    workflow: 'acme/product/.github/workflows/docs.yml',
    job: 'docs',
    step: '__run',
    runId: '1001',
    attempt: 2,
    run: '1001.2',
    runUrl: 'https://github.example/acme/product/actions/runs/1001',
  });
  expect(readEnvironment({ ...whole, GITHUB_WORKFLOW_REF: '' }).workflow).toBe('Docs');
  const file = 'acme/product/.github/workflows/docs@v1.yml';
  for (const ref of ['refs/heads/a@b', 'refs/pull/1/merge', '0a1b2c3']) {
    const { workflow } = readEnvironment({ ...whole, GITHUB_WORKFLOW_REF: `${file}@${ref}` });
    expect(workflow).toBe(file);
  }
});

it.each(['GITHUB_SERVER_URL', 'GITHUB_REPOSITORY', 'GITHUB_RUN_ID'])(
  'has no half of a link without %s',
  (name) => {
    expect(readEnvironment({ ...whole, [name]: '' }).runUrl).toBe('');
  },
);

const none = { httpProxy: '', httpsProxy: '', noProxy: '' };
const [one, two] = ['http://one:1', 'socks5://u%25:p%25@two:2'];

it.each([
  [{}, none],
  [
    { http_proxy: one, HTTP_PROXY: two },
    { ...none, httpProxy: one },
  ],
  [{ HTTP_PROXY: two }, { ...none, httpProxy: two }],
  [
    { https_proxy: one, HTTPS_PROXY: two },
    { ...none, httpsProxy: one },
  ],
  [{ HTTPS_PROXY: two }, { ...none, httpsProxy: two }],
  [
    { no_proxy: 'a', NO_PROXY: 'b' },
    { ...none, noProxy: 'a' },
  ],
  [{ NO_PROXY: 'b' }, { ...none, noProxy: 'b' }],
  [
    {
      http_proxy: '',
      HTTP_PROXY: two,
      https_proxy: '',
      HTTPS_PROXY: two,
      no_proxy: '',
      NO_PROXY: 'b',
    },
    none,
  ],
  [
    { http_proxy: 'https://one:1', https_proxy: 'socks://two' },
    { ...none, httpProxy: 'https://one:1', httpsProxy: 'socks://two' },
  ],
])('the proxies of %j', (variables, expected) => {
  expect(readProxy(variables)).toEqual(expected);
});

it.each(['proxy:3128', 'ftp://proxy:21', 'http://u%:p@proxy', 'http://u:p%@proxy'])(
  'a proxy cannot be %j',
  (https_proxy) => {
    expect(() => readProxy({ https_proxy })).toThrow(
      'Environment variable https_proxy is not the URL of a proxy: write it with its scheme, such as http://proxy.example:3128, and percent-encode its user name and password.',
    );
  },
);
