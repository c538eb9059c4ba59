import { describe, expect, it } from 'vitest';
import { defaultSeverities } from '../../../src/check/old-finding.ts';
import { readRules } from '../../../src/check/rules-input.ts';

const all = Object.keys(defaultSeverities);
const listOfAll = `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`;

describe('the input rules', () => {
  it('names rules and what they do', () => {
    expect([
      ...readRules('new-domain: off\n"broken-link": review # later\nstill-used: "block"'),
    ]).toEqual([
      ['new-domain', 'off'],
      ['broken-link', 'review'],
      ['still-used', 'block'],
    ]);
  });

  it.each(['', '  ', '# nothing'])('may be empty: %o', (text) => {
    expect([...readRules(text)]).toEqual([]);
  });

  it.each([
    [
      'new-domains: off',
      `Input rules names "new-domains", which is not a rule (did you mean new-domain?): the rules are ${listOfAll}.`,
    ],
    [
      'NewDomain: off',
      `Input rules names "NewDomain", which is not a rule (did you mean new-domain?): the rules are ${listOfAll}.`,
    ],
    [
      'spelling: off',
      `Input rules names "spelling", which is not a rule: the rules are ${listOfAll}.`,
    ],
    [
      'new-domain: blocked',
      'Input rules sets new-domain to "blocked" (did you mean block?): a rule takes block, review or off.',
    ],
    [
      'new-domain: false',
      'Input rules sets new-domain to "false": a rule takes block, review or off.',
    ],
    ['new-domain:', 'Input rules sets new-domain to "": a rule takes block, review or off.'],
    [
      'off',
      'Input rules is not a YAML mapping: write one "rule: block", "rule: review" or "rule: off" per line.',
    ],
    [
      'new-domain: off\nnew-domain: review',
      'Input rules cannot be read as YAML (line 2): write one "rule: block", "rule: review" or "rule: off" per line.',
    ],
    [
      'new-domain: &a off\nbroken-link: *a',
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
    for (const rule of all) {
      expect([...readRules(`${rule}: off`)]).toEqual([[rule, 'off']]);
    }
  });
});
