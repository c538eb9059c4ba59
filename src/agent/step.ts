import { peekFailOn } from '../common/fail-on.ts';
import type { Log } from '../runner/log.ts';
import { createOutputWriter } from '../runner/runner.ts';
import { aborted, type Conclusion } from '../runner/step.ts';
import { prose } from '../text/markdown.ts';
import type { AgentDeps } from './deps.ts';
import { createRecordKeeper, type Shown } from './earlier/keep-record.ts';
import { mayBeDryRun } from './inputs.ts';
import { createPollLog } from './job/poll-log.ts';
import { outputs } from './outputs.ts';
import { createStepComment } from './report/comment.ts';
import { messageOf } from './report/messages.ts';
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
  type Stage,
  type Waiting,
} from './stage.ts';

/** A step of a workflow: it writes what its run finds out. */
export interface Step {
  /** Writes what is new of each stage that a run reaches. @returns the run's result */
  follow(run: AsyncGenerator<Reached, Result>): Promise<Result>;
  /** Concludes an error from the last stage that was written. */
  resultOf(error: unknown): Result;
  /** Turns the result into outputs, message, summary and comment. */
  conclude(result: Result): Conclusion;
}

export function createStep(deps: AgentDeps): Step {
  const { runner, github } = deps;
  const { log, clock, environment } = runner;
  const writeOutputs = createOutputWriter(outputs, runner);
  const comment = createStepComment(deps);
  const keeper = createRecordKeeper(runner);
  const pollLog = createPollLog(runner);
  const isDryRun = mayBeDryRun(runner.inputs);
  let stage: Reached = { at: 'before' };
  let hasEnded = false;
  let showing: Promise<Shown> = Promise.resolve('later');
  let shownStatus: string | undefined;

  /** The only place that writes what is known. The outputs come first, because the log can break. */
  const write = (next: Stage): void => {
    // A run whose callback failed may go on after the end.
    if (hasEnded) {
      return;
    }
    writeOutputs(next);
    if (next.at === 'ended') {
      hasEnded = true;
      return;
    }
    const before = stage;
    stage = next;
    if (next.at === 'waiting') {
      // The record is saved after the comment is begun, because it warns only if both failed.
      showWorking(next);
      if (before.at !== 'waiting') {
        keep(next);
        pollLog.started(next.started, next.inputs.api.projectId);
      }
      pollLog.polled(next.seen);
      pollLog.waiting(next.seen);
    }
  };

  /** Shows the job in the comment each time that its status is new, unless it has ended. */
  const showWorking = (waiting: Waiting): void => {
    const status = waiting.seen.job?.status;
    if (status !== shownStatus) {
      shownStatus = status;
      showing = comment.showWorking(waiting);
    }
  };

  const keep = ({ plan, record, inputs }: Sending | Waiting): void => {
    if (plan.kind === 'resume') {
      keeper.wasFound();
    } else if (record !== undefined) {
      keeper.save(record, inputs.api.apiKey, showing);
    }
  };

  /** Shows the end in the comment. @returns what the summary has to add to it */
  const finish = async (ended: Ended): Promise<readonly string[]> => {
    const { last } = ended;
    const { refusal, hasRecord } = await comment.finish(ended);
    const record = recordOf(last);
    const loss =
      record === undefined || last.inputs?.onRerun !== 'resume'
        ? undefined
        : await keeper.lossOf(record, hasRecord);
    if (loss !== undefined) {
      log.warning(loss);
    }
    return [refusal, loss].filter((sentence) => sentence !== undefined);
  };

  return {
    async follow(run) {
      for (;;) {
        const next = await run.next();
        if (next.done === true) {
          // The closing message says whether a re-run finds the record, but a stopped step writes its outputs
          // at once.
          await Promise.race([Promise.all([keeper.settled(), showing]), aborted(runner.signal)]);
          return next.value;
        }
        write(next.value);
      }
    },
    resultOf(error) {
      const phase = phaseOf(error, stage);
      if (stage.at === 'sending' && mayHaveArrived(error)) {
        stage = { ...stage, mayHaveArrived: true };
        keep(stage);
      }
      return resultOfError(error, phase, runner);
    },
    conclude(result) {
      const isAsked = stage.at === 'before' && stage.record !== undefined;
      const closing = {
        last: stage,
        result,
        kept: isAsked ? 'kept' : keeper.kept,
      } as const;
      if (isDryRun) {
        logDryRun(closing, log);
      }
      const tookMs = stage.at === 'waiting' ? clock.nowMs() - stage.started.sinceMs : undefined;
      const { sentence: message } = messageOf(closing);
      const ended: Ended = { at: 'ended', ...closing, message, tookMs };
      return {
        writeOutputs: () => write(ended),
        level: levelOf(result, stage.inputs?.failOn ?? peekFailOn(runner.inputs, failOnChoices)),
        message,
        summary: endReport(ended, environment),
        async afterwards() {
          const added = isDryRun ? [] : await finish(ended);
          if (added.length > 0) {
            await runner.writeSummary(added.map((each) => `⚠️ ${prose(each)}\n`).join('\n'));
          }
          await github.close();
        },
      };
    },
  };
}

/** Logs what a dry run found out, and the prompt, even if the dry run failed after it was read. */
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
  // The job of an earlier attempt runs already while this step asks for it.
  return stage.at === 'waiting' || recordOf(stage) !== undefined ? 'waiting' : 'before';
}
