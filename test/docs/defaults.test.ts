import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { type Action, actions, bundleOf } from '../../scripts/actions.ts';
import { readManifest } from '../../scripts/tables.ts';
import { readAccessInputs, readAgentInputs } from '../../src/agent/inputs.ts';
import { readCheckInputs } from '../../src/check/inputs.ts';
import { readApiInputs } from '../../src/common/api.ts';
import type { Inputs } from '../../src/runner/inputs.ts';
import { readVisitorsInputs } from '../../src/visitors/inputs.ts';
import { passedInputs } from '../helpers/fake-runner.ts';

/*
 * What action.yml says of an input has to fit the code: the runner passes an empty string on, and never
 * replaces it by the default.
 */

const readers: Readonly<Record<Action, (inputs: Inputs) => unknown>> = {
  agent: (inputs) => ({
    access: readAccessInputs(inputs),
    ...readAgentInputs(inputs, 'acme/product'),
  }),
  visitors: (inputs) => readVisitorsInputs(inputs, Date.UTC(2026, 1, 5)),
  check: async (inputs) => ({
    api: readApiInputs(inputs, 'read'),
    ...(await readCheckInputs(inputs, 'https://github.example')),
  }),
};

const given = {
  prompt: 'Do it',
  'api-key': 'mint_key',
  'project-id': 'acme',
  'github-token': 'ghs_token',
};

/** Defaults such as `${{ github.token }}` only exist on a runner. */
const isExpression = (text: string) => text.includes('${{');

describe.each(actions)('the action %s', (action) => {
  const { inputs } = readManifest(bundleOf(action).actionFile);
  const defaults = Object.entries(inputs)
    .map(([name, input]) => [name, String(input.default ?? '')] as const)
    .filter(([, text]) => text !== '' && !isExpression(text));
  const withDefaults = { ...Object.fromEntries(defaults), ...given };
  const read = async (values: Readonly<Record<string, string>>) =>
    await readers[action](passedInputs(values));

  it.each(defaults.filter(([name]) => name !== 'job-id'))(
    'takes an empty %s for the default in its action.yml, %s',
    async (name) => {
      expect(await read({ ...withDefaults, [name]: '' })).toEqual(await read(withDefaults));
    },
  );

  // An empty job-id is an error: an earlier step was meant to set it.
  it.each(defaults)('takes a missing %s for the default in its action.yml, %s', async (missing) => {
    const others = Object.entries(withDefaults).filter(([name]) => name !== missing);
    expect(await read(Object.fromEntries(others))).toEqual(await read(withDefaults));
  });

  /** What the error says that an input takes; empty if it takes any text. */
  const allowedFor = async (name: string): Promise<string> => {
    try {
      await read({ ...withDefaults, [name]: 'no-such-value' });
      return '';
    } catch (error) {
      return String(error).replace(/^.*"no-such-value"/s, '');
    }
  };

  /** Every value of a list of choices, or of a range: the first hundreds, and then every tenth. */
  const valuesOf = async (name: string): Promise<readonly string[]> => {
    const allowed = await allowedFor(name);
    const [, from, to] = /from (\d+) to (\d+)/.exec(allowed) ?? [];
    return from === undefined
      ? (allowed.match(/[\w-]+/g) ?? [])
      : Array.from({ length: Math.min(Number(to), 10_000) + 1 }, (_, index) => index)
          .filter((value) => value < 400 || value % 10 === 0)
          .map(String);
  };

  const reads = async (values: Readonly<Record<string, string>>) => {
    try {
      return await read(values);
    } catch {
      return undefined;
    }
  };

  it.each(Object.entries(inputs))(
    'says in its action.yml which value of %s is the default, if one is',
    async (name, { default: byDefault = '', description }) => {
      const empty = await reads({ ...withDefaults, [name]: '' });
      const equal: string[] = [];
      for (const value of await valuesOf(name)) {
        const result = await reads({ ...withDefaults, [name]: value });
        if (result !== undefined && isDeepStrictEqual(result, empty)) {
          equal.push(value);
        }
      }
      const unsaid = equal.filter(
        (value) => value !== String(byDefault) && !description.includes(`${value} (the default)`),
      );
      expect(unsaid.map((value) => `${name} lacks its default, ${value}, in action.yml`)).toEqual(
        [],
      );
    },
  );

  it.each(Object.entries(inputs))(
    'says in its action.yml in which range %s has to be, if it is a number',
    async (name, { description }) => {
      const [, ...limits] = /from (\d+) to (\d+)/.exec(await allowedFor(name)) ?? [];
      const numbers: readonly string[] = description.match(/\d+/g) ?? [];
      expect(limits.filter((limit) => !numbers.includes(limit))).toEqual([]);
    },
  );
});
