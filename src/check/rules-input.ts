import { isScalar } from 'yaml';
import { asWritten, readYamlPairs, type YamlPair } from '../common/yaml-input.ts';
import { inputError } from '../text/error.ts';
import { listed, quoted } from '../text/plain.ts';
import {
  defaultSeverities,
  type RuleName,
  type RuleSettings,
  type Severity,
} from './old-finding.ts';
import { closestTo } from './similar.ts';

const values = ['block', 'review', 'off'] as const satisfies readonly (Severity | 'off')[];

const ruleNames = Object.keys(defaultSeverities).filter(
  (name): name is RuleName => name in defaultSeverities,
);

const example = 'write one "rule: block", "rule: review" or "rule: off" per line';

/**
 * Parses the input `rules`: a YAML mapping of rules to `block`, `review` or `off`.
 * @throws ActionError for anything else, with what is allowed
 */
export function readRules(text: string): RuleSettings {
  return new Map(readYamlPairs('rules', text, example).map(readPair));
}

function readPair({ name, value }: YamlPair): readonly [RuleName, Severity | 'off'] {
  const rule = ruleNames.find((candidate) => candidate === name);
  if (rule === undefined) {
    throw inputError(
      'rules',
      `names ${quoted(name)}, which is not a rule${suggestion(name, ruleNames)}`,
      `the rules are ${listed(ruleNames)}`,
    );
  }
  const written = isScalar(value) ? asWritten(value) : '';
  const setting = values.find((candidate) => candidate === written);
  if (setting === undefined) {
    throw inputError(
      'rules',
      `sets ${rule} to ${quoted(written)}${suggestion(written, values)}`,
      `a rule takes ${listed(values, 'or')}`,
    );
  }
  return [rule, setting];
}

function suggestion(word: string, candidates: readonly string[]): string {
  const closest = closestTo(word, candidates);
  return closest === undefined ? '' : ` (did you mean ${closest}?)`;
}
