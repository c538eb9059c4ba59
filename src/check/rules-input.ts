import { isMap, isScalar, type Node, type Pair, parseDocument, type Scalar, visit } from 'yaml';
import { InputError } from '../runner/errors.ts';
import { listed, quoted } from '../text/plain.ts';
import { closestTo } from '../text/similar.ts';
import { defaultSeverities, type RuleName, type RuleSettings, type Severity } from './finding.ts';

const values = ['block', 'review', 'off'] as const satisfies readonly (Severity | 'off')[];

const ruleNames = Object.keys(defaultSeverities).filter(
  (name): name is RuleName => name in defaultSeverities,
);

const example = 'write one "rule: block", "rule: review" or "rule: off" per line';

/**
 * Parses the input `rules`: a YAML mapping of rules to `block`, `review` or `off`.
 * @throws InputError for anything else, with what is allowed
 */
export function readRules(text: string): RuleSettings {
  const document = parseDocument(text, { strict: true, uniqueKeys: true });
  const [problem] = [...document.errors, ...document.warnings];
  if (problem !== undefined) {
    const line = problem.linePos?.[0].line ?? 1;
    throw new InputError('rules', `cannot be read as YAML (line ${line})`, example);
  }
  if (document.contents === null) {
    return new Map();
  }
  visit(document, { Node: (_key, node) => refuseAnchors(node) });
  if (!isMap(document.contents)) {
    throw new InputError('rules', 'is not a YAML mapping', example);
  }
  return new Map(document.contents.items.map(readPair));
}

function refuseAnchors(node: Node): void {
  if ('anchor' in node && node.anchor !== undefined) {
    throw new InputError('rules', 'uses a YAML anchor', example);
  }
}

function readPair({ key, value }: Pair): readonly [RuleName, Severity | 'off'] {
  const name = isScalar(key) ? asWritten(key) : '';
  const rule = ruleNames.find((candidate) => candidate === name);
  if (rule === undefined) {
    throw new InputError(
      'rules',
      `names ${quoted(name)}, which is not a rule${suggestion(name, ruleNames)}`,
      `the rules are ${listed(ruleNames)}`,
    );
  }
  const written = isScalar(value) ? asWritten(value) : '';
  const setting = values.find((candidate) => candidate === written);
  if (setting === undefined) {
    throw new InputError(
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

/** The source text of a plain scalar, or the content of a quoted or block scalar. */
function asWritten(scalar: Scalar): string {
  return scalar.type === 'PLAIN' ? (scalar.source ?? '') : String(scalar.value ?? '');
}
