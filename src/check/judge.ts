import type { GitHub } from '../github/client.ts';
import type { Runner } from '../runner/runner.ts';
import { quoted } from '../text/plain.ts';
import type { Change } from './change.ts';
import { touchesDocs } from './docs/kinds.ts';
import { type CheckInputs, type FailOn, readRules } from './inputs.ts';
import type { Judgement } from './judgement.ts';
import type { CheckState, Result } from './outputs.ts';
import { readReaders, readReadersApi } from './readers.ts';
import { type ChangeReading, readChange } from './reading/read-change.ts';
import { nameOf, type Target } from './target.ts';

/** What the steps of a run use. */
export interface Tools {
  readonly runner: Runner;
  readonly state: CheckState;
  readonly github: GitHub;
}

/**
 * Judges a pull request: read it, ask who reads its pages, apply the rules, report. The rules and the
 * reports are loaded once they are needed, so that they do not delay the first request.
 *
 * @throws ActionError, or the reason of the runner's signal
 */
export async function judge(target: Target, inputs: CheckInputs, tools: Tools): Promise<Result> {
  const { runner, state } = tools;
  const settings = await readRules(inputs.rules);
  const api = inputs.hasReaders ? await readReadersApi(runner) : 'off';
  const reading = await read(target, inputs, tools);
  state.learn({ reading });
  const { change } = reading;
  if (!hasToJudge(change, inputs) && change.unread.length === 0) {
    return nothingToJudge(target, change.after.site.root);
  }
  const { changedPageFiles, judgementOf } = await import('./judgement.ts');
  const pages = changedPageFiles(change).map(({ path, previousPath = path }) => previousPath);
  const readers =
    typeof api === 'string' ? api : await readReaders(api, pages, change.before.site, runner);
  return await report(judgementOf(target, reading, settings, readers), inputs.failOn, tools);
}

async function read(
  target: Target,
  inputs: CheckInputs,
  { runner, state, github }: Tools,
): Promise<ChangeReading> {
  const { token, docsRoot, allowedPaths } = inputs;
  const { clock, signal, environment } = runner;
  return await readChange(
    target,
    { docsRoot, allowedPaths },
    {
      session: token === '' ? undefined : github.as(token),
      // So that messages name the token that was used.
      ownRepository: inputs.hasDocsToken ? '' : environment.repository,
      clock,
      signal,
      onHead: (headSha) => state.learn({ headSha }),
    },
  );
}

/**
 * Whether a change is the docs' business at all. A pull request that `pr-link` names is, whatever it
 * changes: an agent that only changes a workflow must not end in a green step.
 */
function hasToJudge(change: Change, { prLink }: CheckInputs): boolean {
  return prLink === '' ? touchesDocs(change) : change.files.length > 0;
}

function nothingToJudge(target: Target, root: string): Result {
  const docs = root === '' ? 'file of the docs' : `file of the docs in ${quoted(root)}`;
  return {
    result: 'skipped',
    reason: 'no-docs-changed',
    message: `Nothing was judged, because ${nameOf(target)} changes no ${docs}.`,
    isLoud: false,
  };
}

/** Writes the outputs and the annotations. The verdict is only known once its report is there. */
async function report(
  judgement: Judgement,
  failOn: ReadonlySet<FailOn>,
  { runner, state }: Tools,
): Promise<Result> {
  const [{ annotate }, { renderReport }] = await Promise.all([
    import('./report/annotations.ts'),
    import('./report/report.ts'),
  ]);
  const rendered = renderReport(judgement, runner.environment);
  state.learn({ judgement });
  annotate(judgement, failOn, runner);
  return { result: 'judged', judgement, report: rendered };
}
