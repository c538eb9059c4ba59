import { readFailOn as readFailOnFrom } from '../common/fail-on.ts';
import { type Inputs, readSwitch, readToken } from '../runner/inputs.ts';
import { closest } from '../text/closest.ts';
import { type ActionError, inputError } from '../text/error.ts';
import { listed, quoted } from '../text/plain.ts';
import { defaultSeverities, type RuleName, type RuleSettings, type Severity } from './finding.ts';

/** What `fail-on` can name. An error always fails the step. */
export const failOnChoices = ['blocked', 'review', 'skipped'] as const;

export type FailOn = (typeof failOnChoices)[number];

/** The step's inputs in their final types. Only `readReadersApi` reads others. */
export interface CheckInputs {
  /** As it is written; empty for the pull request of the event. */
  readonly prLink: string;
  /** Reads the pull request, and writes the comment; may be empty. */
  readonly token: string;
  /** Whether that is the docs-token. */
  readonly hasDocsToken: boolean;
  /** Folder of the docs in the repository, empty for the top; `undefined` to look for it. */
  readonly docsRoot: string | undefined;
  /** Globs of files that may change besides the docs' own. */
  readonly allowedPaths: readonly string[];
  /** The input `rules` as it is written; see `readRules`. */
  readonly rules: string;
  readonly hasComment: boolean;
  readonly hasReaders: boolean;
  readonly failOn: ReadonlySet<FailOn>;
}

/**
 * Masks the secrets, then reads and validates the inputs, except those that need a parser or that not
 * every run uses: see `readRules` and `readReadersApi`.
 * @throws ActionError for the first invalid input
 */
export function readCheckInputs(inputs: Inputs): CheckInputs {
  inputs.readSecret('api-key');
  const githubToken = readToken(inputs, 'github-token');
  const docsToken = readToken(inputs, 'docs-token');
  return {
    prLink: inputs.read('pr-link'),
    token: docsToken || githubToken,
    hasDocsToken: docsToken !== '',
    docsRoot: readDocsRoot(inputs.read('docs-root')),
    allowedPaths: readAllowedPaths(inputs.read('allowed-paths')),
    rules: inputs.read('rules'),
    hasComment: readSwitch(inputs, 'comment'),
    hasReaders: readSwitch(inputs, 'readers'),
    failOn: readFailOn(inputs),
  };
}

function readDocsRoot(text: string): string | undefined {
  if (text === '') {
    return undefined;
  }
  const parts = text.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..') || /[\\*?]/.test(text)) {
    throw inputError(
      'docs-root',
      `is ${quoted(text)}`,
      'it takes the path of a folder in the repository, such as docs, or "." for the top',
    );
  }
  return parts.join('/');
}

/** A glob can contain commas and spaces, so each has a line of its own. */
function readAllowedPaths(text: string): readonly string[] {
  const globs = text
    .split(/[\r\n]+/u)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const wrong = globs.find((glob) =>
    /^!|^\.{0,2}\/|\\|(?:^|\/)\.\.(?:\/|$)|,\s|\/$|^-\s/u.test(glob),
  );
  if (wrong !== undefined) {
    throw inputError(
      'allowed-paths',
      `has ${quoted(wrong)}`,
      'it takes one glob in a line, from the top of the repository, such as assets/**/*.pdf, without "!" and ".."; a folder is written docs/**',
    );
  }
  return globs;
}

function readFailOn(inputs: Inputs): ReadonlySet<FailOn> {
  const chosen = readFailOnFrom(inputs, failOnChoices, ['blocked']);
  // What is blocked needs a person all the more.
  return chosen.has('review') ? new Set([...chosen, 'blocked']) : chosen;
}

const values = ['block', 'review', 'off'] as const satisfies readonly (Severity | 'off')[];

const ruleNames = Object.keys(defaultSeverities).filter(
  (name): name is RuleName => name in defaultSeverities,
);

const example = 'write one "rule: block", "rule: review" or "rule: off" per line';

/**
 * Parses the input `rules`: a YAML mapping of rules to `block`, `review` or `off`.
 * @throws ActionError for anything else, with what is allowed
 */
export async function readRules(text: string): Promise<RuleSettings> {
  if (text === '') {
    return new Map();
  }
  // Only now, because few runs need the parser.
  const [{ isScalar }, { asWritten, readYamlPairs }] = await Promise.all([
    import('yaml'),
    import('../common/yaml-input.ts'),
  ]);
  const pairs = readYamlPairs('rules', text, example);
  return new Map(
    pairs.map(({ name, value }) => readRule(name, isScalar(value) ? asWritten(value) : '')),
  );
}

function readRule(name: string, written: string): readonly [RuleName, Severity | 'off'] {
  const rule = ruleNames.find((candidate) => candidate === name);
  if (rule === undefined) {
    throw unknownRule(name);
  }
  // What nobody has judged is never routine.
  const allowed = rule === 'not-judged' ? values.slice(0, 2) : values;
  const setting = allowed.find((candidate) => candidate === written);
  if (setting === undefined) {
    throw inputError(
      'rules',
      `sets ${rule} to ${quoted(written)}`,
      `this rule takes ${listed(allowed, 'or')}`,
    );
  }
  return [rule, setting];
}

function unknownRule(name: string): ActionError {
  const now = earlierNames.get(name);
  if (now !== undefined) {
    return inputError('rules', `names ${quoted(name)}, which is no rule any more`, now);
  }
  const meant = closest(name, ruleNames);
  const suggestion = meant === undefined ? '' : ` (did you mean ${meant}?)`;
  return inputError(
    'rules',
    `names ${quoted(name)}, which is not a rule${suggestion}`,
    `the rules are ${listed(ruleNames)}`,
  );
}

/** What became of the rules of earlier versions. */
const earlierNames: ReadonlyMap<string, string> = new Map([
  ['unexpected-file', 'write not-plain instead'],
  ['code-in-page', 'write not-plain instead'],
  ['page-not-in-navigation', 'write not-plain instead'],
  ['new-domain', 'write not-plain instead'],
  ['front-matter-changed', 'write not-plain instead'],
  ['text-for-agents', 'write not-plain instead'],
  ['undefined-name', 'write not-valid instead'],
  ['conflict-marker', 'write not-valid instead'],
  ['agent-chatter', 'write not-valid instead'],
  ['page-without-redirect', 'write dead-address instead'],
  ['navigation-without-page', 'write broken-link instead'],
  ['still-used', 'write broken-link instead'],
  ['broken-anchor', 'write broken-link instead'],
  ['redirect-to-other-host', 'write settings-changed instead'],
  ['text-lost', 'write removed instead'],
  ['large-change', 'take it out'],
  ['reverted-lines', 'take it out'],
  ['provider-key', 'take it out'],
  ['failing-check', 'take it out'],
  ['base-branch', 'take it out'],
]);
