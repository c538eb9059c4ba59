import { oneLine } from '../../src/text/plain.ts';
import type { ConditionalJob } from './workflow.ts';

/** What conditions can read, as far as it is known here. */
export interface Contexts {
  readonly github: Readonly<Record<string, unknown>>;
  readonly vars: Readonly<Record<string, string>>;
}

/**
 * Says which jobs and steps were left out by a condition, and which values that condition reads.
 *
 * @param log act's log of the run
 * @returns lines to print; none if no condition was false
 */
export function explainSkipped(
  jobs: readonly ConditionalJob[],
  log: string,
  contexts: Contexts,
): readonly string[] {
  const hasRun = log.includes('⭐ Run ');
  return jobs.flatMap((job) => {
    const lines = linesOf(job.label, log);
    if (lines.length > 0) {
      return explainSteps(job, lines, contexts);
    }
    // Where the log does not name a job, its condition is only known to be false if no job ran.
    return hasRun && !job.isNamed ? [] : explainJob(job, { ...contexts });
  });
}

function explainJob(
  { label, condition, needsOthers }: ConditionalJob,
  contexts: Readonly<Record<string, unknown>>,
): readonly string[] {
  const others = needsOthers ? ', or a job that it needs did not succeed' : '';
  return condition === undefined
    ? []
    : explain(
        `The job ${label} did not run, because its condition is false${others}`,
        condition,
        contexts,
      );
}

/** Explains the steps that did not run. A condition that reads no values, such as `failure()`, needs no explanation. */
function explainSteps(
  { steps }: ConditionalJob,
  lines: readonly string[],
  contexts: Contexts,
): readonly string[] {
  // After a failed step, most steps do not run because of the failure, and not because of their condition.
  if (lines.some((line) => line.includes('Job failed'))) {
    return [];
  }
  const known = { ...contexts, steps: outputsOf(steps, lines) };
  return steps.flatMap(({ label, condition }) =>
    label === undefined ||
    condition === undefined ||
    valuesIn(condition, known).length === 0 ||
    lines.some((line) => line.startsWith(`⭐ Run Main ${label}`))
      ? []
      : explain(`The step ${label} did not run, because its condition is false`, condition, known),
  );
}

/** The lines of a job's log, without their prefix. act pads the names, and numbers the legs of a matrix. */
function linesOf(label: string, log: string): readonly string[] {
  return log.split('\n').flatMap((line) => {
    const [, prefix = '', rest] = /^\[([^\]]*)\] ?(.*)$/.exec(line) ?? [];
    const name = prefix.trim().replace(/-\d+$/, '');
    const isOfJob = name.endsWith(`/${label}`) || name.includes(`/${label}/`);
    return rest !== undefined && isOfJob ? [rest] : [];
  });
}

/** The outputs of the steps with an id, as far as act has logged them. */
function outputsOf(
  steps: ConditionalJob['steps'],
  lines: readonly string[],
): Readonly<Record<string, unknown>> {
  const known: Record<string, { outputs: Record<string, string> }> = Object.fromEntries(
    steps.flatMap(({ id }) => (id === undefined ? [] : [[id, { outputs: {} }]])),
  );
  let current: string | undefined;
  for (const line of lines) {
    const started = /^⭐ Run Main (.*)/.exec(line)?.[1];
    if (started !== undefined) {
      current = steps.find(({ label }) => label === started)?.id;
    }
    const [, name, value = ''] = /^ *⚙ {2}::set-output:: ([\w-]+)=(.*)$/.exec(line) ?? [];
    const step = current === undefined ? undefined : known[current];
    if (name !== undefined && step !== undefined) {
      step.outputs[name] = value;
    }
  }
  return known;
}

/** The condition, and the values that it reads. */
function explain(
  title: string,
  condition: string,
  contexts: Readonly<Record<string, unknown>>,
): readonly string[] {
  const values = valuesIn(condition, contexts);
  return [`${title}:`, `  if: ${condition.trim()}`, ...values.map((value) => `    ${value}`)];
}

/** A path such as `github.event.label.name` or `vars['A']`, outside of texts in quotes. */
const pathPattern =
  /'(?:[^']|'')*'|\b(?:github|vars|inputs|steps)(?:\.(?:[\w-]+|\*)|\['[^']+'\])+/gi;

/** The paths below which everything is known, so that what is not there is empty. */
const known = /^(?:github\.event\.|vars\.|inputs\.|steps\.[\w-]+\.outputs\.)/i;

/** What a condition reads: one line each, such as `github.event.label.name is "bug"`. */
export function valuesIn(
  condition: string,
  contexts: Readonly<Record<string, unknown>>,
): readonly string[] {
  const paths = [...condition.matchAll(pathPattern)]
    .map(([path]) => path)
    .filter((path) => !path.startsWith("'"));
  return [...new Set(paths)].flatMap((path) => {
    const keys = path.replace(/\['([^']+)'\]/g, '.$1').split('.');
    const value = readPath(contexts, keys);
    return value === undefined && !known.test(keys.join('.')) ? [] : [`${path} is ${show(value)}`];
  });
}

/** Like GitHub, ignores the case of keys; `*` takes every element. */
function readPath(value: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined) {
    return value;
  }
  if (typeof value !== 'object' || value === null) {
    return undefined;
  }
  if (key === '*') {
    return Object.values(value).map((each) => readPath(each, rest));
  }
  const found = Object.entries(value).find(([name]) => name.toLowerCase() === key.toLowerCase());
  return readPath(found?.[1], rest);
}

const maxShown = 100;

function show(value: unknown): string {
  return value === undefined || value === null || value === ''
    ? 'empty'
    : oneLine(JSON.stringify(value), maxShown);
}
