import { isMap, isScalar, isSeq, LineCounter, parseDocument, type YAMLMap } from 'yaml';
import { actions, bundleOf, subfolderOf } from '../../scripts/actions.ts';
import { readManifest } from '../../scripts/tables.ts';

/**
 * Finds references to actions that this repository does not have. A linter takes them for actions that it does not
 * know.
 *
 * @param name the name of this repository; any owner counts
 * @returns one line for each reference
 */
export function checkReferences(text: string, name: string): readonly string[] {
  const known = actions.map((action) => `${name}${subfolderOf(action)}`);
  const uses = new RegExp(String.raw`^[\s-]*uses:\s*['"]?[\w.-]+/(${name}(?:/[\w-]+)*)@`, 'gm');
  return [...text.matchAll(uses)]
    .filter(([, action = '']) => !known.includes(action))
    .map(([, action]) => `there is no action ${action}: write one of ${known.join(', ')}`);
}

/**
 * Warns of jobs that GitHub ends while a step of ours still waits, so that the step could not write its outputs.
 *
 * @param name the name of this repository; any owner counts
 */
export function checkTimeouts(text: string, name: string): readonly string[] {
  const lines = new LineCounter();
  const jobs = parseDocument(text, { lineCounter: lines }).get('jobs');
  const { default: waitByDefault } =
    readManifest(bundleOf('agent').actionFile).inputs['wait-minutes'] ?? {};
  return (isMap(jobs) ? jobs.items : []).flatMap(({ value: job }) => {
    const steps = isMap(job) ? job.get('steps') : undefined;
    const waits = (isSeq(steps) ? steps.items : [])
      .filter((step) => isMap(step))
      .filter((step) => isWaiting(step, name))
      .map((step) => Number(step.getIn(['with', 'wait-minutes']) ?? waitByDefault));
    const longest = Math.max(...waits);
    const limit = isMap(job) ? job.get('timeout-minutes', true) : undefined;
    return isScalar(limit) && longest >= Number(limit.value)
      ? [
          `line ${lines.linePos(limit.range?.[0] ?? 0).line}: GitHub ends the job after ${limit.value} minutes (timeout-minutes), and the step may wait for ${longest} (wait-minutes): give the job a few minutes more, so that the step can write its outputs`,
        ]
      : [];
  });
}

/** Whether a step uses the agent action, and is no dry run. */
function isWaiting(step: YAMLMap, name: string): boolean {
  const [, repository, ...rest] = String(step.get('uses')).split(/[/@]/);
  return (
    repository === name && rest.length === 1 && String(step.getIn(['with', 'dry-run'])) !== 'true'
  );
}
