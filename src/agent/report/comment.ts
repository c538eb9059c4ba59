import { createHash } from 'node:crypto';
import { isFinal } from '../../platform/job.ts';
import type { Environment } from '../../runner/environment.ts';
import type { Runner } from '../../runner/runner.ts';
import { prose } from '../../text/markdown.ts';
import { withoutSecret } from '../../text/secret.ts';
import type { Granted } from '../access.ts';
import type { RecordComment } from '../earlier/record.ts';
import { type AgentDeps, type End, jobIdOf, type State } from '../state.ts';
import {
  type Content,
  createWriter,
  findRecords,
  type Kind,
  type Target,
  type Writer,
} from './comment-writer.ts';
import { commandIn, endReport, workingReport } from './summary.ts';

/** The step's comment on an issue or pull request. It never fails the step. */
export interface StepComment extends RecordComment {
  /**
   * Shows how the step ended, if the comment showed that it began, or should say why nothing was started.
   * @returns what to add to the summary, in Markdown, where GitHub refused the comment; otherwise empty
   */
  finish(end: End, state: State): Promise<string>;
}

/** Makes the step's comment; nothing is sent before it is used. */
export function createStepComment(deps: Pick<AgentDeps, 'runner' | 'github'>): StepComment {
  const { environment } = deps.runner;
  let writer: Writer | undefined;
  const writerOf = (kind: Kind, state: State): Writer | undefined => {
    const target = targetOf(kind, state, deps);
    writer ??= target && createWriter(target, deps);
    return writer;
  };
  return {
    async findRecords(state, signal) {
      const target = targetOf('job', state, deps);
      return target === undefined ? { kind: 'absent' } : await findRecords(target, signal, deps);
    },
    async showWorking(state) {
      const writing = writerOf('job', state);
      if (writing === undefined) {
        return 'not-written';
      }
      if (state.job === undefined || isFinal(state.job.status)) {
        return 'later';
      }
      const failure = await writing.show(contentOf(workingReport(state, environment), state));
      if (failure === undefined) {
        return 'written';
      }
      return failure.isRefusal ? 'not-written' : 'later';
    },
    async finish(end, state) {
      const kind = kindAtEnd(end, state);
      if (kind === undefined) {
        return '';
      }
      const shown = withoutProject(withoutAccount(end, kind, state), state);
      const content = contentOf(endReport(shown, state, environment), state);
      const isError = end.result.result === 'error';
      const refusal = await writerOf(kind, state)?.finish(content, isError);
      return refusal === undefined ? '' : `⚠️ ${prose(refusal)}\n`;
    },
  };
}

function contentOf(text: string, state: State): Content {
  return { text, jobId: jobIdOf(state), record: state.record };
}

/** Which comment the end belongs to; `undefined` for none. */
function kindAtEnd(
  { result }: End,
  { access, isDryRun, sinceMs, record }: State,
): Kind | undefined {
  if (isDryRun !== false || access === undefined) {
    return undefined;
  }
  if (access.kind === 'denied') {
    return access.commentable && 'notice';
  }
  if (sinceMs !== undefined || record !== undefined) {
    return 'job';
  }
  // The author of a command expects an answer; other comments on a pull request do not.
  const isUnanswered =
    result.result === 'skipped' &&
    result.reason === 'no-job-for-pull-request' &&
    commandIn(access.event.commentBody) !== undefined;
  return result.result === 'error' || isUnanswered ? 'notice' : undefined;
}

/** Reasons that are about the organisation's key, plan, credits and limits. */
const accountReasons = ['key-refused', 'forbidden', 'rate-limited'];

/** These concern whoever pays, and not the readers of an issue, so the comment leaves them to the log. */
function withoutAccount(end: End, kind: Kind, state: State): End {
  const { result } = end;
  if (result.result !== 'error' || !accountReasons.includes(result.reason)) {
    return end;
  }
  const message =
    kind === 'notice'
      ? 'Nothing was started. The log of this run says why.'
      : `Job ${jobIdOf(state)} may keep running. The log of this run says why this step ended.`;
  return { ...end, message };
}

/** Issues have more readers than the log, so the project id that errors mention is removed. */
function withoutProject(end: End, { inputs }: State): End {
  const projectId = inputs?.api.projectId;
  return projectId === undefined
    ? end
    : {
        ...end,
        message: withoutSecret(
          end.message.replaceAll(`project ${projectId}`, 'the project'),
          projectId,
        ),
      };
}

/** `undefined` for no comment. */
function targetOf(
  kind: Kind,
  { access, inputs: agentInputs }: State,
  { runner: { environment } }: Pick<AgentDeps, 'runner'>,
): Target | undefined {
  const request = access?.kind === 'granted' ? access : access?.commentable;
  const found = request && threadFor(request);
  if (
    request === undefined ||
    found === undefined ||
    (kind === 'job' && agentInputs === undefined)
  ) {
    return undefined;
  }
  const { inputs, event } = request;
  const { number, ...manner } = found;
  const stepKey = (projectId?: string) =>
    keyOf(environment, inputs.matrix, event.commentId, projectId);
  const { repositoryId, repository } = environment;
  const thread = `${repositoryId || repository.toLowerCase()}#${number}`;
  return {
    ...manner,
    kind,
    place: { repository: environment.repository, number },
    key: stepKey(agentInputs?.api.projectId),
    sealedAs: {
      job: { purpose: 'comment', place: thread },
      // A wrong project id is one of the things that a notice can be about.
      notice: { purpose: 'notice', place: `${thread} ${stepKey()}` },
    },
    isAnswer: event.commentId !== undefined,
    apiKey: agentInputs?.api.apiKey ?? '',
    token: inputs.githubToken,
  };
}

/**
 * Identifies the one comment that a step updates.
 * @param commentId of the comment that triggered the run
 */
export function keyOf(
  { workflow, job, step }: Pick<Environment, 'workflow' | 'job' | 'step'>,
  matrix: string,
  commentId: number | undefined,
  projectId = '',
): string {
  const parts = [workflow, job, step, matrix, commentId ?? '', projectId];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}

/** The thread that the input `comment` names, or the event. */
function threadFor({
  inputs: { comment },
  event: { thread },
}: Pick<Granted, 'inputs' | 'event'>):
  | (Pick<Target, 'isLoud' | 'permission'> & { readonly number: number })
  | undefined {
  switch (comment.kind) {
    case 'off':
      return undefined;
    case 'thread': {
      const permission = '"issues: write" ("pull-requests: write" for a pull request)';
      return { number: comment.number, isLoud: true, permission };
    }
    case 'event': {
      const permission =
        thread?.isPullRequest === true ? '"pull-requests: write"' : '"issues: write"';
      return thread && { number: thread.number, isLoud: comment.isLoud, permission };
    }
  }
}

/** Says in the log where an event leaves no place for a comment. */
export function warnOfNoThread(
  { inputs: { comment }, event }: Granted,
  { log }: Pick<Runner, 'log'>,
): void {
  if (comment.kind !== 'event' || event.thread !== undefined) {
    return;
  }
  if (comment.isLoud) {
    log.warning(
      'Input comment is "true", but the event is not about an issue or pull request, so no comment is written: set it to the number of one, or to "auto".',
    );
  } else {
    log.debug('The event is not about an issue or pull request, so no comment is written.');
  }
}
