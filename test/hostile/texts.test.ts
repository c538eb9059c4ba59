import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StepResult } from '../../sandbox/runner/runner.ts';
import { parsePage } from '../../src/check/docs/page.ts';
import { outputLine } from '../../src/text/output.ts';
import { findingsOf, page } from '../helpers/change.ts';
import { annotations, judge, runOnEvent, runOnIssue, runVisitors } from '../helpers/run.ts';
import {
  closedUrl,
  jobBody,
  type Reply,
  scriptedApi,
  scriptedGitHub,
  totals,
  working,
} from '../helpers/servers.ts';
import { canary, hostileText } from './hostile-text.ts';
import { echo, executedCommands, findEffects, ownCommands } from './oracles.ts';

/** Each value is a run of a bundle. The units have the same properties, with many more values. */
const settings = { numRuns: 8, endOnFailure: true } as const;

/** No text has an effect in the log, the outputs and the summary. */
async function expectHarmless(step: StepResult): Promise<void> {
  const commands = executedCommands(`${step.stdout}\n${step.stderr}`);
  expect(commands.filter(({ name }) => !ownCommands.has(name))).toEqual([]);
  // Our own commands contain our own sentences; an injected one would start with untrusted text.
  expect(commands.filter(({ line }) => /^::\w+::[^A-Z]*zq7x/.test(line))).toEqual([]);
  expect(step.stderr).toBe('');
  expect(await findEffects(step.summary)).toEqual([]);
  expect(echo(step.outputs)).toEqual({ commands: [], broken: {} });
}

describe('the agent action', () => {
  const texts = fc.record({
    model: hostileText,
    repository: hostileText,
    ref: hostileText,
    status: hostileText,
    error: hostileText,
    title: hostileText,
    branch: hostileText,
    base: hostileText,
    path: hostileText,
    // Reports show the title and the files of a pull request in this repository only.
    docs: fc.constantFrom('acme/product', 'acme/docs'),
    issue: hostileText,
    file: hostileText,
    variable: hostileText,
  });

  it('treats text as data, whoever wrote it', async () => {
    await fc.assert(
      fc.asyncProperty(texts, async (given) => {
        const { step, comments } = await runWith(given);
        await expectHarmless(step);
        expect(annotations(step, 'error')).toEqual([]);
        expect(step.outputs).toMatchObject({
          result: 'pull-request',
          'job-id': 'job_8f2',
          model: outputLine(given.model),
          repository: outputLine(given.repository),
          ref: outputLine(given.ref),
          'pr-title': outputLine(given.title),
          'pr-branch': outputLine(given.branch),
          'pr-base': outputLine(given.base),
        });
        expect(comments.length).toBeGreaterThan(0);
        for (const report of [step.summary, comments.at(-1)]) {
          expect(report?.includes('and 1 more')).toBe(given.docs === 'acme/product');
        }
        expect((await Promise.all(comments.map(findEffects))).flat()).toEqual([]);
      }),
      settings,
    );
  });

  it('says why the API refused, in words that do nothing', async () => {
    await fc.assert(
      fc.asyncProperty(hostileText, async (error) => {
        await using api = disposable(await scriptedApi([{ status: 400, body: { error } }]));
        const step = await runOnEvent({
          eventName: 'workflow_dispatch',
          event: {},
          githubUrl: closedUrl,
          baseUrl: api.url,
        });
        await expectHarmless(step);
        expect(step.outputs).toMatchObject({ result: 'error', reason: 'request-refused' });
        expect(step.outputs['message']).toContain(canary);
        expect(annotations(step, 'error')).toHaveLength(1);
      }),
      settings,
    );
  });

  async function runWith(given: typeof texts extends fc.Arbitrary<infer Value> ? Value : never) {
    const { model, repository, ref, status, error, docs } = given;
    await using github = disposable(
      await scriptedGitHub({
        ...working,
        [`GET /repos/${docs}/pulls/12`]: {
          status: 200,
          body: {
            title: given.title,
            state: 'open',
            head: { ref: given.branch, sha: 'a'.repeat(40) },
            base: { ref: given.base },
            changed_files: 2,
            additions: 2,
            deletions: 3,
          },
        },
        [`GET /repos/${docs}/pulls/12/files`]: { status: 200, body: [{ filename: given.path }] },
      }),
    );
    const fields = { model, source: { repository, ref } };
    const prLink = `${github.url}/${docs}/pull/12`;
    const script: readonly Reply[] = [
      { status: 201, body: jobBody(fields) },
      { status: 500, body: { error } },
      { status: 200, body: jobBody({ ...fields, status }) },
      { status: 503, headers: { 'retry-after': '1' }, body: error },
      { status: 200, body: jobBody({ ...fields, status: 'completed', prLink }) },
    ];
    await using service = disposable(await scriptedApi(script));
    const owner = { login: 'owner', type: 'User' };
    const body = given.issue;
    const step = await runOnEvent({
      eventName: 'issues',
      event: {
        action: 'labeled',
        issue: { number: 7, title: body, body, user: owner },
        label: { name: body },
        repository: { full_name: 'acme/product' },
        sender: owner,
      },
      githubUrl: github.url,
      baseUrl: service.url,
      speed: 20,
      // A file with a NUL is no text, and refused.
      files: { 'notes.txt': given.file.toWellFormed().replaceAll('\0', ' ') },
      // Event text is parsed in real time, so the clock is fast only after GitHub and the POST.
      env: { RUNNER_DEBUG: '1', FAST_CLOCK_AFTER: '2' },
      inputs: {
        prompt: '{{event.issue.body}} {{file:notes.txt}} {{text}}',
        variables: JSON.stringify({ text: given.variable, unused: canary }),
      },
    });
    const comments = github.arrivals
      .filter(({ method, path }) => method !== 'GET' && path.includes('/comments'))
      .map((arrival) => String(JSON.parse(arrival.body).body));
    return { step, comments };
  }
});

function disposable<Server extends { close(): Promise<void> }>(
  server: Server,
): Server & AsyncDisposable {
  return Object.assign(server, { [Symbol.asyncDispose]: () => server.close() });
}

describe('text that was made to keep a parser busy', () => {
  /** GitHub's limit for the body of an issue. */
  const longest = 65_536;
  const filled = (part: string, before = '') =>
    (before + part.repeat(longest / part.length)).slice(0, longest);
  const nested = (open: string, close: string) => {
    const depth = Math.floor(longest / (open.length + close.length));
    return open.repeat(depth) + close.repeat(depth);
  };

  it.each([
    ['quotes and lists', filled('> - 1. ', '<b>\n')],
    ['brackets', nested('[', ']')],
    ['emphasis', filled('*a_', '<b>')],
    ['tags', nested('<b>', '</b>')],
    ['tables', filled('|a', '|a|\n|-|\n')],
    ['references', filled('[a]', `[a]: /${'u'.repeat(20_000)}\n\n`)],
    // They form new ones when others are removed.
    ['comments', `${'x<!--'.repeat(4_000)}\n${'<!-'.repeat(2_500)}${'-->'.repeat(2_500)}`],
  ])('%s: the request goes out, or one sentence says why not', async (_name, body) => {
    const { outputs, sent, exitCode, stderr } = await runOnIssue({ title: 'A', body });
    expect(stderr).toBe('');
    if (sent === undefined) {
      expect({ exitCode, ...outputs }).toMatchObject({
        exitCode: 1,
        result: 'error',
        reason: 'bad-input',
        message:
          'Input prompt has a placeholder for Markdown that takes too long to parse, because it is nested very deeply or was made to be slow: read the text yourself before you give it to an agent, and shorten it or leave the placeholder out.',
      });
    } else {
      expect(outputs['result']).toBe('pull-request');
    }
  });

  /** Each takes a parser far longer than a real page of its size. What is refused was not judged. */
  it.each([
    ['emphasis', '**a *b '.repeat(7000)],
    ['links', '['.repeat(49_000)],
    ['elements', '<a>\n'.repeat(60_000)],
    ['expressions', `{${'[\n'.repeat(200_000)}}`],
    ['quotes', `${'>'.repeat(40_000)} x`],
    ['a table', `|${'a|'.repeat(5000)}\n|${'-|'.repeat(5000)}\n`],
  ])('a page of %s ends', (_what, text) => {
    const { blocks, problem } = parsePage(text);
    expect(blocks.length > 0 || problem !== undefined).toBe(true);
  });

  // A pattern that begins again at each letter takes a minute.
  it.each(['a', '-a', '1,'])('the rules of the check end on long words of %j', (part) => {
    const word = part.repeat(49_000 / part.length);
    const before = { 'a.mdx': page(Array<string>(9).fill(word).join('\n\n')) };
    const rules = findingsOf({ before, after: { 'a.mdx': page('A') } });
    expect(rules.every(({ rule }) => rule === 'gone')).toBe(true);
  });

  it('the rules of the check end on a sample of empty lines, and on a long list', () => {
    const list = (word: string) => Array.from({ length: 4000 }, (_, at) => `- ${word}${at}`);
    const sample = `\`\`\`\n${'\n'.repeat(25_000)}ls\n\`\`\``;
    const before = { 'a.mdx': page('A'), 'b.mdx': page(list('a').join('\n')) };
    const after = { 'a.mdx': page(`A\n\n${sample}`), 'b.mdx': page(list('b').join('\n')) };
    const rules = findingsOf({ before, after }).map(({ rule }) => rule);
    expect(rules).toEqual(Array(11).fill('gone'));
  });
});

describe('the visitors action', () => {
  const count = fc.nat({ max: 1_000_000 });
  const visitors = fc.uniqueArray(
    fc.record({ path: hostileText, human: count, ai: count, total: count }),
    { minLength: 1, maxLength: 30, selector: ({ path }) => path.toWellFormed() },
  );

  it('treats paths as data, and its CSV reads back to the same rows', async () => {
    await fc.assert(
      fc.asyncProperty(visitors, hostileText, async (rows, error) => {
        await using service = disposable(
          await scriptedApi([
            { status: 500, body: { error } },
            { status: 200, body: { totals, visitors: rows, hasMore: false } },
          ]),
        );
        const step = await runVisitors({ baseUrl: service.url, speed: 60 });
        await expectHarmless(step);
        expect(annotations(step, 'error')).toEqual([]);
        const [csv = ''] = Object.values(step.files);
        expect(parse(csv, { columns: true, relax_quotes: false })).toEqual(
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
  });

  /** A spreadsheet would run a cell that starts like this, unless an apostrophe precedes it. */
  function asCell(path: string): string {
    const isFormula = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/.test(path);
    return `${isFormula ? "'" : ''}${path.toWellFormed()}`;
  }
});

describe('the check action', () => {
  const texts = fc.record({
    name: hostileText,
    title: hostileText,
    text: hostileText,
    link: hostileText,
    group: hostileText,
    setting: hostileText,
  });

  function changeWith(given: typeof texts extends fc.Arbitrary<infer Value> ? Value : never) {
    const { name, title, text, link, group, setting } = given;
    // Git accepts it for a file.
    const path = name.toWellFormed().replaceAll(/[\0/]/g, '');
    const docs = (settingsOf: object, label: string, other: string) => {
      const navigation = { groups: [{ group: label, pages: ['index', other] }] };
      return JSON.stringify({ navigation, ...settingsOf }).toWellFormed();
    };
    const titled = (heading: string, more: string) =>
      `---\ntitle: ${JSON.stringify(title)}\n---\n\n# ${heading}\n\n${more}\n\n[a](<${link}>)\n`.toWellFormed();
    const redirects = [{ source: `/${link}`, destination: text }];
    return {
      before: {
        'docs.json': docs({ name: 'Acme' }, 'Start', path),
        'index.mdx': 'Welcome.\n',
        [`${path}.mdx`]: titled(text, `${text} ${'and so on '.repeat(60)}`),
        [`gone ${path}.mdx`]: titled('Gone', text),
        [`${path}.png`]: 'old',
      },
      after: {
        'docs.json': docs({ name: setting, redirects }, group, link),
        'index.mdx': `${text}\n\n![${text}](${link})\n`.toWellFormed(),
        [`${path}.mdx`]: titled(link, 'Less.'),
        [`${path}.js`]: text.toWellFormed(),
      },
    };
  }

  it('treats the texts of a pull request as data', async () => {
    await fc.assert(
      fc.asyncProperty(texts, async (given) => {
        const result = await judge({
          ...changeWith(given),
          inputs: { comment: 'true' },
        });
        await expectHarmless(result);
        expect(result.outputs['result']).toBe('judged');
        expect(result.verdict).toBe('blocked');
        expect(result.summary).toContain(canary);
        expect(result.outputs['findings']).toContain(canary);
        // Our own annotations have a rule as their title, and the others begin with our own words.
        for (const { line } of executedCommands(result.stdout)) {
          expect(line).toMatch(
            /^::(?:\w+::[A-Z]|\w+::acme\/docs#12 |add-mask::|\w+ title=[a-z-]+[,:])/,
          );
        }
        expect(await findEffects(result.comments[0]?.body ?? '')).toEqual([]);
      }),
      settings,
    );
  });
});
