import type { ApiInputs } from '../common/api-inputs.ts';
import type { Runner } from '../runner/runner.ts';
import { quoted } from '../text/plain.ts';
import type { Change } from './change.ts';
import type { Site } from './docs/site.ts';
import type { RuleSettings } from './finding.ts';
import { type CheckInputs, readReadersApi } from './inputs.ts';
import type { Readers } from './readers/readers.ts';
import { isInside } from './reading/paths.ts';
import { type ChangeReading, readChange } from './reading/read-change.ts';
import type { Result } from './result.ts';
import { nameOf, type Target } from './target.ts';
import type { Tools } from './tools.ts';

/**
 * Judges a pull request: read it, apply the rules, ask who reads its pages, report. The rules and the
 * reports are loaded once they are needed, so that they do not delay the first request.
 *
 * @throws ActionError, pullRequestError, or the reason of the runner's signal
 */
export async function judge(target: Target, inputs: CheckInputs, tools: Tools): Promise<Result> {
  const { runner, state } = tools;
  const settings = await readSettings(inputs.rules);
  const api = inputs.hasReaders ? await findReadersApi(runner) : undefined;
  const reading = await read(target, inputs, tools);
  const { change, changedFiles, previewLink } = reading;
  state.learn({ changedFiles, previewLink, docsRoot: change.before.site.root });
  if (!hasToJudge(change, inputs) && change.unread.length === 0) {
    return nothingToJudge(target, change.after.site.root);
  }
  const [{ applyRules, report }, { changedPageFiles, knownPath }] = await Promise.all([
    import('./conclude.ts'),
    import('./pages.ts'),
  ]);
  const pages = changedPageFiles(change);
  const readers = await readReadersOf(pages.map(knownPath), change.before.site, api, runner);
  const judgement = applyRules(target, reading, settings, readers);
  return report(judgement, inputs.failOn, tools);
}

/** The parser of YAML is only loaded if there is any. */
async function readSettings(text: string): Promise<RuleSettings> {
  return text === '' ? new Map() : (await import('./rules-input.ts')).readRules(text);
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
      graphqlUrl: github.graphqlUrl,
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
function hasToJudge({ files, before, after }: Change, { prLink }: CheckInputs): boolean {
  if (prLink !== '') {
    return files.length > 0;
  }
  return files.some(
    ({ path, previousPath = path }) =>
      isInside(after.site.root, path) || isInside(before.site.root, previousPath),
  );
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

/**
 * The inputs for requests about readers; `undefined` for a run that GitHub gives no secrets, because
 * readers are no reason to fail it.
 * @throws ActionError if they are invalid
 */
async function findReadersApi(runner: Runner): Promise<ApiInputs | 'no-secret'> {
  const { findNoSecret } = await import('../common/no-secret.ts');
  const noSecret = await findNoSecret(runner, '');
  return noSecret === undefined ? await readReadersApi(runner.inputs) : 'no-secret';
}

async function readReadersOf(
  pages: readonly string[],
  site: Site,
  api: ApiInputs | 'no-secret' | undefined,
  runner: Runner,
): Promise<Readers> {
  if (api === undefined) {
    return { kind: 'off' };
  }
  if (api === 'no-secret') {
    return unknownReaders('GitHub gives this run no secrets', runner);
  }
  if (pages.length === 0) {
    return { kind: 'known', visitors: new Map(), isWhole: true };
  }
  const { readReaders } = await import('./readers/readers.ts');
  const readers = await readReaders(api, pages, site, runner);
  return readers.kind === 'unknown' ? unknownReaders(readers.problem, runner) : readers;
}

function unknownReaders(problem: string, { log }: Runner): Readers {
  log.notice(`How many people read the pages is not known, because ${problem}.`);
  return { kind: 'unknown', problem };
}
