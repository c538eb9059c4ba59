import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ENDINGS } from '../../sandbox/service/words.ts';
import { type Action, actions, bundleOf, inRepository } from '../../scripts/actions.ts';
import { readManifest } from '../../scripts/tables.ts';
import { outputs as agentOutputs } from '../../src/agent/outputs.ts';
import { failOnChoices, failOnDefault, resultNames, statusTraits } from '../../src/agent/result.ts';
import { defaultSeverities } from '../../src/check/finding.ts';
import { failOnChoices as checkFailOnChoices } from '../../src/check/inputs.ts';
import { outputs as checkOutputs } from '../../src/check/outputs.ts';
import { skipReasons } from '../../src/common/result.ts';
import { restrictedEvents, type Trigger, triggerOf } from '../../src/github/event.ts';
import { isFinal, type JobStatus, jobStatuses } from '../../src/platform/job.ts';
import { errorReasons } from '../../src/text/error.ts';
import { outputs as visitorsOutputs } from '../../src/visitors/outputs.ts';

/*
 * Statuses, results, reasons, events, inputs and outputs each have one list, in src. These tests fail for every
 * other place that lacks an entry, unless the compiler does.
 */

const read = (path: string) => readFileSync(inRepository(path), 'utf8');
const sourcesOf = (pattern: string) =>
  globSync(pattern, { cwd: inRepository('.') })
    .map(read)
    .join('\n');
const sorted = (words: Iterable<string>) => [...words].sort();

const manifest = readManifest(bundleOf('agent').actionFile);
const describedBy = (output: string) => manifest.outputs[output]?.description ?? '';
/** The entries of a list such as `a, b or c`, between a colon and the next full stop or semicolon. */
function listIn(text: string): readonly string[] {
  const [, list = ''] = /: ([^.;]*)/.exec(text) ?? [];
  return list.split(/, | or /);
}

describe('statuses', () => {
  it('are those that action.yml lists', () => {
    expect(sorted(listIn(describedBy('status')))).toEqual(sorted(jobStatuses));
  });

  it('that a job can end with have a word for the sandbox in sandbox/service/words.ts', () => {
    const endings: readonly string[] = ENDINGS;
    const ends = jobStatuses.filter((status) => isFinal(status) && status !== 'completed');
    expect(ends.filter((status) => !endings.includes(status))).toEqual([]);
  });

  it('have a row in docs/costs.md, which says what a re-run does', () => {
    const [, table = ''] = /^## Re-runs\n([\s\S]*?)\n## /m.exec(read('docs/costs.md')) ?? [];
    const documented = jobStatuses.map((status) => {
      const row = new RegExp(`^\\| [^|]*\\b${status}\\b[^|]*\\| ([^|]*)`, 'm').exec(table);
      return [status, row?.[1]?.startsWith('starts a new job')];
    });
    const startsAnother = (status: JobStatus) => statusTraits[status].hasEndedBadly;
    expect(documented).toEqual(jobStatuses.map((status) => [status, startsAnother(status)]));
  });
});

describe('results', () => {
  it('are those that action.yml lists', () => {
    expect(sorted(listIn(describedBy('result')))).toEqual(sorted(resultNames));
  });

  it('that can fail the step are those that fail-on names', () => {
    const input = manifest.inputs['fail-on'];
    expect(input?.default).toBe(failOnDefault.join(', '));
    const [, list = ''] = /any of ([^;]*);/.exec(input?.description ?? '') ?? [];
    expect(sorted(list.split(', '))).toEqual(sorted(failOnChoices));
  });

  it('have a run in test/run that ends with them', () => {
    const runs = sourcesOf('test/run/*.test.ts');
    expect(resultNames.filter((name) => !runs.includes(`result: '${name}'`))).toEqual([]);
  });
});

describe('reasons', () => {
  /** The two lists in brackets: for `skipped` and for `error`. */
  const reasonsIn = (description: string) =>
    [...description.matchAll(/\(([^)]+)\)/g)].map(([, list = '']) => list.split(', '));
  const [skipped, failed] = reasonsIn(describedBy('reason'));

  type Reason = (typeof skipReasons)[number] | (typeof errorReasons)[number];

  /** The visitors action checks nobody, and has neither a prompt, a job nor earlier attempts. */
  const agentReasons: readonly string[] = [
    'actor-not-allowed',
    'own-comment',
    'nothing-changed',
    'job-not-found',
    'job-may-exist',
    'permission-check-failed',
    'changes-unreadable',
    'earlier-attempt-unknown',
    'pull-request-open',
    'pull-request-unreadable',
    'no-job-for-pull-request',
  ] satisfies readonly Reason[];

  /** Only the check action judges pull requests. */
  const checkReasons: readonly string[] = [
    'no-pull-request',
    'no-docs-changed',
  ] satisfies readonly Reason[];

  const without = (reasons: readonly string[], left: readonly string[]) =>
    sorted(reasons.filter((reason) => !left.includes(reason)));

  it('are those that action.yml lists', () => {
    expect(sorted(skipped ?? [])).toEqual(without(skipReasons, checkReasons));
    expect(sorted(failed ?? [])).toEqual(without(errorReasons, checkReasons));
  });

  it('have a section in docs/errors.md', () => {
    const sections = [...read('docs/errors.md').matchAll(/^### `([\w-]+)`\n\n(.*)/gm)];
    expect(sorted(sections.map(([, name = '']) => name))).toEqual(
      sorted([...skipReasons, ...errorReasons]),
    );
    for (const [, , text = ''] of sections) {
      expect(text.split(' ').length).toBeGreaterThan(8);
    }
  });

  const listedFor = (action: Action) => {
    const { description = '' } = readManifest(bundleOf(action).actionFile).outputs['reason'] ?? {};
    return reasonsIn(description).map(sorted);
  };

  it('are those that visitors/action.yml lists, unless only another action has them', () => {
    const others = [...agentReasons, ...checkReasons];
    expect(listedFor('visitors')).toEqual([
      without(skipReasons, others),
      without(errorReasons, others),
    ]);
  });

  it('are those that check/action.yml lists', () => {
    expect(listedFor('check')).toEqual([
      sorted(['no-pull-request', 'no-docs-changed']),
      sorted(['bad-input', 'pull-request-unreadable', 'internal-error']),
    ]);
  });
});

describe('rules', () => {
  it('have a row in check/README.md, which names what each does by default', () => {
    const rows = [...read('check/README.md').matchAll(/^\| `([\w-]+)` \| (block|review) \|/gm)];
    const documented = Object.fromEntries(rows.map(([, rule, severity]) => [rule, severity]));
    expect(documented).toEqual(defaultSeverities);
  });

  it('and results that fail the check are those that its fail-on names', () => {
    const { description = '' } = readManifest(bundleOf('check').actionFile).inputs['fail-on'] ?? {};
    const [, list = ''] = /any of ([^;]*);/.exec(description) ?? [];
    expect(sorted(list.split(', '))).toEqual(sorted(checkFailOnChoices));
  });
});

describe('events', () => {
  const rows = [...read('docs/security.md').matchAll(/^\| (.*`.*) \| (.*) \|$/gm)];
  const namesIn = (text: string) => [...text.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
  /** The names in the first cell of the rows of "Who is checked" whose second cell fits. */
  const documented = (meaning: RegExp) =>
    rows.filter(([, , cell = '']) => meaning.test(cell)).flatMap(([, cell = '']) => namesIn(cell));
  const withTrigger = (...triggers: readonly Trigger[]) =>
    [...restrictedEvents.keys()].filter((name) => triggers.includes(triggerOf(name)));

  it('without an actor are those of the first row in docs/security.md', () => {
    expect(sorted(documented(/^No(?:body| one)\./))).toEqual(sorted(withTrigger('no-actor')));
  });

  it('of people with write access are those of the second row in docs/security.md', () => {
    expect(sorted(documented(/write access\./))).toEqual(
      sorted(withTrigger('writers', 'writers-and-bots')),
    );
  });

  it('on which bots are checked are those that docs/security.md names there', () => {
    const [, list = ''] =
      /write access\. On ([^.]*), bots are checked\./.exec(read('docs/security.md')) ?? [];
    expect(sorted(namesIn(list))).toEqual(sorted(withTrigger('writers-and-bots')));
  });

  it('that anyone can trigger are the others in docs/security.md', () => {
    const others = documented(/^Every(?:body|one): /);
    expect(others.length).toBeGreaterThan(2);
    expect(others.map(triggerOf)).toEqual(others.map(() => 'anyone'));
  });
});

describe.each(actions)('the action %s', (action) => {
  const tables = { agent: agentOutputs, visitors: visitorsOutputs, check: checkOutputs };

  it('writes the outputs that its action.yml declares, and no others', () => {
    const { outputs } = readManifest(bundleOf(action).actionFile);
    expect(sorted(Object.keys(tables[action]))).toEqual(sorted(Object.keys(outputs)));
  });

  it('declares every input that it reads in its action.yml', () => {
    const { inputs } = readManifest(bundleOf(action).actionFile);
    const calls =
      /\b(?:read|readSecret|isPassed)\('([\w-]+)'\)|\bread(?!ApiInputs)[A-Z]\w+\(inputs, '([\w-]+)'/g;
    const paths = globSync(`src/${action}/**/*.ts`, { cwd: inRepository('.') });
    const missing = paths.flatMap((path) =>
      [...read(path).matchAll(calls)]
        .map(([, name, other]) => name ?? other ?? '')
        .filter((name) => inputs[name] === undefined)
        .map((name) => `${path} reads ${name}, which ${bundleOf(action).actionFile} lacks`),
    );
    expect(missing).toEqual([]);
  });

  it('reads every input that its action.yml declares', () => {
    const { inputs } = readManifest(bundleOf(action).actionFile);
    const text = sourcesOf(`src/{${action},common}/**/*.ts`);
    const unread = Object.keys(inputs).filter((name) => !text.includes(`'${name}'`));
    expect(unread).toEqual([]);
  });

  it('has a run in test/run for every input', () => {
    const { inputs } = readManifest(bundleOf(action).actionFile);
    const runs = sourcesOf('test/run/*.test.ts');
    const isGiven = (name: string) => new RegExp(`\\b${name}'?:|'${name}'`).test(runs);
    expect(Object.keys(inputs).filter((name) => !isGiven(name))).toEqual([]);
  });
});
