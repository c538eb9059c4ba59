import { type ApiInputs, readApiInputs } from '../common/api-inputs.ts';
import { readFailOn } from '../common/fail-on.ts';
import { identifierRule, isIdentifier } from '../platform/identifier.ts';
import { type Inputs, readChoice, readNumber, readSwitch } from '../runner/inputs.ts';
import { inputError } from '../text/error.ts';
import { quoted } from '../text/plain.ts';
import { readMatrix } from './access/inputs.ts';
import type { AskedSource } from './job/source.ts';
import {
  type OpenPullRequestInputs,
  readOpenPullRequestInputs,
} from './open-pull-request/inputs.ts';
import { type ChangesSince, readChangesSince } from './prompt/changes-since.ts';
import type { PromptSource } from './prompt/prompt.ts';
import { type FailOn, failOnChoices, failOnDefault } from './result.ts';

/** The step's inputs in their final types. No other module reads the agent's inputs. */
export interface AgentInputs {
  readonly api: ApiInputs;
  readonly source: AskedSource<PromptSource>;
  /** Whether the job is that of the event's pull request; `source` has no id until it is found. */
  readonly jobIsOfPullRequest: boolean;
  /** YAML, parsed together with the prompt. */
  readonly variables: string;
  readonly changesSince: ChangesSince;
  readonly waitMs: number;
  /** A fixed interval between polls; `undefined` for the adaptive one. */
  readonly pollIntervalMs: number | undefined;
  readonly failOn: ReadonlySet<FailOn>;
  /** What a re-run does when an earlier attempt started a job. */
  readonly onRerun: 'resume' | 'new';
  readonly openPullRequest: OpenPullRequestInputs;
  /** The matrix of the job as JSON, which tells its legs apart; empty for none. */
  readonly matrix: string;
}

/**
 * Masks the key, then reads and validates all inputs.
 * @throws ActionError for the first invalid input
 */
export function readAgentInputs(inputs: Inputs): AgentInputs {
  const api = readApiInputs(inputs, 'write');
  const source = readSource(inputs);
  const pollInterval = inputs.read('poll-interval-seconds');
  return {
    api,
    source,
    jobIsOfPullRequest: isOfPullRequest(inputs),
    variables: inputs.read('variables'),
    changesSince: readChangesSince(inputs.read('changes-since')),
    waitMs: readWaitMs(inputs.read('wait-minutes')),
    pollIntervalMs: pollInterval === '' ? undefined : readPollIntervalMs(pollInterval),
    failOn: readFailOn(inputs, failOnChoices, failOnDefault),
    onRerun: readChoice('on-rerun', inputs.read('on-rerun') || 'resume', ['resume', 'new']),
    openPullRequest: readOpenPullRequestInputs(inputs),
    matrix: readMatrix(inputs),
  };
}

/**
 * Whether the step only checks what a real run would need.
 * @throws ActionError
 */
export function readDryRun(inputs: Inputs): boolean {
  return readSwitch(inputs, 'dry-run');
}

function readSource(inputs: Inputs): AskedSource<PromptSource> {
  const prompt = readPromptSource(inputs.read('prompt'), inputs.read('prompt-file'));
  const jobId = isOfPullRequest(inputs) ? '' : readJobId(inputs);
  if (jobId.toLowerCase() === 'new') {
    if (prompt === undefined) {
      throw inputError(
        'prompt',
        'and input prompt-file are both empty',
        'give one of them, or a job-id to wait for an existing job',
      );
    }
    return { kind: 'create', prompt };
  }
  return prompt === undefined ? { kind: 'attach', jobId } : { kind: 'follow-up', jobId, prompt };
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

function isOfPullRequest(inputs: Inputs): boolean {
  return inputs.read('job-id') === 'from-pull-request';
}

/** An empty id is an error, not the default: an earlier step was meant to set it, and did not. */
function readJobId(inputs: Inputs): string {
  const jobId = inputs.isPassed('job-id') ? inputs.read('job-id') : 'new';
  if (!isIdentifier(jobId)) {
    throw inputError(
      'job-id',
      jobId === '' ? 'is empty' : `is ${quoted(jobId)}`,
      jobId === ''
        ? 'check that the step it comes from ran and set it, or write "new" to start a job'
        : `it takes "new", "from-pull-request" or the id of a job (${identifierRule})`,
    );
  }
  return jobId;
}

const minuteMs = 60_000;

/** Five days, the longest that GitHub lets a job on a self-hosted runner take. */
const longestWaitMinutes = 7200;

function readWaitMs(text: string): number {
  const limits = { min: 0, max: longestWaitMinutes, unit: 'minutes' };
  return readNumber('wait-minutes', text || '30', limits) * minuteMs;
}

function readPollIntervalMs(text: string): number {
  return readNumber('poll-interval-seconds', text, { min: 1, max: 300, unit: 'seconds' }) * 1000;
}
