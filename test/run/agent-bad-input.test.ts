import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { bundleOf } from '../../scripts/actions.ts';
import { readManifest } from '../../scripts/tables.ts';
import { type AgentRun, annotations, runAgainst, runAgent } from '../helpers/run.ts';
import {
  apiKey,
  created,
  done,
  ended,
  type Reply,
  type ScriptedApi,
  scriptedApi,
} from '../helpers/servers.ts';

let api: ScriptedApi;
let outside: string;

beforeAll(async () => {
  api = await scriptedApi([created, done]);
  outside = mkdtempSync(join(tmpdir(), 'outside-'));
  writeFileSync(join(outside, 'secret.txt'), 'not for the agent');
});

afterAll(async () => {
  await api.close();
  rmSync(outside, { recursive: true });
});

const moreThanAnAddress =
  'Input base-url has user info, a query or a fragment: it takes an https address with only a host and a path, such as https://api.mintlify.com (plain http for loopback addresses only).';
const noPrompt =
  // biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of the workflow.
  'Input prompt and input prompt-file arrived empty: give one of them, or a job-id to wait for an existing job (if one has an expression: ${{ }} gives nothing for a misspelt name, for a field that this event lacks, and for an output of a step that did not run).';
const keyIsOdd =
  'Input api-key contains a space, a line break, a quote or a character that is not ASCII: copy only the value, without quotes, into the secret again.';

type Inputs = Readonly<Record<string, string>>;

const cases: readonly (readonly [
  name: string,
  inputs: Inputs,
  sentence: string,
  step?: AgentRun,
])[] = [
  ['neither prompt nor prompt-file', { prompt: '' }, noPrompt],
  [
    'both prompt and prompt-file',
    { 'prompt-file': 'a.md' },
    'Input prompt and input prompt-file are both given: give one of them.',
    { files: { 'a.md': 'Do it' } },
  ],
  [
    'on-open-pr without a label',
    { 'on-open-pr': 'continue' },
    'Input on-open-pr is "continue", and input pr-label is empty: give pr-label too, because open pull requests are found by it, or set on-open-pr to "new".',
  ],
  [
    'an unknown on-open-pr',
    { 'on-open-pr': 'update', 'pr-label': 'docs' },
    'Input on-open-pr is "update": it takes new, continue or skip.',
  ],
  [
    'a pr-label with a comma',
    { 'pr-label': 'docs, weekly' },
    'Input pr-label is "docs, weekly": it takes one label of at most 50 characters, all on one line and without a comma.',
  ],
  [
    'a pr-label on two lines',
    { 'pr-label': 'docs\nweekly' },
    'Input pr-label is "docs weekly": it takes one label of at most 50 characters, all on one line and without a comma.',
  ],
  [
    'a docs-repository without an owner',
    { 'docs-repository': 'docs' },
    'Input docs-repository is "docs": it takes the owner and the name of a repository, such as acme/docs.',
  ],
  [
    'a misspelt placeholder',
    { prompt: 'Write it for {{audiance}}', variables: 'audience: us' },
    'Input prompt has "{{audiance}}", which nothing fills: add a line such as "audiance: value" to variables, or to keep the braces in the prompt, "audiance: \'{{audiance}}\'".',
  ],
  ['a blank prompt', { prompt: ' \n\t ' }, noPrompt],
  [
    'a blank prompt-file',
    { prompt: '', 'prompt-file': 'a.md' },
    'Input prompt-file is blank: write what the agent should do.',
    { files: { 'a.md': '\n' } },
  ],
  [
    'a prompt-file that is missing',
    { prompt: '', 'prompt-file': 'missing.md' },
    'Input prompt-file names "missing.md", which does not exist: give the path of a file in the workspace, and check that an earlier step checked it out or wrote it.',
  ],
  [
    'a prompt-file without a workspace',
    { prompt: '', 'prompt-file': 'a.md' },
    'Environment variable GITHUB_WORKSPACE names a folder that does not exist: check that no earlier step removed the workspace, and that a container mounts it.',
    { env: { GITHUB_WORKSPACE: '/nowhere/at/all' } },
  ],
  [
    'a prompt-file in UTF-16 without a byte order mark',
    { prompt: '', 'prompt-file': 'a.md' },
    'Input prompt-file names "a.md", which is not UTF-8 text: save the file as UTF-8 or name another one.',
    { files: { 'a.md': [...'Do it'].join('\0') } },
  ],
  [
    'a placeholder file with a NUL',
    { prompt: 'See {{file:a.txt}}' },
    'Input prompt, placeholder "{{file:a.txt}}", names "a.txt", which is not UTF-8 text: save the file as UTF-8 or name another one.',
    { files: { 'a.txt': 'text\n\0' } },
  ],
  [
    'a prompt-file that is a folder',
    { prompt: '', 'prompt-file': 'docs' },
    'Input prompt-file names "docs", which is a folder: give the path of a file.',
    { files: { 'docs/a.md': 'x' } },
  ],
  [
    'a prompt-file outside the workspace',
    { prompt: '', 'prompt-file': '../event.json' },
    'Input prompt-file names "../event.json", which is outside the workspace: give the path of a file inside it.',
  ],
  [
    'a placeholder file that is missing',
    { prompt: 'See {{file:missing.txt}}' },
    'Input prompt, placeholder "{{file:missing.txt}}", names "missing.txt", which does not exist: give the path of a file in the workspace, and check that an earlier step checked it out or wrote it.',
  ],
  [
    'a placeholder file outside the workspace',
    { prompt: 'See {{file:/etc/hostname}}' },
    'Input prompt, placeholder "{{file:/etc/hostname}}", names "/etc/hostname", which is outside the workspace: give the path of a file inside it.',
  ],
  [
    'variables that are no mapping',
    { variables: '- a' },
    'Input variables is not a YAML mapping: write one "name: value" per line.',
  ],
  [
    'variables with a value that YAML takes for a mapping',
    { variables: 'title: Fix: it' },
    'Input variables cannot be read as YAML (line 1): write one "name: value" per line, and quote a value that has ": " or " #" in it.',
  ],
  [
    'variables with an alias',
    { variables: 'a: &x 1\nb: *x' },
    'Input variables uses a YAML anchor: repeat the value instead.',
  ],
  [
    'variables with a reserved name',
    { variables: 'event: 1' },
    'Input variables has the name "event": a name starts with a letter or "_", followed by letters, digits, "-" and "_", and is not event, file or changes.',
  ],
  [
    'an event path that does not exist',
    { prompt: '{{event.issue.body}}' },
    'Input prompt has the placeholder "{{event.issue.body}}", which does not exist in this event\'s payload: check its spelling and which event starts the workflow.',
  ],
  [
    'a placeholder that no variable can fill',
    { prompt: '{{ name | upper }}', variables: 'name: us' },
    'Input prompt has "{{name | upper}}", which nothing fills: write a placeholder such as "{{event.issue.title}}", "{{file:notes.txt}}", "{{changes}}" or "{{changes:patches}}", or the name of a variable, whose value may have such braces.',
  ],
  [
    'no key',
    { 'api-key': '' },
    'Input api-key is empty: store an admin API key as a secret, pass that secret to this input, and check the spelling of its name, because GitHub passes an empty string for a secret that does not exist.',
  ],
  ...['mint_dsc_assistant', 'mint_us_index'].map(
    (key) =>
      [
        `the key ${key}`,
        { 'api-key': key },
        'Input api-key has an assistant key or an index key: create a new admin key on the API keys page of the dashboard (it begins with "mint_", and expires after 90 days by default) and store it in the secret that api-key uses.',
      ] as const,
  ),
  ['a key with a space', { 'api-key': 'mint_one two' }, keyIsOdd],
  ['a key of two lines', { 'api-key': 'mint_one\nmint_two' }, keyIsOdd],
  ['a key in quotes', { 'api-key': `"${apiKey}"` }, keyIsOdd],
  ['a key beyond ASCII', { 'api-key': 'mint_schlüssel' }, keyIsOdd],
  [
    'no project-id',
    { 'project-id': '' },
    'Input project-id is empty: copy it from the API keys page of the dashboard, and check the spelling of the variable or secret that you keep it in, because GitHub passes an empty string for one that does not exist.',
  ],
  [
    'a key as project-id',
    { 'project-id': apiKey, 'api-key': '66f0a1b2c3d4' },
    'Input project-id has the form of an API key: write the project id there, and the key into api-key, by a secret.',
  ],
  [
    'a project-id with a slash',
    { 'project-id': '../other' },
    'Input project-id is "../other": copy it from the API keys page of the dashboard (letters, digits, "-", "_", "." and ":").',
  ],
  [
    'a base-url without https',
    { 'base-url': 'http://api.example' },
    'Input base-url is "http://api.example": it takes an https address with only a host and a path, such as https://api.mintlify.com (plain http for loopback addresses only).',
  ],
  [
    'a base-url that is no URL',
    { 'base-url': 'api.example' },
    'Input base-url is "api.example": it takes an https address with only a host and a path, such as https://api.mintlify.com (plain http for loopback addresses only).',
  ],
  ['a base-url with user info', { 'base-url': 'https://user:pass@api.example' }, moreThanAnAddress],
  ['a base-url with a query', { 'base-url': 'https://api.example?x=1' }, moreThanAnAddress],
  [
    'an empty job-id',
    { 'job-id': '' },
    'Input job-id is empty: check that the step it comes from ran and set it, or write "new" to start a job.',
  ],
  [
    'a job-id of two lines',
    { 'job-id': 'a\nb' },
    'Input job-id is "a b": it takes "new", "from-pull-request" or the id of a job (one line of at most 96 bytes, without invisible characters).',
  ],
  [
    'a wait that is no number',
    { 'wait-minutes': 'soon' },
    'Input wait-minutes is "soon": it takes a number of minutes from 0 to 7200.',
  ],
  [
    'an absurd wait',
    { 'wait-minutes': '99999' },
    'Input wait-minutes is "99999": it takes a number of minutes from 0 to 7200.',
  ],
  [
    'an interval of zero',
    { 'poll-interval-seconds': '0' },
    'Input poll-interval-seconds is "0": it takes a number of seconds from 1 to 300.',
  ],
  [
    'an unknown word in fail-on',
    { 'fail-on': 'failed, sometimes' },
    'Input fail-on has "sometimes": it takes any of no-pull-request, failed, archived, timed-out and skipped, or "none".',
  ],
  [
    'none beside another word in fail-on',
    { 'fail-on': 'none, failed' },
    'Input fail-on combines "none" with other words: write only "none".',
  ],
  [
    'a proxy without a scheme',
    { 'base-url': 'https://api.example' },
    'Environment variable HTTPS_PROXY is not the URL of a proxy: write it with its scheme, such as http://proxy.example:3128, and percent-encode its user name and password.',
    { env: { HTTPS_PROXY: 'user:secret@proxy:3128' } },
  ],
  [
    'a proxy that is an address alone',
    { 'base-url': 'https://api.example' },
    'Environment variable https_proxy is not the URL of a proxy: write it with its scheme, such as http://proxy.example:3128, and percent-encode its user name and password.',
    { env: { https_proxy: '10.0.0.1:3128' } },
  ],
];

describe('bad input', () => {
  it.for(cases)('%s', async ([, inputs, sentence, step = {}]) => {
    const before = api.calls.length;
    const result = await runAgent({ baseUrl: api.url, ...step, inputs });
    expect(result.exitCode).toBe(1);
    expect(result.outputs).toEqual({ result: 'error', reason: 'bad-input', message: sentence });
    expect(annotations(result, 'error')).toEqual([sentence]);
    expect(`${result.stdout}${result.stderr}`).not.toMatch(/^ +at /m);
    expect(api.calls.length).toBe(before);
    expectNoSecret(result.stdout, inputs['api-key']);
  });

  it.each(['project-id', 'job-id'])('a key as %s, which is masked', async (name) => {
    const inputs = { [name]: apiKey, 'api-key': 'the-project-id' };
    const { stdout, outputs } = await runAgent({ baseUrl: api.url, inputs });
    expect(outputs['reason']).toBe('bad-input');
    expect(outputs).not.toHaveProperty('job-id');
    expectNoSecret(stdout);
  });

  // These inputs take any text, or are masked.
  const others = ['allow-bots', 'matrix', 'api-key', 'project-id', 'job-id', 'github-token'];
  const names = Object.keys(readManifest(bundleOf('agent').actionFile).inputs).filter(
    (name) => ![...others, 'docs-token'].includes(name),
  );
  it.each(names)('another key as %s, which nothing repeats', async (name) => {
    const key = 'mint_dsc_pasted-0';
    const inputs = {
      prompt: name === 'prompt-file' ? '' : 'Hello {{file:x}}',
      'dry-run': 'true',
      [name]: ['prompt', 'variables'].includes(name) ? `{{file:${key}}}` : key,
    };
    const { stdout, outputs } = await runAgent({ baseUrl: api.url, inputs });
    expect(outputs['result']).toBe('error');
    expect(stdout + JSON.stringify(outputs)).not.toContain(key);
  });

  it('a prompt-file through a symbolic link out of the workspace', async () => {
    const workspace = mkdtempSync(join(tmpdir(), 'workspace-'));
    onTestFinished(() => rmSync(workspace, { recursive: true }));
    symlinkSync(outside, join(workspace, 'link'));
    const result = await runAgent({
      baseUrl: api.url,
      inputs: { prompt: '', 'prompt-file': 'link/secret.txt' },
      env: { GITHUB_WORKSPACE: workspace },
    });
    expect(result.outputs).toMatchObject({ result: 'error', reason: 'bad-input' });
    expect(result.outputs['message']).toBe(
      'Input prompt-file names "link/secret.txt", which is outside the workspace: give the path of a file inside it.',
    );
  });
});

/** The key is only in the masking commands. */
function expectNoSecret(stdout: string, key = apiKey): void {
  const secrets = key.split('\n').filter((line) => line !== '');
  for (const secret of secrets) {
    expect(stdout).toContain(`::add-mask::${secret}`);
    expect(stdout.replaceAll(/^::add-mask::.*$/gm, '')).not.toContain(secret);
  }
}

describe('good input', () => {
  it('sends a prompt of 300 kB from a file whole', async () => {
    const text = 'Ä prompt of many characters. '.repeat(10_000);
    const { result, api } = await runAgainst([created, done], {
      inputs: { prompt: '', 'prompt-file': 'docs/prompt.md' },
      files: { 'docs/prompt.md': text },
    });
    expect(result.exitCode).toBe(0);
    expect(JSON.parse(api.arrivals[0]?.body ?? '')).toEqual({ prompt: text });
  });

  it('uses the default of every empty optional input', async () => {
    const { result } = await runAgainst([created, done], {
      inputs: {
        'prompt-file': '',
        variables: '',
        'wait-minutes': '',
        'poll-interval-seconds': '',
        'fail-on': '',
      },
    });
    expect(result.outputs['result']).toBe('pull-request');
  });

  it('starts a job if the runner passes no job-id', async () => {
    const env = { 'INPUT_JOB-ID': undefined };
    const { result } = await runAgainst([created, done], { env });
    expect(result.outputs['result']).toBe('pull-request');
  });

  it('keeps every character of an identifier, and the path of base-url', async () => {
    const id = 'a-b_c.d:e';
    const api = await scriptedApi([ended('failed', { id })]);
    onTestFinished(() => api.close());
    const result = await runAgent({
      baseUrl: `${api.url}/docs/`,
      inputs: { prompt: '', 'project-id': id, 'job-id': id },
    });
    expect(api.calls).toEqual(['GET /docs/v2/agent/a-b_c.d%3Ae/job/a-b_c.d%3Ae']);
    expect(result.outputs).toMatchObject({ result: 'failed', 'job-id': id });
  });

  it('trims the key, like every input', async () => {
    const inputs = { 'api-key': ` ${apiKey}\n` };
    const { result, api } = await runAgainst([created, done], { inputs });
    expect(result.stdout).toContain(`::add-mask::${apiKey}\n`);
    expect(api.arrivals[0]?.headers.authorization).toBe(`Bearer ${apiKey}`);
  });
});

describe('a warning', () => {
  const attached = { prompt: '', 'job-id': 'job_8f2' };

  it.each<[string, Inputs, readonly Reply[], string]>([
    [
      'of variables without a prompt',
      { ...attached, variables: 'a: 1' },
      [done],
      'Input variables is not used, because there is no prompt.',
    ],
    [
      'of a variable that no placeholder names',
      { variables: 'a: 1' },
      [created, done],
      'Input variables has a, but the prompt has no placeholder {{a}}.',
    ],
  ])('%s', async (_name, inputs, script, sentence) => {
    const { result } = await runAgainst(script, { inputs });
    expect(result.exitCode).toBe(0);
    expect(annotations(result, 'warning')).toEqual([sentence]);
  });
});
