import { describe, expect, it } from 'vitest';
import { bundleOf } from '../../../scripts/actions.ts';
import { readManifest } from '../../../scripts/tables.ts';
import {
  type AskedJob,
  mayBeDryRun,
  type PromptSource,
  readAccessInputs,
  tokenFor,
} from '../../../src/agent/inputs.ts';
import { failOnChoices, failOnDefault } from '../../../src/agent/result.ts';
import { peekFailOn } from '../../../src/common/fail-on.ts';
import { ActionError } from '../../../src/text/error.ts';
import { agentInputs } from '../../helpers/agent.ts';
import { passedInputs } from '../../helpers/fake-runner.ts';

describe('the inputs', () => {
  it.each([
    [{}],
    [{ 'base-url': '', 'wait-minutes': '', 'poll-interval-seconds': '', 'fail-on': ' ' }],
    [{ 'on-rerun': '' }],
    [{ 'on-open-pr': '', 'pr-label': '', 'docs-repository': '' }],
  ])('have their defaults with %j', (values) => {
    expect(agentInputs(values)).toEqual({
      isDryRun: false,
      api: {
        apiKey: 'mint_key',
        projectId: 'acme',
        baseUrl: new URL('https://api.mintlify.com'),
        dashboardUrl: 'https://app.mintlify.com',
      },
      job: { kind: 'new' },
      prompt: { input: 'prompt', text: 'Do it' },
      variables: '',
      changesSince: '',
      waitMs: 30 * 60_000,
      pollIntervalMs: undefined,
      failOn: new Set(failOnDefault),
      onRerun: 'resume',
      label: '',
      onOpenPullRequest: 'new',
      docsRepository: 'acme/product',
    });
  });

  it.each([
    ['0', 0],
    ['0.5', 30_000],
    ['7200', 432_000_000],
  ])('take a wait of %s minutes', (minutes, waitMs) => {
    expect(agentInputs({ 'wait-minutes': minutes })).toMatchObject({ waitMs });
  });

  it.each<[Readonly<Record<string, string>>, AskedJob, PromptSource | undefined]>([
    [{}, { kind: 'new' }, { input: 'prompt', text: 'Do it' }],
    [
      { 'job-id': 'NEW', prompt: '', 'prompt-file': 'a.md' },
      { kind: 'new' },
      { input: 'prompt-file', path: 'a.md' },
    ],
    [{ 'job-id': 'job_1' }, { kind: 'id', id: 'job_1' }, { input: 'prompt', text: 'Do it' }],
    [{ 'job-id': 'job_1', prompt: '' }, { kind: 'id', id: 'job_1' }, undefined],
    [{ 'job-id': 'from-pull-request', prompt: '' }, { kind: 'of-pull-request' }, undefined],
    [{ 'job-id': 'From-Pull-Request', prompt: '' }, { kind: 'of-pull-request' }, undefined],
  ])('say which job gets which prompt: %j', (values, job, prompt) => {
    expect(agentInputs(values)).toMatchObject({ job });
    expect(agentInputs(values).prompt).toEqual(prompt);
  });

  const matrixOf = (matrix: string) => readAccessInputs(passedInputs({ matrix })).matrix;

  it('of the access check have their defaults, and final types', () => {
    expect(readAccessInputs(passedInputs({ 'github-token': 'own' }))).toEqual({
      requirement: { role: 'write', allowBots: [] },
      comment: { kind: 'event', level: 'info' },
      githubToken: 'own',
      docsToken: 'own',
      matrix: '',
    });
    const given = {
      ...{ 'required-permission': 'triage', 'allow-bots': 'Renovate[bot], Copilot', comment: '9' },
      ...{ 'github-token': 'own', 'docs-token': 'other', matrix: '{"os":null}' },
    };
    expect(readAccessInputs(passedInputs(given))).toEqual({
      requirement: { role: 'triage', allowBots: ['Renovate[bot]', 'Copilot'] },
      comment: { kind: 'thread', number: 9 },
      githubToken: 'own',
      docsToken: 'other',
      matrix: '{"os":null}',
    });
    const none = readAccessInputs(passedInputs({ 'required-permission': 'none' }));
    expect(none.requirement).toBeUndefined();
    // A job without a matrix has `null`.
    expect(matrixOf('null')).toBe('');
  });

  it('are those of a dry run, unless they surely are not', () => {
    const words = ['', 'false', 'true', 'perhaps', 'no'];
    const may = words.filter((word) => mayBeDryRun(passedInputs({ 'dry-run': word })));
    expect(may).toEqual(['true', 'perhaps', 'no']);
  });

  it.each<[string, string, string]>([
    ['comment', 'x9', 'is "x9": it takes auto, true, false or the number of an issue'],
    ['comment', '0', 'is "0"'],
    ['comment', '1'.repeat(11), 'is "11111111111"'],
    ['allow-bots', 'a b*', 'has "b*": it takes complete logins of bots, such as renovate[bot],'],
    ['required-permission', 'read', 'is "read": it takes triage, write, maintain, admin or none.'],
  ])('of the access check refuse %s: %j', (name, value, problem) => {
    const read = () => readAccessInputs(passedInputs({ [name]: value }));
    expect(read).toThrow(`Input ${name} ${problem}`);
  });

  it.each([
    ['pr-label', 'x'.repeat(51)],
    ['pr-label', '🤖'.repeat(51)],
    ['pr-label', 'a\u200Bb'],
    // Without a label.
    ['on-open-pr', 'skip'],
    ['on-open-pr', 'continue'],
    ['docs-repository', 'acme/..'],
    ['docs-repository', `acme/${'x'.repeat(101)}`],
    ['docs-repository', 'https://github.com/acme/docs'],
  ])('refuse %s: %j', (name, value) => {
    expect(() => agentInputs({ [name]: value })).toThrow(`Input ${name} is `);
  });

  it.each([
    ['https://api.mintlify.com/', 'https://app.mintlify.com'],
    ['https://api.example', ''],
  ])('know the dashboard of %s: %j', (baseUrl, dashboardUrl) => {
    expect(agentInputs({ 'base-url': baseUrl }).api.dashboardUrl).toBe(dashboardUrl);
  });

  it.each(['docs', 'Docs: week by week', '🤖 docs', '👩\u200D💻', 'ü'.repeat(50), '🤖'.repeat(50)])(
    'take the label %s',
    (label) => {
      expect(
        agentInputs({
          'pr-label': label,
          'on-open-pr': 'continue',
          'docs-repository': 'acme/docs',
        }),
      ).toMatchObject({ label, onOpenPullRequest: 'continue', docsRepository: 'acme/docs' });
    },
  );

  it('that are read before the validation ignore unknown words in fail-on', () => {
    expect(peekFailOn(passedInputs({ 'fail-on': 'skipped, error' }), failOnChoices)).toEqual(
      new Set(['skipped']),
    );
  });

  it.each([
    ['1', 1_000],
    ['1.5', 1_500],
    ['300', 300_000],
  ])('take an interval of %s seconds', (seconds, pollIntervalMs) => {
    expect(agentInputs({ 'poll-interval-seconds': seconds })).toMatchObject({ pollIntervalMs });
  });

  it.each([
    ['none', []],
    ['archived', ['archived']],
    [
      'failed archived,timed-out\nno-pull-request, skipped',
      ['failed', 'archived', 'timed-out', 'no-pull-request', 'skipped'],
    ],
  ])('take %j for fail-on', (words, failOn) => {
    const values = { 'fail-on': words };
    expect(agentInputs(values).failOn).toEqual(new Set(failOn));
    expect(peekFailOn(passedInputs(values), failOnChoices)).toEqual(new Set(failOn));
  });

  it.each([
    ['wait-minutes', '7200.1'],
    ['wait-minutes', '-0'],
    ['wait-minutes', '0x10'],
    ['wait-minutes', 'Infinity'],
    ['wait-minutes', '٣'],
    ['poll-interval-seconds', '0.9'],
    ['poll-interval-seconds', '300.5'],
    ['fail-on', 'none none'],
    ['fail-on', 'error'],
    ['job-id', ' '],
    ['job-id', '.'],
    ['job-id', 'x'.repeat(201)],
    ['project-id', '.'],
    ['base-url', 'https://user@api.example'],
    ['base-url', 'https://:pass@api.example'],
    ['base-url', 'https://api.example/?'],
    ['base-url', 'https://api.example/#'],
    ['base-url', 'http://127.0.0.1.example'],
    ['base-url', 'ftp://127.0.0.1'],
  ])('refuse %s: %j', (name, value) => {
    const read = () => agentInputs({ [name]: name === 'job-id' ? value.trim() : value });
    expect(read).toThrow(ActionError);
    expect(read).toThrow(`Input ${name} `);
  });

  it.each(['wait-minutes', 'poll-interval-seconds'])(
    'say in action.yml how large %s can be',
    (name) => {
      const input = readManifest(bundleOf('agent').actionFile).inputs[name];
      const [, largest = 'no limit'] =
        /from \S+ to (\d+)/.exec(sentenceOf({ [name]: '999999' })) ?? [];
      expect(input?.description).toContain(largest);
    },
  );
});

/** The errors for invalid inputs. */
function sentenceOf(values: Readonly<Record<string, string>>): string {
  try {
    agentInputs(values);
    return '';
  } catch (error) {
    return String(error);
  }
}

it.each([
  ['ACME/Product', 'github-token', false],
  ['acme/docs', 'docs-token', false],
])('%s is reached with %s', (repository, input, isStandIn) => {
  const tokens = { githubToken: 'ghs_1', docsToken: 'ghs_2' };
  const value = input === 'github-token' ? 'ghs_1' : 'ghs_2';
  const found = tokenFor(repository, tokens, { repository: 'acme/product' });
  expect(found).toEqual({ repository, value, input, isStandIn });
});
