import { peekFailOn } from '../common/fail-on.ts';
import { endOfError } from '../common/result.ts';
import type { Log } from '../runner/log.ts';
import { createOutputWriter } from '../runner/runner.ts';
import { aborted, type Conclusion } from '../runner/step.ts';
import { hasReason } from '../text/error.ts';
import { prose } from '../text/markdown.ts';
import type { AgentDeps } from './deps.ts';
import { createRecordKeeper, type Saved, savedIn } from './earlier/keep-record.ts';
import { mayBeDryRun } from './inputs.ts';
import { createPollLog } from './job/poll-log.ts';
import { outputs } from './outputs.ts';
import { createStepComment } from './report/comment.ts';
import { lossWarning, messageOf } from './report/messages.ts';
import { endReport, promptText } from './report/summary.ts';
import { failOnChoices, levelOf, type Result } from './result.ts';
import { type Ended, type Reached, recordOf, type Sending, type Waiting } from './stage.ts';

/** Makes the step of a workflow, which writes what its run finds out. */
export function createStep(deps: AgentDeps) {
  const { runner, github } = deps;
  const { log, clock, environment } = runner;
  const writeOutputs = createOutputWriter(outputs, runner);
  const comment = createStepComment(deps);
  const keeper = createRecordKeeper(runner);
  const pollLog = createPollLog(runner);
  const isDryRun = mayBeDryRun(runner.inputs);
  let stage: Reached = { at: 'before' };
  let hasEnded = false;

  const keep = (next: Sending | Waiting): void => {
    const record = recordOf(next);
    if (record !== undefined && next.plan.kind !== 'resume') {
      keeper.save(record, next.inputs.api.apiKey);
    }
  };

  const reach = (next: Reached): void => {
    // An error in a timer or an event listener ends the step while the run may still go on. What the run yields then
    // must not overwrite the final outputs.
    if (hasEnded) {
      return;
    }
    const wasWaiting = stage.at === 'waiting';
    stage = next;
    // The outputs come first, because the log can break.
    writeOutputs(next);
    if (next.at === 'sending' || next.at === 'waiting') {
      keep(next);
    }
    if (next.at === 'waiting') {
      comment.show(next);
      if (!wasWaiting) {
        pollLog.started(next.started, next.seen, next.inputs.api.projectId);
      }
      pollLog.polled(next.seen);
    }
  };

  /** See `Ended`. */
  const saved = (): Saved => {
    if (recordOf(stage) === undefined || stage.inputs?.onRerun !== 'resume') {
      return { kind: 'unavailable' };
    }
    const wasFound = stage.at === 'asking' || ('plan' in stage && stage.plan.kind === 'resume');
    return wasFound ? { kind: 'saved' } : savedIn([comment.saved, keeper.saved]);
  };

  return {
    /** Writes what is new of each stage that a run reaches. @returns the run's result */
    async follow(run: AsyncGenerator<Reached, Result>): Promise<Result> {
      for (;;) {
        const next = await run.next();
        if (next.done === true) {
          // The closing message says whether a re-run finds the record, but a stopped step writes its outputs
          // at once.
          const settled = Promise.all([comment.settled(), keeper.settled()]);
          await Promise.race([settled, aborted(runner.signal)]);
          return next.value;
        }
        reach(next.value);
      }
    },
    /**
     * Turns an error into a result, with what the last stage knows. If a request that got no response may have arrived,
     * this saves the record of that request, from which a re-run knows that a job may exist.
     */
    failed(error: unknown): Result {
      if (stage.at === 'sending' && hasReason(error, 'job-may-exist')) {
        reach({ ...stage, mayHaveArrived: true });
      }
      return endOfError(error, runner);
    },
    /** Turns the result into outputs, message, summary and comment. */
    conclude(result: Result): Conclusion {
      const tookMs = stage.at === 'waiting' ? clock.nowMs() - stage.started.sinceMs : undefined;
      const sinceAskedMs = stage.at === 'waiting' ? (tookMs ?? 0) - stage.seen.waitedMs : 0;
      const askedAtMs = clock.epochMs() - sinceAskedMs;
      const ended: Ended = { at: 'ended', last: stage, result, saved: saved(), askedAtMs, tookMs };
      if (isDryRun) {
        logDryRun(ended, log);
      }
      return {
        writeOutputs() {
          hasEnded = true;
          writeOutputs(ended);
        },
        level: levelOf(result, stage.inputs?.failOn ?? peekFailOn(runner.inputs, failOnChoices)),
        message: messageOf(ended).sentence,
        summary: endReport(ended, environment),
        async afterwards() {
          if (!isDryRun) {
            const refusal = await comment.finish(ended);
            await keeper.settled();
            const loss = lossWarning(saved(), ended);
            if (loss !== undefined) {
              log.warning(loss);
            }
            const added = [refusal, loss].filter((sentence) => sentence !== undefined);
            if (added.length > 0) {
              await runner.writeSummary(added.map((each) => `⚠️ ${prose(each)}\n`).join('\n'));
            }
          }
          await github.close();
        },
      };
    },
  };
}

/** Logs what a dry run found out, and the prompt, even if the dry run failed after the prompt was read. */
function logDryRun({ result, last }: Ended, log: Log): void {
  for (const [name, text] of result.result === 'ready' ? result.facts : []) {
    log.info(`${name}: ${text}`);
  }
  const text = promptText(last);
  if (text !== undefined) {
    log.fold('The prompt as it would be sent', text);
  }
}
