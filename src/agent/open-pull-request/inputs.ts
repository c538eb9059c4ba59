import { type Inputs, readChoice } from '../../runner/inputs.ts';
import { inputError } from '../../text/error.ts';
import { quoted, unseen } from '../../text/plain.ts';

/** What the inputs say about pull requests of earlier runs that are still open. */
export interface OpenPullRequestInputs {
  /** The label of the agent's pull requests; empty for none. */
  readonly label: string;
  /** What a new run does while one of them is open. */
  readonly onOpen: 'new' | 'continue' | 'skip';
  /** `owner/name` of the docs repository; empty for the workflow's own. */
  readonly docsRepository: string;
}

/** GitHub's own limit. */
const longestLabel = 50;

/** @throws ActionError for the first invalid input */
export function readOpenPullRequestInputs(inputs: Inputs): OpenPullRequestInputs {
  const label = readLabel(inputs.read('pr-label'));
  const choices = ['new', 'continue', 'skip'] as const;
  const onOpen = readChoice('on-open-pr', inputs.read('on-open-pr') || 'new', choices);
  if (onOpen !== 'new' && label === '') {
    throw inputError(
      'on-open-pr',
      `is "${onOpen}", and input pr-label is empty`,
      'give pr-label too, because open pull requests are found by it, or set on-open-pr to "new"',
    );
  }
  return { label, onOpen, docsRepository: readRepository(inputs.read('docs-repository')) };
}

function readLabel(label: string): string {
  if (label.includes(',')) {
    throw inputError(
      'pr-label',
      `is ${quoted(label)}`,
      "it takes one label without a comma, because GitHub's search by label takes a comma for the end of its name",
    );
  }
  if (label.length > longestLabel || label.search(unseenButJoiners) !== -1) {
    throw inputError(
      'pr-label',
      `is ${quoted(label)}`,
      `it takes one label of at most ${longestLabel} characters, all on one line`,
    );
  }
  return label;
}

/** Unlike other invisible characters, these two are a part of many emoji. */
const unseenButJoiners = new RegExp(`(?![\\u200D\\uFE0F])(?:${unseen.source})`, 'u');

function readRepository(repository: string): string {
  if (repository !== '' && !isRepository(repository)) {
    throw inputError(
      'docs-repository',
      `is ${quoted(repository)}`,
      'it takes the owner and the name of a repository, such as acme/docs',
    );
  }
  return repository;
}

/** Whether a text is `owner/name`. URLs would drop `.` and `..`. */
export function isRepository(text: string): boolean {
  return /^[A-Za-z\d][\w-]{0,99}\/(?!\.{1,2}$)[\w.-]{1,100}$/.test(text);
}
