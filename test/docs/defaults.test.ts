import { describe, expect, it } from 'vitest';
import { type Action, actions, bundleOf } from '../../scripts/actions.ts';
import { readManifest } from '../../scripts/tables.ts';
import { readAccessInputs } from '../../src/agent/access/inputs.ts';
import { readAgentInputs, readDryRun } from '../../src/agent/inputs.ts';
import { readCheckInputs } from '../../src/check/inputs.ts';
import { readApiInputs } from '../../src/common/api-inputs.ts';
import type { Inputs } from '../../src/runner/inputs.ts';
import { readVisitorsInputs } from '../../src/visitors/inputs.ts';
import { passedInputs } from '../helpers/fake-runner.ts';

/*
 * The default of an input stands in action.yml and in the code: the runner passes an empty string on, and
 * never replaces it by the default.
 */

const readers: Readonly<Record<Action, (inputs: Inputs) => unknown>> = {
  agent: (inputs) => ({
    access: readAccessInputs(inputs),
    isDryRun: readDryRun(inputs),
    ...readAgentInputs(inputs),
  }),
  visitors: (inputs) => readVisitorsInputs(inputs, Date.UTC(2026, 1, 5)),
  check: (inputs) => ({ api: readApiInputs(inputs, 'read'), ...readCheckInputs(inputs) }),
};

const given = { prompt: 'Do it', 'api-key': 'mint_key', 'project-id': 'acme' };

/** Defaults such as `${{ github.token }}` only exist on a runner. */
const isExpression = (text: string) => text.includes('${{');

describe.each(actions)('the action %s', (action) => {
  const { inputs } = readManifest(bundleOf(action).actionFile);
  const defaults = Object.entries(inputs)
    .map(([name, input]) => [name, String(input.default ?? '')] as const)
    .filter(([, text]) => text !== '' && !isExpression(text));
  const withDefaults = { ...Object.fromEntries(defaults), ...given };
  const read = (values: Readonly<Record<string, string>>) => readers[action](passedInputs(values));

  it.each(defaults.filter(([name]) => name !== 'job-id'))(
    'takes an empty %s for the default in its action.yml, %s',
    (name) => {
      expect(read({ ...withDefaults, [name]: '' })).toEqual(read(withDefaults));
    },
  );

  // An empty job-id is an error: an earlier step was meant to set it.
  it.each(defaults)('takes a missing %s for the default in its action.yml, %s', (missing) => {
    const others = Object.entries(withDefaults).filter(([name]) => name !== missing);
    expect(read(Object.fromEntries(others))).toEqual(read(withDefaults));
  });
});
