import { writeComment } from '../../github/comments.ts';
import { adviceOnComment, isGone } from '../../github/errors.ts';
import { threadName } from '../../github/names.ts';
import { failureOfError, type RequestFailure } from '../../github/request.ts';
import { isFinal } from '../../platform/job.ts';
import type { Runner } from '../../runner/runner.ts';
import { withoutSecrets } from '../../text/secret.ts';
import type { AgentDeps } from '../deps.ts';
import type { Shown } from '../earlier/keep-record.ts';
import type { JobRecord } from '../earlier/record.ts';
import {
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

/** The step's comment on an issue or pull request. It never fails the step. */
export interface StepComment {
  /** Shows a job that has not ended, and waits up to a limit until the comment is written. Never rejects. */
  showWorking(stage: Waiting): Promise<Shown>;
  /**
   * Shows how the step ended, if the comment has shown the job before, or if it should say why nothing was started.
   * Never rejects.
   */
  finish(ended: Ended): Promise<Finished>;
}

interface Finished {
  /** A sentence that says why GitHub refused the comment and what to do; `undefined` if GitHub did not refuse it. */
  readonly refusal: string | undefined;
  /** Whether the comment has the record; `undefined` if there is no comment. */
  readonly hasRecord: boolean | undefined;
}

/** Makes the step's comment. Nothing is sent before a method is called. */
export function createStepComment(deps: AgentDeps): StepComment {
  const { environment, clock, inputs } = deps.runner;
  const beganMs = clock.todayMs();
  let writer: Writer | undefined;
  const writerOf = (kind: Kind, stage: Reached): Writer | undefined => {
    const target = targetOf(kind, stage, environment);
    writer ??= target && createWriter(target, deps);
    return writer;
  };
  const contentOf = (report: string, stage: Reached): Content => {
    const secrets = ['api-key', 'github-token', 'docs-token'].map((name) => inputs.read(name));
    const text = withoutSecrets(report, secrets, inputs.read('project-id'));
    return { text, jobId: jobIdOf(stage), record: recordOf(stage) };
  };
  return {
    async showWorking(stage) {
      const writing = writerOf('job', stage);
      const { job } = stage.seen;
      if (writing === undefined || job === undefined || isFinal(job.status)) {
        return writing === undefined ? 'not-written' : 'later';
      }
      const content = contentOf(workingReport(stage, environment, beganMs), stage);
      return (await inTime(writing.show(content), deps.runner)) ?? 'later';
    },
    async finish(ended) {
      const kind = kindAtEnd(ended);
      const writing = kind && writerOf(kind, ended.last);
      if (kind === undefined || writing === undefined) {
        return { refusal: undefined, hasRecord: undefined };
      }
      const report = endReport(withoutAccount(ended, kind), environment);
      const content = contentOf(report, ended.last);
      return await writing.finish(content, ended.result.result === 'error');
    },
  };
}

/** The comment is optional, so the step waits no longer than this, all retries included. */
const limitMs = 10_000;

/**
 * Waits for something that the comment needs, up to the limit.
 * @returns `undefined` when the time is over
 */
export async function inTime<Outcome>(
  writing: Promise<Outcome>,
  { clock, deadline }: Pick<Runner, 'clock' | 'deadline'>,
): Promise<Outcome | undefined> {
  const done = new AbortController();
  const limit = AbortSignal.any([deadline, done.signal]);
  const timeOver = clock.sleep(limitMs, limit).then(
    () => undefined,
    () => undefined,
  );
  const outcome = await Promise.race([writing, timeOver]);
  done.abort();
  return outcome;
}

/** What a comment says. */
interface Content {
  /** Markdown; the hidden line is added later. */
  readonly text: string;
  /** Empty if the comment is not about a job. */
  readonly jobId: string;
  readonly record: JobRecord | undefined;
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
  const message =
    kind === 'notice'
      ? 'Nothing was started. The log of this run says why.'
      : `Job ${jobIdOf(last)} may keep running. The log of this run says why this step ended.`;
  return { ...ended, message };
}

interface Writer {
  /** Queues the content behind the write that is in progress, and writes it. Never rejects. */
  show(content: Content): Promise<Shown>;
  /** Writes the final content, and waits for it up to a limit. Never rejects. */
  finish(content: Content, isError: boolean): Promise<Finished>;
}

function createWriter(target: Target, { runner, github }: AgentDeps): Writer {
  const { place, token, identity, manner } = target;
  const { clock, log } = runner;
  const stop = new AbortController();
  const { signal } = stop;
  const requests = { session: github.as(token), clock, signal };
  let own: OwnComment | undefined;
  let hasRecord = false;
  let queue: Promise<unknown> = Promise.resolve();
  let level: 'debug' | 'info' | 'warning' = manner.level;

  const write = async (content: Content): Promise<RequestFailure | undefined> => {
    if (token === '') {
      return { problem: 'github-token is empty', isRefusal: true };
    }
    const wasWritten = own !== undefined;
    if (own === undefined) {
      // A comment whose creation was not confirmed may exist, so every write searches until a comment is found.
      const search = await findOwn(content.jobId, target, requests);
      if (search.kind === 'failed') {
        return search;
      }
      own = search.value;
    } else {
      own = await readAgain(own, target, requests);
    }
    const before = own ?? { key: identity.key, records: [] };
    const { body, records } = withHiddenLine(content.text, content, before, target);
    const written = await writeComment(place, own?.id, body, requests);
    if (wasWritten && written.kind === 'failed' && isGone(written)) {
      // Somebody has deleted the comment. Its record may be the only one, so that another comment is created.
      own = undefined;
      hasRecord = false;
      return await write(content);
    }
    if (written.kind === 'failed') {
      return written;
    }
    own = { ...before, records, id: written.value };
    hasRecord = content.record !== undefined;
    // The comment says by now that it is kept up to date, so a failure to update it is a warning.
    level = 'warning';
    return undefined;
  };

  const writeOrLog = async (content: Content): Promise<RequestFailure | undefined> => {
    const failure = await write(content).catch((error: unknown) => failureOfError(error, signal));
    if (failure !== undefined) {
      // The step itself has ended the request, which GitHub may have received.
      const isGivenUp = runner.deadline.aborted && signal.aborted && !failure.isRefusal;
      log[level](
        isGivenUp
          ? `The comment on ${threadName(place)} may not have been written, because the step was stopped.`
          : describeFailure(failure, target),
      );
      level = 'debug';
    }
    return failure;
  };

  const enqueue = (content: Content): Promise<RequestFailure | undefined> => {
    const writing = queue.then(() => writeOrLog(content));
    queue = writing;
    return writing;
  };

  return {
    async show(content) {
      const failure = await enqueue(content);
      if (failure === undefined) {
        return 'written';
      }
      return failure.isRefusal ? 'not-written' : 'later';
    },
    async finish(content, isError) {
      if (isError) {
        // The comment was to say what went wrong, so a warning has to say that it is missing.
        level = 'warning';
      }
      const writing = enqueue(content);
      await inTime(writing, runner);
      stop.abort();
      const failure = await writing;
      const isRefused = failure?.isRefusal === true;
      return { refusal: isRefused ? describeFailure(failure, target) : undefined, hasRecord };
    },
  };
}

function describeFailure(
  failure: RequestFailure,
  { place, manner: { permission, level } }: Target,
): string {
  const token = { repository: place.repository, input: 'github-token', isStandIn: false } as const;
  // If the workflow has not asked for a comment, people may not want any.
  const instead = level === 'warning' ? '' : ', or set comment to "false"';
  const advice = failure.isRefusal
    ? `: ${adviceOnComment(failure, `the permission ${permission}`, token, place)}${instead}`
    : '';
  return `The comment on ${threadName(place)} could not be written, because ${failure.problem}${advice}.`;
}
