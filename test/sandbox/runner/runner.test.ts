import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { RunContext } from '../../../sandbox/runner/env.ts';
import { runStep, type Step, type StepResult } from '../../../sandbox/runner/runner.ts';

const context: RunContext = {
  serverUrl: 'http://127.0.0.1:1',
  repository: 'acme/product',
  actor: 'maintainer',
  eventName: 'issues',
  token: 'the-workflow-token',
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'runner-test-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
function write(name: string, text: string): string {
  files += 1;
  const path = join(folder, `${files}-${name}`);
  writeFileSync(path, text);
  return path;
}

/** Runs JavaScript as a bundled action. */
function run(source: string, step: Partial<Step> = {}): Promise<StepResult> {
  return runStep({ entry: write('action.mjs', source), context, ...step });
}

const PRINT_ENVIRONMENT = 'console.log(JSON.stringify(process.env))';

async function environment(step: Partial<Step>): Promise<Record<string, string>> {
  const { stdout } = await run(PRINT_ENVIRONMENT, step);
  return v.parse(v.record(v.string(), v.string()), JSON.parse(stdout));
}

describe('inputs', () => {
  const actionFile = () =>
    write(
      'action.yml',
      `inputs:
  api-key: { required: true, description: A key }
  wait minutes: { default: 30 }
  comment: { default: 'auto' }
  strict: { default: true }
  prompt: { description: No default }
  github-token: { default: '\${{ github.token }}' }
`,
    );

  test('become variables in upper case, with their hyphens and their defaults', async () => {
    const env = await environment({
      actionFile: actionFile(),
      inputs: { comment: 'false', 'api-key': 'k', Unknown: 'x' },
    });
    const inputs = Object.entries(env).filter(([name]) => name.startsWith('INPUT_'));
    expect(Object.fromEntries(inputs)).toEqual({
      'INPUT_API-KEY': 'k',
      INPUT_WAIT_MINUTES: '30',
      INPUT_COMMENT: 'false',
      INPUT_STRICT: 'true',
      INPUT_PROMPT: '',
      'INPUT_GITHUB-TOKEN': 'the-workflow-token',
      INPUT_UNKNOWN: 'x',
    });
  });

  test('with another expression as their default are refused', async () => {
    const bad = write('action.yml', `inputs: { a: { default: '\${{ github.actor }}' } }`);
    await expect(run('', { actionFile: bad })).rejects.toThrow('"a" is an expression');
  });
});

describe('the environment', () => {
  test('has no variables of this process that a step does not need', async () => {
    vi.stubEnv('SECRET_OF_OURS', 'x');
    vi.stubEnv('GITHUB_TOKEN', 'x');
    vi.stubEnv('HTTP_PROXY', 'http://proxy.example');
    vi.stubEnv('NODE_OPTIONS', '--no-warnings');
    const env = await environment({});
    vi.unstubAllEnvs();
    const own = ['PATH', 'TMPDIR', 'TEMP', 'TMP', 'CI', 'HOME'];
    const others = Object.keys(env).filter((name) => !own.includes(name));
    expect(others.filter((name) => !/^(GITHUB|RUNNER)_/.test(name))).toEqual([]);
    expect(env).not.toHaveProperty('GITHUB_TOKEN');
    expect(env['HOME']).not.toBe(process.env['HOME']);
  });

  test('describes the run, and can be overridden by the test', async () => {
    const env = await environment({
      context: { ...context, apiUrl: 'http://127.0.0.1:2/api/v3' },
      env: { GITHUB_RUN_ID: '42', GITHUB_JOB: undefined, EXTRA: 'yes' },
    });
    expect(env).toMatchObject({
      GITHUB_ACTIONS: 'true',
      GITHUB_ACTOR: 'maintainer',
      GITHUB_API_URL: 'http://127.0.0.1:2/api/v3',
      GITHUB_GRAPHQL_URL: 'http://127.0.0.1:2/api/v3/graphql',
      GITHUB_EVENT_NAME: 'issues',
      GITHUB_REPOSITORY: 'acme/product',
      GITHUB_REPOSITORY_OWNER: 'acme',
      GITHUB_SERVER_URL: 'http://127.0.0.1:1',
      GITHUB_RUN_ID: '42',
      EXTRA: 'yes',
    });
    expect(env).not.toHaveProperty('GITHUB_JOB');
  });

  test('has the paths of the event and the workspace', async () => {
    const { stdout } = await run(
      `import { readFileSync } from 'node:fs';
       console.log(readFileSync(process.env.GITHUB_EVENT_PATH, 'utf8'));
       console.log(process.cwd() === process.env.GITHUB_WORKSPACE);
       console.log(readFileSync('docs/prompt.md', 'utf8'));`,
      { event: { issue: { number: 7 } }, files: { 'docs/prompt.md': 'Mention --watch' } },
    );
    expect(stdout.split('\n')).toEqual(['{"issue":{"number":7}}', 'true', 'Mention --watch', '']);
  });
});

describe('the result', () => {
  test('has outputs, state and summary, also after a failure', async () => {
    const result = await run(
      `import { appendFileSync } from 'node:fs';
       const { GITHUB_OUTPUT, GITHUB_STATE, GITHUB_STEP_SUMMARY } = process.env;
       appendFileSync(GITHUB_OUTPUT, 'job-id=job_1\\nmessage<<E\\none\\ntwo\\nE\\n');
       appendFileSync(GITHUB_OUTPUT, 'job-id=job_2\\n');
       appendFileSync(GITHUB_STATE, 'seen=true\\n');
       appendFileSync(GITHUB_STEP_SUMMARY, '# Done\\n');
       console.log('out');
       console.error('err');
       process.exitCode = 3;`,
    );
    expect(result).toEqual({
      exitCode: 3,
      signal: null,
      stdout: 'out\n',
      stderr: 'err\n',
      outputs: { 'job-id': 'job_2', message: 'one\ntwo' },
      summary: '# Done\n',
      state: { seen: 'true' },
    });
  });

  test('comes line by line, with any line end', async () => {
    const lines: string[] = [];
    await run(`process.stdout.write('a\\r\\nb\\rc\\u2028d\\n\\n😀'); console.error('e');`, {
      onLine: (line, stream) => lines.push(`${stream}: ${line}`),
    });
    const expected = ['stdout: a', 'stdout: b', 'stdout: c\u2028d', 'stdout: ', 'stdout: 😀'];
    expect(lines.filter((line) => line.startsWith('stdout'))).toEqual(expected);
    expect(lines).toContain('stderr: e');
  });
});

describe('signals', () => {
  const WAITING = `process.once('SIGINT', () => { console.log('cancelled'); clearInterval(alive); });
    const alive = setInterval(() => {}, 1000);
    console.log('ready');`;

  test('start with SIGINT when the run is cancelled', async () => {
    const cancelling = new AbortController();
    const { stdout } = await run(WAITING, {
      cancel: cancelling.signal,
      onLine: (line) => {
        if (line === 'ready') cancelling.abort();
      },
    });
    expect(stdout).toBe('ready\ncancelled\n');
  });
});
