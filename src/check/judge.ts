import type { GitHub } from '../github/client.ts';
import type { ThreadPlace } from '../github/comments.ts';
import { threadName } from '../github/names.ts';
import type { Runner } from '../runner/runner.ts';
import { quoted } from '../text/plain.ts';
import { touchesDocs } from './docs/kinds.ts';
import { type CheckInputs, tokenFor } from './inputs.ts';
import { judgementOf } from './judgement.ts';
import type { Result, State } from './outputs.ts';
import { readChange } from './reading/read-change.ts';
import { showFindings } from './report/annotations.ts';
import { renderReport, verdictMessage } from './report/report.ts';

/** What the steps of a run use. */
export interface Tools {
  readonly runner: Runner;
  /** Adds to what the step has found out, and writes the outputs that follow. */
  readonly learn: (news: State) => void;
  readonly github: GitHub;
}

/**
 * Reads the pull request, applies the rules, and renders the report.
 * @throws ActionError if an input is invalid, or the pull request cannot be read
 */
export async function judge(
  target: ThreadPlace,
  inputs: CheckInputs,
  { runner, learn, github }: Tools,
): Promise<Result> {
  const { clock, signal, environment } = runner;
  const { rules } = inputs;
  const reading = await readChange(target, inputs, {
    session: github.as(inputs.token),
    token: tokenFor(target, inputs, environment.repository),
    clock,
    signal,
    onHead: (headSha) => learn({ headSha }),
  });
  learn(reading);
  const { change } = reading;
  // A pull request that pr-link names is judged whatever it changes, so that an agent that changes only a
  // workflow does not end in a green step.
  const isOurs = inputs.pullRequest === undefined ? touchesDocs(change) : change.files.length > 0;
  if (!isOurs && change.unread.length === 0) {
    const { root } = change.after.site;
    const files = root === '' ? 'file of the docs' : `file of the docs in ${quoted(root)}`;
    const message = `Nothing was judged, because ${threadName(target)} changes no ${files}.`;
    return { result: 'skipped', reason: 'no-docs-changed', message, level: 'notice' };
  }
  // The rules are loaded late, because they load the parsers.
  const { judgeChange } = await import('./rules/rules.ts');
  const findings = judgeChange(change, rules);
  const judgement = judgementOf({ ...reading, target, findings, rules });
  const { verdict } = judgement;
  const message = verdictMessage(judgement);
  const report = renderReport(judgement, environment);
  // The outputs get the verdict last, so that a later step never sees a verdict whose report could not be rendered.
  learn(judgement);
  showFindings(judgement, inputs.failOn, runner);
  return { result: 'judged', verdict, message, report };
}
