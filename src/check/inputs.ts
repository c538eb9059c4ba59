import type { ApiInputs } from '../common/api-inputs.ts';
import { readFailOn as readFailOnFrom } from '../common/fail-on.ts';
import { type Inputs, readSwitch, readToken } from '../runner/inputs.ts';
import { inputError } from '../text/error.ts';
import { quoted } from '../text/plain.ts';
import { type FailOn, failOnChoices } from './result.ts';

/** The step's inputs in their final types. No other module reads the check action's inputs. */
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

/**
 * The inputs for requests about readers.
 * @throws ActionError for the first invalid one
 */
export async function readReadersApi(inputs: Inputs): Promise<ApiInputs> {
  const { readApiInputs } = await import('../common/api-inputs.ts');
  return readApiInputs(inputs, 'read');
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
