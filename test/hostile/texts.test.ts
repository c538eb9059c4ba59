import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StepResult } from '../../sandbox/runner/runner.ts';
import { outputLine } from '../../src/text/output.ts';
import { annotations, runOnEvent, runVisitors } from '../helpers/run.ts';
import {
  installation,
  jobBody,
  permissions,
  quietIssue,
  type Reply,
  scriptedApi,
  scriptedGitHub,
  totals,
} from '../helpers/servers.ts';
import { echo } from './echo.ts';
import { canary, hostileText } from './hostile-text.ts';
import { findEffects } from './markdown-oracle.ts';
import { executedCommands, ownCommands } from './runner-commands.ts';

/** Each value is a run of a bundle, which is slow on a busy machine. */
const timeoutMs = 120_000;
const settings = { numRuns: 12, endOnFailure: true } as const;

function expectHarmless(step: StepResult): void {
  const commands = executedCommands(`${step.stdout}\n${step.stderr}`);
  expect(commands.filter(({ name }) => !ownCommands.has(name))).toEqual([]);
  // Our own commands contain our own sentences; an injected one would start with untrusted text.
  expect(commands.filter(({ line }) => /^::\w+::[^A-Z]*zq7x/.test(line))).toEqual([]);
  expect(step.stderr).toBe('');
  expect(findEffects(step.summary)).toEqual([]);
  expectSafeToEcho(step);
}

function expectSafeToEcho({ outputs }: StepResult): void {
  expect(echo(outputs)).toEqual({ commands: [], broken: {} });
}

/** The text as it is in a UTF-8 file. */
const inUtf8 = (text: string) => text.toWellFormed();

describe('the agent action', () => {
  const texts = fc.record({
    model: hostileText,
    repository: hostileText,
    ref: hostileText,
    status: hostileText,
    error: hostileText,
    title: hostileText,
    branch: hostileText,
    path: hostileText,
    // Reports show the title and the files of a pull request in this repository only.
    docs: fc.constantFrom('acme/product', 'acme/docs'),
    issue: hostileText,
    file: hostileText,
    variable: hostileText,
  });

  it(
    'treats text as data, whoever wrote it',
    async () => {
      await fc.assert(
        fc.asyncProperty(texts, async (given) => {
          const { step, comments } = await runAgentWith(given);
          expectHarmless(step);
          expect(annotations(step, 'error')).toEqual([]);
          expect(step.outputs).toMatchObject({
            result: 'pull-request',
            'job-id': 'job_8f2',
            model: outputLine(given.model),
            repository: outputLine(given.repository),
            ref: outputLine(given.ref),
            'pr-title': outputLine(given.title),
            'pr-branch': outputLine(given.branch),
          });
          expect(comments.length).toBeGreaterThan(0);
          for (const report of [step.summary, comments.at(-1)]) {
            expect(report?.includes('and 1 more')).toBe(given.docs === 'acme/product');
          }
          expect(comments.flatMap(findEffects)).toEqual([]);
        }),
        settings,
      );
    },
    timeoutMs,
  );

  it(
    'hands on no link that the API made up',
    async () => {
      await fc.assert(
        fc.asyncProperty(hostileText, async (link) => {
          const step = await endWithLink(link);
          expectHarmless(step);
          expect(step.outputs).toMatchObject({ result: 'error', reason: 'unreadable-answer' });
          expect(step.outputs['pr-link'] ?? '').toBe('');
          expect(annotations(step, 'error')).toHaveLength(1);
        }),
        settings,
      );
    },
    timeoutMs,
  );

  it(
    'says why the API refused, in words that do nothing',
    async () => {
      await fc.assert(
        fc.asyncProperty(hostileText, async (error) => {
          const step = await endWithRefusal(error);
          expectHarmless(step);
          expect(step.outputs).toMatchObject({ result: 'error', reason: 'request-refused' });
          expect(step.outputs['message']).toContain(canary);
          expect(annotations(step, 'error')).toHaveLength(1);
        }),
        settings,
      );
    },
    timeoutMs,
  );

  async function runAgentWith(given: Record<keyof Generated, string>) {
    const { model, repository, ref, status, error, docs } = given;
    await using github = disposable(
      await scriptedGitHub({
        ...permissions({ owner: 'admin' }),
        ...installation,
        ...quietIssue,
        [`GET /repos/${docs}/pulls/12`]: {
          status: 200,
          body: {
            title: given.title,
            state: 'open',
            head: { ref: given.branch, sha: 'a'.repeat(40) },
            base: { ref: 'main' },
            changed_files: 2,
            additions: 2,
            deletions: 3,
          },
        },
        [`GET /repos/${docs}/pulls/12/files`]: { status: 200, body: [{ filename: given.path }] },
      }),
    );
    const fields = { model, source: { repository, ref } };
    const script: readonly Reply[] = [
      { status: 201, body: jobBody(fields) },
      { status: 500, body: { error } },
      { status: 200, body: jobBody({ ...fields, status }) },
      { status: 503, headers: { 'retry-after': '1' }, body: error },
      {
        status: 200,
        body: jobBody({
          ...fields,
          status: 'completed',
          prLink: `${github.url}/${docs}/pull/12`,
        }),
      },
    ];
    await using service = disposable(await scriptedApi(script));
    const step = await runOnEvent({
      eventName: 'issues',
      event: labelled(given.issue),
      githubUrl: github.url,
      baseUrl: service.url,
      speed: 20,
      // A file with a NUL is no text, and refused.
      files: { 'notes.txt': inUtf8(given.file).replaceAll('\0', ' ') },
      // Event text is parsed in real time, so the clock is fast only after GitHub and the POST.
      env: { RUNNER_DEBUG: '1', FAST_CLOCK_AFTER: '2' },
      inputs: {
        prompt: '{{event.issue.body}} {{file:notes.txt}} {{text}}',
        variables: JSON.stringify({ text: given.variable, unused: canary }),
      },
    });
    const comments = github.arrivals
      .filter(({ method, path }) => method !== 'GET' && path.includes('/comments'))
      .map(({ body }) => String(JSON.parse(body).body));
    return { step, comments };
  }
});

interface Generated {
  model: string;
  repository: string;
  ref: string;
  status: string;
  error: string;
  title: string;
  branch: string;
  path: string;
  docs: string;
  issue: string;
  file: string;
  variable: string;
}

function endWithLink(prLink: string): Promise<StepResult> {
  return runThrough([
    { status: 201, body: jobBody() },
    { status: 200, body: jobBody({ status: 'completed', prLink }) },
  ]);
}

function endWithRefusal(error: string): Promise<StepResult> {
  return runThrough([{ status: 400, body: { error } }]);
}

async function runThrough(script: readonly Reply[]): Promise<StepResult> {
  await using service = disposable(await scriptedApi(script));
  return await runOnEvent({
    eventName: 'workflow_dispatch',
    event: {},
    githubUrl: 'http://127.0.0.1:9',
    baseUrl: service.url,
    speed: 20,
  });
}

/** An event in which the owner labels an issue with this text. */
function labelled(body: string): object {
  const owner = { login: 'owner', type: 'User' };
  return {
    action: 'labeled',
    issue: { number: 7, title: body, body, user: owner },
    label: { name: body },
    repository: { full_name: 'acme/product' },
    sender: owner,
  };
}

function disposable<Server extends { close(): Promise<void> }>(
  server: Server,
): Server & AsyncDisposable {
  return Object.assign(server, { [Symbol.asyncDispose]: () => server.close() });
}

describe('the visitors action', () => {
  const count = fc.nat({ max: 1_000_000 });
  const visitors = fc.uniqueArray(
    fc.record({ path: hostileText, human: count, ai: count, total: count }),
    { minLength: 1, maxLength: 30, selector: ({ path }) => inUtf8(path) },
  );

  it(
    'treats paths as data, and its CSV reads back to the same rows',
    async () => {
      await fc.assert(
        fc.asyncProperty(visitors, hostileText, async (rows, error) => {
          await using service = disposable(
            await scriptedApi([
              { status: 500, body: { error } },
              { status: 200, body: { totals, visitors: rows, hasMore: false } },
            ]),
          );
          const step = await runVisitors({ baseUrl: service.url, speed: 60 });
          expectHarmlessExport(step);
          const [csv = ''] = Object.values(step.files);
          const read = parse(csv, {
            columns: true,
            relax_quotes: false,
          });
          expect(read).toEqual(
            rows.map(({ path, ...figures }) => ({
              path: asCell(path),
              human: String(figures.human),
              ai: String(figures.ai),
              total: String(figures.total),
              days: expect.stringMatching(/^2\d{3}-\d\d-\d\d to /),
            })),
          );
        }),
        settings,
      );
    },
    timeoutMs,
  );
});

/** A spreadsheet would run a cell that starts like this, unless an apostrophe precedes it. */
function asCell(path: string): string {
  return /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/.test(path) ? `'${inUtf8(path)}` : inUtf8(path);
}

/** Its summary has a table with many columns. */
function expectHarmlessExport(step: StepResult): void {
  const commands = executedCommands(`${step.stdout}\n${step.stderr}`);
  expect(commands.filter(({ name }) => !ownCommands.has(name))).toEqual([]);
  expect(annotations(step, 'error')).toEqual([]);
  expect(step.stderr).toBe('');
  expectSafeToEcho(step);
  expect(step.summary.replaceAll(/<code>[^<]*<\/code>/g, '')).not.toContain(canary);
  expect(step.summary).not.toContain('`');
}
