import { type ApiInputs, readApiInputs, readId } from '../common/api.ts';
import { readFailOn } from '../common/fail-on.ts';
import type { RepositoryToken } from '../github/errors.ts';
import { isLogin, isSameName } from '../github/names.ts';
import type { Requirement } from '../github/permission.ts';
import { isJobId, jobIdRule } from '../platform/job.ts';
import {
  type Inputs,
  readChoice,
  readNumber,
  readSwitch,
  readToken,
  readWords,
} from '../runner/inputs.ts';
import { inputError } from '../text/error.ts';
import { quoted, unseen } from '../text/plain.ts';
import { type FailOn, failOnChoices, failOnDefault } from './result.ts';

/*
 * All inputs of the action in their final types. A step that failed before this reads three things raw: `dry-run`,
 * `fail-on` and its secrets. The access check has a type of its own, because no other input is read before the check.
 */

/** Whether the step writes a comment, and where. */
type CommentSetting =
  | { readonly kind: 'off' }
  /** On the issue or pull request of the event. `level`: how the log reports a comment that fails. */
  | { readonly kind: 'event'; readonly level: 'info' | 'warning' }
  | { readonly kind: 'thread'; readonly number: number };

/** The inputs that the access check needs. */
export interface AccessInputs {
  /** `undefined` if the check is switched off. */
  readonly requirement: Requirement | undefined;
  readonly comment: CommentSetting;
  /** Used for the workflow's repository; may be empty. */
  readonly githubToken: string;
  /** Used to read the pull request; may be empty. */
  readonly docsToken: string;
  /** Tells the uses of the action in one run apart, such as the matrix of the job as JSON; empty for none. */
  readonly matrix: string;
}

/** Picks the token for a repository: `github-token` for the workflow's own repository, `docs-token` for any other. */
export function tokenFor(
  repository: string,
  { githubToken, docsToken }: Pick<AccessInputs, 'githubToken' | 'docsToken'>,
  environment: { readonly repository: string },
): RepositoryToken {
  return isSameName(repository, environment.repository)
    ? { repository, value: githubToken, input: 'github-token', isStandIn: false }
    : { repository, value: docsToken, input: 'docs-token', isStandIn: docsToken === githubToken };
}

/** The permissions to find pull requests of the docs repository, and to label them if there is a label. */
export function permissionsFor(label: string): string {
  const level = label === '' ? 'read' : 'write';
  return `the permissions "issues: ${level}" and "pull-requests: ${level}"`;
}

/**
 * Masks the tokens, then reads and validates the inputs for GitHub.
 * @throws ActionError for the first invalid input
 */
export function readAccessInputs(inputs: Inputs): AccessInputs {
  const githubToken = readToken(inputs, 'github-token');
  const docsToken = readToken(inputs, 'docs-token') || githubToken;
  return {
    requirement: readRequirement(inputs),
    comment: readCommentSetting(inputs.read('comment')),
    githubToken,
    docsToken,
    // GitHub passes `null` for a job without a matrix.
    matrix: inputs.read('matrix').replace(/^null$/, ''),
  };
}

const permissionChoices = ['triage', 'write', 'maintain', 'admin', 'none'] as const;

function readRequirement(inputs: Inputs): Requirement | undefined {
  const allowBots = readBotLogins(inputs.read('allow-bots'));
  const asked = inputs.read('required-permission') || 'write';
  const role = readChoice('required-permission', asked, permissionChoices);
  return role === 'none' ? undefined : { role, allowBots };
}

function readBotLogins(text: string): readonly string[] {
  const logins = readWords(text) ?? [];
  const wrong = logins.find((login) => !isLogin(login));
  if (wrong !== undefined) {
    throw inputError(
      'allow-bots',
      `has ${quoted(wrong)}`,
      'it takes complete logins of bots, such as renovate[bot], and no wildcards',
    );
  }
  return logins;
}

function readCommentSetting(text: string): CommentSetting {
  if (/^[1-9]\d{0,9}$/.test(text)) {
    return { kind: 'thread', number: Number(text) };
  }
  switch (text) {
    case '':
    case 'auto':
    case 'true':
      return { kind: 'event', level: text === 'true' ? 'warning' : 'info' };
    case 'false':
      return { kind: 'off' };
    default:
      throw inputError(
        'comment',
        `is ${quoted(text)}`,
        'it takes auto, true, false or the number of an issue or pull request',
      );
  }
}

/** The job that the inputs name. */
export type AskedJob =
  | { readonly kind: 'new' }
  | { readonly kind: 'id'; readonly id: string }
  /** The job that opened the pull request which the event is about. */
  | { readonly kind: 'of-pull-request' };

/** Where the prompt comes from. */
export type PromptSource =
  | { readonly input: 'prompt'; readonly text: string }
  | { readonly input: 'prompt-file'; readonly path: string };

/** The step's other inputs. */
export interface AgentInputs {
  /** Whether the step only checks what a real run would need. */
  readonly isDryRun: boolean;
  readonly api: ApiInputs;
  readonly job: AskedJob;
  /** `undefined` if the step only waits for a job; a new job always has a prompt. */
  readonly prompt: PromptSource | undefined;
  /** The YAML of the input, which is parsed together with the prompt. */
  readonly variables: string;
  /**
   * Where `{{changes}}` starts: a commit, a tag, a branch or `last-success`. If empty, the event gives the start: the
   * commit before the push, or the release before this one.
   */
  readonly changesSince: string;
  readonly waitMs: number;
  /** A fixed interval between polls; `undefined` for the adaptive interval. */
  readonly pollIntervalMs: number | undefined;
  readonly failOn: ReadonlySet<FailOn>;
  /** What a re-run does when an earlier attempt started a job. */
  readonly onRerun: 'resume' | 'new';
  /** The label of the agent's pull requests; empty for none. */
  readonly label: string;
  /** What a new run does while a pull request with the label is open. */
  readonly onOpenPullRequest: 'new' | 'continue' | 'skip';
  /** `owner/name` of the repository whose pull requests get the label: by default, the workflow's own repository. */
  readonly docsRepository: string;
}

/** Five days is the longest that GitHub lets a job on a self-hosted runner take. */
const waitLimits = { min: 0, max: 7200, unit: 'minutes' };
const pollLimits = { min: 1, max: 300, unit: 'seconds' };

/**
 * Masks the key, then reads and validates all inputs.
 * @param repository `owner/name` of the workflow's repository
 * @throws ActionError for the first invalid input
 */
export function readAgentInputs(inputs: Inputs, repository: string): AgentInputs {
  const isDryRun = readSwitch(inputs, 'dry-run');
  const api = readApiInputs(inputs, 'write');
  const prompt = readPromptSource(inputs.read('prompt'), inputs.read('prompt-file'));
  const job = readJob(inputs, prompt !== undefined);
  const waitMinutes = inputs.read('wait-minutes') || '30';
  const pollSeconds = inputs.read('poll-interval-seconds');
  return {
    isDryRun,
    api,
    job,
    prompt,
    variables: inputs.read('variables'),
    changesSince: readChangesSince(inputs.read('changes-since')),
    waitMs: readNumber('wait-minutes', waitMinutes, waitLimits) * 60_000,
    pollIntervalMs:
      pollSeconds === ''
        ? undefined
        : readNumber('poll-interval-seconds', pollSeconds, pollLimits) * 1000,
    failOn: readFailOn(inputs, failOnChoices, failOnDefault),
    onRerun: readChoice('on-rerun', inputs.read('on-rerun') || 'resume', ['resume', 'new']),
    ...readLabelInputs(inputs),
    docsRepository: readRepository(inputs.read('docs-repository')) || repository,
  };
}

/** Whether the step may be a dry run, which writes nothing, even before its inputs are validated. */
export function mayBeDryRun(inputs: Inputs): boolean {
  return !['', 'false'].includes(inputs.read('dry-run'));
}

/** An empty id is an error, not the default: an earlier step was meant to set it, and did not. */
function readJob(inputs: Inputs, hasPrompt: boolean): AskedJob {
  const id = inputs.isPassed('job-id') ? readId(inputs, 'job-id') : 'new';
  if (id.toLowerCase() === 'from-pull-request') {
    return { kind: 'of-pull-request' };
  }
  if (!isJobId(id)) {
    throw inputError(
      'job-id',
      id === '' ? 'is empty' : `is ${quoted(id)}`,
      id === ''
        ? 'check that the step it comes from ran and set it, or write "new" to start a job'
        : `it takes "new", "from-pull-request" or the id of a job (${jobIdRule})`,
    );
  }
  if (id.toLowerCase() !== 'new') {
    return { kind: 'id', id };
  }
  if (!hasPrompt) {
    throw inputError(
      'prompt',
      'and input prompt-file arrived empty',
      `give one of them, or a job-id to wait for an existing job (if one has an expression: \${{ }} gives nothing for a misspelt name, for a field that this event lacks, and for an output of a step that did not run)`,
    );
  }
  return { kind: 'new' };
}

function readPromptSource(prompt: string, promptFile: string): PromptSource | undefined {
  if (prompt !== '' && promptFile !== '') {
    throw inputError('prompt', 'and input prompt-file are both given', 'give one of them');
  }
  if (prompt !== '') {
    return { input: 'prompt', text: prompt };
  }
  return promptFile === '' ? undefined : { input: 'prompt-file', path: promptFile };
}

/** Matches what no git name may contain, and what GitHub would read as another repository or as a range. */
const notInNames = /[\s\p{Cc}~^:?*[\\]|\.\.|@\{|^[-/]|\/$/u;

/** @throws ActionError if the text cannot be a name of git's */
export function readChangesSince(text: string): string {
  if (notInNames.test(text)) {
    throw inputError(
      'changes-since',
      `is ${quoted(text)}`,
      'it takes a commit, a tag, a branch or last-success',
    );
  }
  return text;
}

function readLabelInputs(inputs: Inputs): Pick<AgentInputs, 'label' | 'onOpenPullRequest'> {
  const label = readLabel(inputs.read('pr-label'));
  const choices = ['new', 'continue', 'skip'] as const;
  const onOpenPullRequest = readChoice('on-open-pr', inputs.read('on-open-pr') || 'new', choices);
  if (onOpenPullRequest !== 'new' && label === '') {
    throw inputError(
      'on-open-pr',
      `is "${onOpenPullRequest}", and input pr-label is empty`,
      'give pr-label too, because open pull requests are found by it, or set on-open-pr to "new"',
    );
  }
  return { label, onOpenPullRequest };
}

function readLabel(label: string): string {
  if (!labelForm.test(label)) {
    throw inputError(
      'pr-label',
      `is ${quoted(label)}`,
      'it takes one label of at most 50 characters, all on one line and without a comma',
    );
  }
  return label;
}

/**
 * Matches names of labels, and an empty text. GitHub allows 50 characters (code points), and a comma would end the name
 * when GitHub searches for it. Of the invisible characters, only two are allowed, because many emoji have them.
 */
const labelForm = new RegExp(`^(?:[\\u200D\\uFE0F]|(?!${unseen.source})[^,]){0,50}$`, 'u');

/** `owner/name`, or empty. The names `.` and `..` are refused, because URLs would drop them. */
function readRepository(repository: string): string {
  if (!/^(?:[A-Za-z\d][\w-]{0,99}\/(?!\.{1,2}$)[\w.-]{1,100})?$/.test(repository)) {
    throw inputError(
      'docs-repository',
      `is ${quoted(repository)}`,
      'it takes the owner and the name of a repository, such as acme/docs',
    );
  }
  return repository;
}
