import { peekFailOn } from '../common/fail-on.ts';
import type { Log } from '../runner/log.ts';
import { createOutputWriter } from '../runner/runner.ts';
import { aborted, type Conclusion } from '../runner/step.ts';
import { prose } from '../text/markdown.ts';
import type { AgentDeps } from './deps.ts';
import { createRecordKeeper, type Kept, type Shown } from './earlier/keep-record.ts';
import type { JobRecord } from './earlier/record.ts';
import { mayBeDryRun } from './inputs.ts';
import { createPollLog } from './job/poll-log.ts';
import { outputs } from './outputs.ts';
import { createStepComment } from './report/comment.ts';
import { lossWarning, messageOf } from './report/messages.ts';
import { endReport, promptText } from './report/summary.ts';
import {
  failOnChoices,
  levelOf,
  mayHaveArrived,
  type Phase,
  type Result,
  resultOfError,
} from './result.ts';
import {
  type Closing,
  type Ended,
  type Reached,
  recordOf,
  type Sending,
  type Waiting,
} from './stage.ts';

/** A step of a workflow, which writes what its run finds out. */
export interface Step {
  /** Writes what is new of each stage that a run reaches. @returns the run's result */
  follow(run: AsyncGenerator<Reached, Result>): Promise<Result>;
  /**
   * Turns an error into a result, with what the last stage knows. If a request that got no response may have arrived,
   * this saves the record of that request, from which a re-run knows that a job may exist.
   */
  failed(error: unknown): Result;
  /** Turns the result into outputs, message, summary and comment. */
  conclude(result: Result): Conclusion;
}

export function createStep(deps: AgentDeps): Step {
  const { runner, github } = deps;
  const { log, clock, environment } = runner;
  const writeOutputs = createOutputWriter(outputs, runner);
  const jobWriter = createJobWriter(deps);
  const isDryRun = mayBeDryRun(runner.inputs);
  let stage: Reached = { at: 'before' };
  let hasEnded = false;

  const reach = (next: Reached): void => {
    // After an error in a callback, the run may go on although the step has ended.
    if (hasEnded) {
      return;
    }
    stage = next;
    // The outputs come first, because the log can break.
    writeOutputs(next);
    jobWriter.reached(next);
  };

  return {
    async follow(run) {
      for (;;) {
        const next = await run.next();
        if (next.done === true) {
          // The closing message says whether a re-run finds the record, but a stopped step writes its outputs
          // at once.
          await Promise.race([jobWriter.settled(), aborted(runner.signal)]);
          return next.value;
        }
        reach(next.value);
      }
    },
    failed(error) {
      const phase = phaseOf(error, stage);
      if (stage.at === 'sending' && mayHaveArrived(error)) {
        reach({ ...stage, mayHaveArrived: true });
      }
      return resultOfError(error, phase, runner);
    },
    conclude(result) {
      const tookMs = stage.at === 'waiting' ? clock.nowMs() - stage.started.sinceMs : undefined;
      const sinceAskedMs = stage.at === 'waiting' ? (tookMs ?? 0) - stage.seen.waitedMs : 0;
      const askedAtMs = clock.todayMs() - sinceAskedMs;
      const kept = jobWriter.keptAt(stage);
      const closing: Closing = { last: stage, result, kept, askedAtMs };
      if (isDryRun) {
        logDryRun(closing, log);
      }
      const { sentence: message } = messageOf(closing);
      const ended: Ended = { at: 'ended', ...closing, message, tookMs };
      return {
        writeOutputs() {
          hasEnded = true;
          writeOutputs(ended);
        },
        level: levelOf(result, stage.inputs?.failOn ?? peekFailOn(runner.inputs, failOnChoices)),
        message,
        summary: endReport(ended, environment),
        async afterwards() {
          const added = isDryRun ? [] : await jobWriter.finish(ended);
          if (added.length > 0) {
            await runner.writeSummary(added.map((each) => `⚠️ ${prose(each)}\n`).join('\n'));
          }
          await github.close();
        },
      };
    },
  };
}

/** Writes the comment, the record and the log of a step's job. */
interface JobWriter {
  /** Writes what is new at a stage. */
  reached(stage: Reached): void;
  /** Whether a re-run finds the record of the job, as far as is known at this stage. */
  keptAt(stage: Reached): Kept;
  /** Resolves once the comment and the record are written, unless they have to wait for the end. */
  settled(): Promise<void>;
  /** Writes the end into the comment. @returns sentences to add to the summary, such as why the comment failed */
  finish(ended: Ended): Promise<readonly string[]>;
}

function createJobWriter(deps: AgentDeps): JobWriter {
  const { runner } = deps;
  const comment = createStepComment(deps);
  const keeper = createRecordKeeper(runner);
  const pollLog = createPollLog(runner);
  let showing: Promise<Shown> = Promise.resolve('later');
  let shownStatus: string | undefined;
  let isStarted = false;
  let kept: JobRecord | undefined;

  /** Shows the job in the comment each time that its status has changed, unless the job has ended. */
  const showWorking = (waiting: Waiting): void => {
    const status = waiting.seen.job?.status;
    if (status !== shownStatus) {
      shownStatus = status;
      showing = comment.showWorking(waiting);
    }
  };

  /** Saves the record each time that it has changed. */
  const keep = ({ plan, record, inputs }: Sending | Waiting): void => {
    if (record === undefined || record === kept) {
      return;
    }
    kept = record;
    if (plan.kind === 'resume') {
      keeper.wasFound();
    } else {
      keeper.save(record, inputs.api.apiKey, showing);
    }
  };

  return {
    reached(stage) {
      if (stage.at === 'sending' && stage.mayHaveArrived) {
        keep(stage);
      }
      if (stage.at !== 'waiting') {
        return;
      }
      // The record is saved after the comment is begun, because the step warns only if both failed.
      showWorking(stage);
      keep(stage);
      if (!isStarted) {
        isStarted = true;
        pollLog.started(stage.started, stage.seen, stage.inputs.api.projectId);
      }
      pollLog.polled(stage.seen);
      pollLog.waiting(stage.seen);
    },
    keptAt(stage) {
      // The search has just found the record.
      return stage.at === 'asking' ? 'kept' : keeper.kept;
    },
    async settled() {
      await Promise.all([keeper.settled(), showing]);
    },
    async finish(ended) {
      const { last } = ended;
      const { refusal, hasRecord } = await comment.finish(ended);
      const isNeeded = recordOf(last) !== undefined && last.inputs?.onRerun === 'resume';
      const why = isNeeded ? await keeper.whyLost(hasRecord) : undefined;
      const loss = why === undefined ? undefined : lossWarning(why, ended);
      if (loss !== undefined) {
        runner.log.warning(loss);
      }
      return [refusal, loss].filter((sentence) => sentence !== undefined);
    },
  };
}

/** Logs what a dry run found out, and the prompt, even if the dry run failed after the prompt was read. */
function logDryRun({ result, last }: Closing, log: Log): void {
  for (const [name, text] of result.result === 'ready' ? result.facts : []) {
    log.info(`${name}: ${text}`);
  }
  const text = promptText(last);
  if (text !== undefined) {
    log.fold('The prompt as it would be sent', text);
  }
}

/** In which phase an error stopped the step. */
function phaseOf(error: unknown, stage: Reached): Phase {
  if (mayHaveArrived(error)) {
    return 'sending';
  }
  return stage.at === 'asking' || stage.at === 'waiting' ? 'waiting' : 'before';
}
