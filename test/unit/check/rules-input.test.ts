import { describe, expect, it } from 'vitest';
import { defaultSeverities } from '../../../src/check/finding.ts';
import { readRules } from '../../../src/check/rules-input.ts';

const all = Object.keys(defaultSeverities);
const listOfAll = `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`;

describe('the input rules', () => {
  it('names rules and what they do', () => {
    expect([
      ...readRules('not-plain: off\n"broken-link": review # later\nnot-valid: "block"'),
    ]).toEqual([
      ['not-plain', 'off'],
      ['broken-link', 'review'],
      ['not-valid', 'block'],
    ]);
  });

  it.each(['', '  ', '# nothing'])('may be empty: %o', (text) => {
    expect([...readRules(text)]).toEqual([]);
  });

  it.each([
    [
      'not-plains: off',
      `Input rules names "not-plains", which is not a rule (did you mean not-plain?): the rules are ${listOfAll}.`,
    ],
    [
      'NotPlain: off',
      `Input rules names "NotPlain", which is not a rule (did you mean not-plain?): the rules are ${listOfAll}.`,
    ],
    [
      'new-domain: off',
      'Input rules names "new-domain", which is no rule any more: write not-plain instead.',
    ],
    [
      'large-change: off',
      'Input rules names "large-change", which is no rule any more: take it out.',
    ],
    ['not-judged: off', 'Input rules sets not-judged to "off": this rule takes block or review.'],
    [
      'spelling: off',
      `Input rules names "spelling", which is not a rule: the rules are ${listOfAll}.`,
    ],
    [
      'not-plain: blocked',
      'Input rules sets not-plain to "blocked" (did you mean block?): this rule takes block, review or off.',
    ],
    [
      'not-plain: false',
      'Input rules sets not-plain to "false": this rule takes block, review or off.',
    ],
    ['not-plain:', 'Input rules sets not-plain to "": this rule takes block, review or off.'],
    [
      'off',
      'Input rules is not a YAML mapping: write one "rule: block", "rule: review" or "rule: off" per line.',
    ],
    [
      'not-plain: off\nnot-plain: review',
      'Input rules cannot be read as YAML (line 2): write one "rule: block", "rule: review" or "rule: off" per line.',
    ],
    [
      'not-plain: &a off\nbroken-link: *a',
      'Input rules uses a YAML anchor: repeat the value instead.',
    ],
    [
      '"::error::x\\n##[add-path]": off',
      `Input rules names "::error::x ##[add-path]", which is not a rule: the rules are ${listOfAll}.`,
    ],
  ])('refuses %o', (text, sentence) => {
    expect(() => readRules(text)).toThrow(sentence);
  });

  it('knows each rule by its own name', () => {
    for (const rule of all.filter((name) => name !== 'not-judged')) {
      expect([...readRules(`${rule}: off`)]).toEqual([[rule, 'off']]);
    }
  });
});
