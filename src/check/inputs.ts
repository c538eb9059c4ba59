import { readFailOn as readFailOnFrom } from '../common/fail-on.ts';
import type { RepositoryToken } from '../github/errors.ts';
import { isSameName, type ThreadPlace } from '../github/names.ts';
import { readPullRequestLink } from '../platform/pull-request-link.ts';
import { type Inputs, readSwitch, readToken } from '../runner/inputs.ts';
import { closest } from '../text/closest.ts';
import { inputError } from '../text/error.ts';
import { listed, quoted } from '../text/plain.ts';
import { defaultSeverities, type RuleName, type RuleSettings, type Severity } from './finding.ts';

/** What `fail-on` can name. An error always fails the step. */
export const failOnChoices = ['blocked', 'review', 'skipped'] as const;

export type FailOn = (typeof failOnChoices)[number];

/** The step's inputs in their final types. */
export interface CheckInputs {
  /** The pull request that `pr-link` names; `undefined` if the event names it. */
  readonly pullRequest: ThreadPlace | undefined;
  /** The token that reads the pull request and writes the comment. */
  readonly token: string;
  readonly hasDocsToken: boolean;
  /** The folder of the docs in the repository, empty for its top; `undefined` if the check has to find it. */
  readonly docsRoot: string | undefined;
  /** Globs of other files that a docs pull request may change. */
  readonly allowedPaths: readonly string[];
  readonly rules: RuleSettings;
  readonly hasComment: boolean;
  readonly failOn: ReadonlySet<FailOn>;
}

/**
 * Masks the secrets, then reads and validates the inputs.
 * @param serverUrl as in `GITHUB_SERVER_URL`
 * @throws ActionError for the first invalid input
 */
export async function readCheckInputs(inputs: Inputs, serverUrl: string): Promise<CheckInputs> {
  const githubToken = readToken(inputs, 'github-token');
  const docsToken = readToken(inputs, 'docs-token');
  const token = docsToken || githubToken;
  if (token === '') {
    const advice = "leave the input out, which gives it the workflow's own token";
    throw inputError('github-token', 'is empty', advice);
  }
  return {
    pullRequest: readPullRequest(inputs.read('pr-link'), serverUrl),
    token,
    hasDocsToken: docsToken !== '',
    docsRoot: readDocsRoot(inputs.read('docs-root')),
    allowedPaths: readAllowedPaths(inputs.read('allowed-paths')),
    rules: await readRules(inputs.read('rules')),
    hasComment: readSwitch(inputs, 'comment'),
    failOn: readFailOn(inputs),
  };
}

/** Says which input the token comes from, for advice: a workflow's own token reaches no other repository. */
export function tokenFor(
  { repository }: Pick<ThreadPlace, 'repository'>,
  { hasDocsToken }: Pick<CheckInputs, 'hasDocsToken'>,
  own: string,
): Omit<RepositoryToken, 'value'> {
  const isOwn = isSameName(repository, own);
  return {
    repository,
    input: isOwn && !hasDocsToken ? 'github-token' : 'docs-token',
    isStandIn: !isOwn && !hasDocsToken,
  };
}

function readPullRequest(text: string, serverUrl: string): ThreadPlace | undefined {
  if (text === '') {
    return undefined;
  }
  const link = readPullRequestLink(text, serverUrl);
  const found = link.kind === 'link' ? link.github : undefined;
  if (found === undefined) {
    throw inputError(
      'pr-link',
      `is ${quoted(text)}, which is not a pull request on ${serverUrl}`,
      `it takes a link such as ${serverUrl}/owner/name/pull/12`,
    );
  }
  return found;
}

/** Reads the name alone: whether the folder has docs is known once the files of the repository are read. */
function readDocsRoot(text: string): string | undefined {
  const parts = text.split('/').filter((part) => part !== '' && part !== '.');
  return text === '' ? undefined : parts.join('/');
}

/**
 * A part of a glob between two slashes. A comma and a space would separate two globs, and a dash at the start
 * would be an item of a YAML list.
 */
const globPart = /^(?![ -])(?:[\p{L}\p{N}_.@*?{}[\]+ -]|,(?! ))+(?<![ .,])$/u;

/** A glob ends in `*`, or in an extension or a name that is written out: only these can allow what is no docs. */
const globEnd = /(?:^|\/)(?:[^./]*\*|(?:[^/]*\.)?[^./*?{}[\]]+)$/u;

/** A glob can contain commas and spaces, so each has a line of its own. */
function readAllowedPaths(text: string): readonly string[] {
  const globs = text
    .split(/[\r\n]+/u)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const wrong = globs.find(
    (glob) => !globEnd.test(glob) || !glob.split('/').every((part) => globPart.test(part)),
  );
  if (wrong !== undefined) {
    throw inputError(
      'allowed-paths',
      `has ${quoted(wrong)}`,
      'it takes one glob in a line, from the top of the repository, such as assets/**/*.pdf; a folder is written docs/**, each extension is written out in a line of its own, and "!", ".." and most punctuation are not allowed',
    );
  }
  return globs;
}

function readFailOn(inputs: Inputs): ReadonlySet<FailOn> {
  const chosen = readFailOnFrom(inputs, failOnChoices, ['blocked']);
  // Whoever wants a review to fail the step wants a blocked pull request to fail it, too.
  return chosen.has('review') ? new Set([...chosen, 'blocked']) : chosen;
}

const values = ['block', 'review', 'off'] as const satisfies readonly (Severity | 'off')[];

const ruleNames = Object.keys(defaultSeverities) as RuleName[];

const example = 'write one "rule: block", "rule: review" or "rule: off" per line';

/** Parses a YAML mapping of rules to `block`, `review` or `off`. */
async function readRules(text: string): Promise<RuleSettings> {
  if (text === '') {
    return new Map();
  }
  const { readYamlMapping } = await import('../common/yaml-input.ts');
  const pairs = readYamlMapping('rules', text, example);
  return new Map(
    [...pairs].map(([name, value]) => {
      const rule = readRuleName(name);
      return [rule, readSetting(rule, value)];
    }),
  );
}

function readRuleName(name: string): RuleName {
  const rule = ruleNames.find((candidate) => candidate === name);
  if (rule === undefined) {
    const meant = closest(name, ruleNames);
    const suggestion = meant === undefined ? '' : ` (did you mean ${meant}?)`;
    throw inputError(
      'rules',
      `names ${quoted(name)}, which is not a rule${suggestion}`,
      `the rules are ${listed(ruleNames)}`,
    );
  }
  return rule;
}

function readSetting(rule: RuleName, written: string): Severity | 'off' {
  // With not-judged off, a part that nobody has judged would pass.
  const allowed = values.filter((value) => value !== 'off' || rule !== 'not-judged');
  const setting = allowed.find((candidate) => candidate === written);
  if (setting === undefined) {
    throw inputError(
      'rules',
      `sets ${rule} to ${quoted(written)}`,
      `this rule takes ${listed(allowed, 'or')}`,
    );
  }
  return setting;
}
