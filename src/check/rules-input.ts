import { isScalar } from 'yaml';
import { asWritten, readYamlPairs, type YamlPair } from '../common/yaml-input.ts';
import { inputError } from '../text/error.ts';
import { listed, quoted } from '../text/plain.ts';
import { defaultSeverities, type RuleName, type RuleSettings, type Severity } from './finding.ts';
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
    const now = earlierNames.get(name);
    throw now === undefined
      ? inputError(
          'rules',
          `names ${quoted(name)}, which is not a rule${suggestion(name, ruleNames)}`,
          `the rules are ${listed(ruleNames)}`,
        )
      : inputError('rules', `names ${quoted(name)}, which is no rule any more`, now);
  }
  // What nobody has judged is never routine.
  const allowed = rule === 'not-judged' ? values.slice(0, 2) : values;
  const written = isScalar(value) ? asWritten(value) : '';
  const setting = allowed.find((candidate) => candidate === written);
  if (setting === undefined) {
    throw inputError(
      'rules',
      `sets ${rule} to ${quoted(written)}${suggestion(written, allowed)}`,
      `this rule takes ${listed(allowed, 'or')}`,
    );
  }
  return [rule, setting];
}

/** What became of the rules of earlier versions. */
const earlierNames: ReadonlyMap<string, string> = new Map([
  ...Object.entries({
    'unexpected-file': 'not-plain',
    'code-in-page': 'not-plain',
    'undefined-name': 'not-valid',
    'page-without-redirect': 'dead-address',
    'page-not-in-navigation': 'not-plain',
    'navigation-without-page': 'broken-link',
    'still-used': 'broken-link',
    'redirect-to-other-host': 'settings-changed',
    'broken-anchor': 'broken-link',
    'new-domain': 'not-plain',
    'text-lost': 'removed',
    'front-matter-changed': 'not-plain',
    'text-for-agents': 'not-plain',
    'conflict-marker': 'not-valid',
    'agent-chatter': 'not-valid',
  }).map(([name, now]) => [name, `write ${now} instead`] as const),
  ...['large-change', 'reverted-lines', 'provider-key', 'failing-check', 'base-branch'].map(
    (name) => [name, 'take it out'] as const,
  ),
]);

function suggestion(word: string, candidates: readonly string[]): string {
  const closest = closestTo(word, candidates);
  return closest === undefined ? '' : ` (did you mean ${closest}?)`;
}
