import { writeComment } from '../../github/comments.ts';
import { commentFailure, isGone } from '../../github/errors.ts';
import { failureOfError, type RequestFailure } from '../../github/request.ts';
import { isFinal } from '../../platform/job.ts';
import { withoutSecrets } from '../../text/secret.ts';
import type { AgentDeps } from '../deps.ts';
import type { Saved } from '../earlier/keep-record.ts';
import {
  commentPermission,
  findOwn,
  type Kind,
  type OwnComment,
  readAgain,
  type Target,
  targetOf,
  withHiddenLine,
} from '../earlier/step-comment.ts';
import { type Ended, jobIdOf, type Reached, recordOf, type Waiting } from '../stage.ts';
import { commandIn, endReport, workingReport } from './summary.ts';

/** The comment is optional, so the step waits no longer than this, all retries included. */
const limitMs = 10_000;

const notWritten: Saved = { kind: 'failed', problem: 'the comment could not be written' };

/**
 * Makes the step's comment on an issue or pull request. Nothing is sent before a method is called. No method rejects,
 * and a comment that fails does not fail the step.
 */
export function createStepComment({ runner, github }: AgentDeps) {
  const { environment, clock, inputs, log } = runner;
  const beganMs = clock.todayMs();
  const stop = new AbortController();
  let own: OwnComment | undefined;
  let saved: Saved = { kind: 'pending' };
  let level: 'debug' | 'warning' | undefined;
  let showing: Promise<void> | undefined;
  let queue: Promise<RequestFailure | undefined> = Promise.resolve(undefined);

  const write = async (
    report: string,
    stage: Reached,
    target: Target,
  ): Promise<RequestFailure | undefined> => {
    const { place, token, identity } = target;
    if (token === '') {
      return { problem: 'github-token is empty', isRefusal: true };
    }
    const requests = { session: github.as(token), clock, signal: stop.signal };
    const jobId = jobIdOf(stage);
    const wasWritten = own !== undefined;
    if (own === undefined) {
      // A comment whose creation was not confirmed may exist, so every write searches until a comment is found.
      const search = await findOwn(jobId, target, requests);
      if (search.kind === 'failed') {
        return search;
      }
      own = search.value;
    } else {
      own = await readAgain(own, target, requests);
    }
    const secrets = ['api-key', 'github-token', 'docs-token'].map((name) => inputs.read(name));
    const text = withoutSecrets(report, secrets, inputs.read('project-id'));
    const before = own ?? { key: identity.key, records: [] };
    const about = { jobId, record: recordOf(stage) };
    const { body, records } = withHiddenLine(text, about, before, target);
    const written = await writeComment(place, own?.id, body, requests);
    if (wasWritten && written.kind === 'failed' && isGone(written)) {
      // Somebody has deleted the comment. Its record may be the only one, so that another comment is created.
      own = undefined;
      saved = { kind: 'pending' };
      return await write(report, stage, target);
    }
    if (written.kind === 'failed') {
      return written;
    }
    own = { ...before, records, id: written.value };
    saved = { kind: 'saved' };
    // The comment says by now that it is kept up to date, so a failure to update it is a warning.
    level = 'warning';
    return undefined;
  };

  /** Queues the report behind the write that is in progress, and waits up to a limit until it is written. */
  const enqueue = async (report: string, stage: Reached, target: Target): Promise<void> => {
    queue = queue.then(async () => {
      const failure = await write(report, stage, target).catch((error: unknown) =>
        failureOfError(error, stop.signal),
      );
      if (failure !== undefined) {
        log[level ?? target.level](describeFailure(failure, target));
        level = 'debug';
        saved = failure.isRefusal && saved.kind === 'pending' ? notWritten : saved;
      }
      return failure;
    });
    const done = new AbortController();
    const limit = AbortSignal.any([runner.deadline, done.signal]);
    await Promise.race([queue, clock.sleep(limitMs, limit).catch(() => undefined)]);
    done.abort();
  };

  return {
    /** Whether the comment has the record. */
    get saved(): Saved {
      return saved;
    },
    /** Shows a job that has not ended, once. */
    show(stage: Waiting): void {
      const target = targetOf('job', stage, environment);
      const { job } = stage.seen;
      if (target === undefined) {
        saved = { kind: 'unavailable' };
      } else if (showing === undefined && job !== undefined && !isFinal(job.status)) {
        showing = enqueue(workingReport(stage, environment, beganMs), stage, target);
      }
    },
    /** Resolves once the job is shown, or the time limit is over. */
    async settled(): Promise<void> {
      await showing;
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
        saved = { kind: 'unavailable' };
        return undefined;
      }
      if (result.result === 'error') {
        // The comment was to say what went wrong, so a warning has to say that it is missing.
        level = 'warning';
      }
      await enqueue(endReport(withoutAccount(ended, target.kind), environment), last, target);
      stop.abort();
      const failure = await queue;
      if (saved.kind === 'pending') {
        saved = notWritten;
      }
      return failure?.isRefusal === true ? describeFailure(failure, target) : undefined;
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
function withoutAccount(ended: Ended, kind: Kind): Ended {
  const { result, last } = ended;
  if (result.result !== 'error' || !accountReasons.includes(result.reason)) {
    return ended;
  }
  const lead =
    kind === 'notice'
      ? 'Nothing was started. The log of this run says why.'
      : `Job ${jobIdOf(last)} may keep running. The log of this run says why this step ended.`;
  return { ...ended, message: { ...ended.message, lead } };
}

function describeFailure(failure: RequestFailure, { place, level }: Target): string {
  const token = { repository: place.repository, input: 'github-token', isStandIn: false } as const;
  // If the workflow has not asked for a comment, people may not want any.
  const instead = level === 'warning' ? '' : ', or set comment to "false"';
  return commentFailure(failure, commentPermission, token, place, instead);
}
