import { writeComment } from '../../github/comments.ts';
import { commentFailure, isGone } from '../../github/errors.ts';
import { failureOfError, type Outcome, type RequestFailure } from '../../github/request.ts';
import { isFinal } from '../../platform/job.ts';
import { withoutSecrets } from '../../text/secret.ts';
import type { AgentDeps } from '../deps.ts';
import type { Saved } from '../earlier/keep-record.ts';
import {
  commentPermission,
  findOwn,
  type Kind,
  type OwnComment,
  type Target,
  targetOf,
  withHiddenLine,
} from '../earlier/step-comment.ts';
import { type Ended, jobIdOf, type Reached, recordOf, type Waiting } from '../stage.ts';
import { type Message, messageOf } from './messages.ts';
import { commandIn, endReport, workingReport } from './summary.ts';

/** The comment is optional, so the step waits no longer than this for a write, all retries included. */
const limitMs = 10_000;

const notWritten: Saved = { kind: 'failed', problem: 'the comment could not be written' };

/** What is known of the comment between two writes. */
interface CommentState {
  /** The comment as this run has written it; `undefined` before that, and once somebody has deleted the comment. */
  readonly own: OwnComment | undefined;
  /** Whether the comment has the record. */
  readonly saved: Saved;
  /** Why the last write failed; `undefined` if it did not. */
  readonly failure: { readonly sentence: string; readonly isRefusal: boolean } | undefined;
}

const unwritten: CommentState = { own: undefined, saved: { kind: 'pending' }, failure: undefined };

/** What the comment is to say. */
interface Content {
  readonly target: Target;
  readonly report: string;
  readonly stage: Reached;
  /** Whether the report is about an error, so that somebody has to know that the comment is missing. */
  readonly isError: boolean;
}

/**
 * Makes the step's comment on an issue or pull request. Nothing is sent before a method is called. No method rejects,
 * and a comment that fails does not fail the step.
 */
export function createStepComment({ runner, github }: AgentDeps) {
  const { environment, clock, inputs, log } = runner;
  const beganAtMs = clock.epochMs();
  const stop = new AbortController();
  let state = unwritten;
  let writing: Promise<void> | undefined;

  /** Updates the comment that this run has written, or else finds or creates one. */
  const write = async ({ target, report, stage }: Content): Promise<Outcome<OwnComment>> => {
    const { place, token, identity } = target;
    if (token === '') {
      return { kind: 'failed', problem: 'github-token is empty', isRefusal: true };
    }
    const requests = { session: github.as(token), clock, signal: stop.signal };
    const about = { jobId: jobIdOf(stage), record: recordOf(stage) };
    const found = await findOwn(state.own, about.jobId, target, requests);
    if (found.kind === 'failed') {
      return found;
    }
    const secrets = ['api-key', 'github-token', 'docs-token'].map((name) => inputs.read(name));
    const text = withoutSecrets(report, secrets, inputs.read('project-id'));
    const before = found.value ?? { key: identity.key, records: [] };
    const { body, records } = withHiddenLine(text, about, before, target);
    const written = await writeComment(place, found.value?.id, body, requests);
    return written.kind === 'failed'
      ? written
      : { kind: 'ok', value: { ...before, records, id: written.value } };
  };

  const update = async (content: Content): Promise<void> => {
    const { own, saved } = state;
    const outcome = await write(content).catch((error) => failureOfError(error, stop.signal));
    if (outcome.kind === 'ok') {
      state = { own: outcome.value, saved: { kind: 'saved' }, failure: undefined };
    } else if (own !== undefined && isGone(outcome)) {
      // Somebody has deleted the comment. Its record may be the only one, so that another comment is created.
      state = unwritten;
      await update(content);
    } else {
      const { isRefusal } = outcome;
      const sentence = describeFailure(outcome, content.target);
      log[levelOfFailure(content, state)](sentence);
      const isUnsaved = isRefusal && own === undefined;
      state = { own, saved: isUnsaved ? notWritten : saved, failure: { sentence, isRefusal } };
    }
  };

  /** Writes the content after what is being written now. */
  const enqueue = (content: Content): void => {
    writing = Promise.resolve(writing).then(() => update(content));
  };

  /** Resolves once nothing is being written, or the time limit is over. */
  const settled = async (): Promise<void> => {
    const done = new AbortController();
    const limit = AbortSignal.any([runner.deadline, done.signal]);
    await Promise.race([writing, clock.sleep(limitMs, limit).catch(() => undefined)]);
    done.abort();
  };

  return {
    /** Whether the comment has the record. */
    get saved(): Saved {
      return state.saved;
    },
    settled,
    /** Shows a job that has not ended, once. */
    show(stage: Waiting): void {
      const target = targetOf('job', stage, environment);
      const { job } = stage.seen;
      if (target === undefined) {
        state = { ...state, saved: { kind: 'unavailable' } };
      } else if (writing === undefined && job !== undefined && !isFinal(job.status)) {
        const report = workingReport(stage, environment, beganAtMs);
        enqueue({ target, report, stage, isError: false });
      }
    },
    /**
     * Shows how the step ended, if the comment has shown the job before, or if it should say why nothing was started.
     * @returns why GitHub refused the comment and what to do, as a sentence; `undefined` if GitHub did not refuse it
     */
    async finish(ended: Ended): Promise<string | undefined> {
      const { last, result } = ended;
      const kind = kindAtEnd(ended);
      const target = kind && targetOf(kind, last, environment);
      if (target === undefined) {
        state = { ...state, saved: { kind: 'unavailable' } };
        return undefined;
      }
      const report = endReport(ended, environment, messageFor(ended, target.kind));
      enqueue({ target, report, stage: last, isError: result.result === 'error' });
      await settled();
      stop.abort();
      await writing;
      const { own, failure } = state;
      state = { ...state, saved: own === undefined ? notWritten : { kind: 'saved' } };
      return failure?.isRefusal === true ? failure.sentence : undefined;
    },
  };
}

/** Which comment shows how the step ended; `undefined` for none. */
function kindAtEnd({ last, result }: Ended): Kind | undefined {
  const { access } = last;
  if (access === undefined) {
    return undefined;
  }
  if (access.kind === 'denied') {
    return access.commentable && 'notice';
  }
  if (last.at === 'waiting' || recordOf(last) !== undefined) {
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

/** Problems of the account concern whoever pays, not the readers of an issue, so only the log explains them. */
function messageFor(ended: Ended, kind: Kind): Message {
  const { result, last } = ended;
  const message = messageOf(ended);
  if (result.result !== 'error' || !accountReasons.includes(result.reason)) {
    return message;
  }
  const lead =
    kind === 'notice'
      ? 'Nothing was started. The log of this run says why.'
      : `Job ${jobIdOf(last)} may keep running. The log of this run says why this step ended.`;
  return { ...message, lead };
}

/** How the log says that a write failed: as a warning if somebody expects the comment, and otherwise only once. */
function levelOfFailure({ target, isError }: Content, { own, failure }: CommentState) {
  // A comment that this run has written says that it is kept up to date.
  if (isError || own !== undefined) {
    return 'warning';
  }
  return failure === undefined ? target.level : 'debug';
}

function describeFailure(failure: RequestFailure, { place, level }: Target): string {
  const token = { repository: place.repository, input: 'github-token', isStandIn: false } as const;
  // If the workflow has not asked for a comment, people may not want any.
  const instead = level === 'warning' ? '' : ', or set comment to "false"';
  return commentFailure(failure, commentPermission, token, place, instead);
}
