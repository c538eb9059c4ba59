import {
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
  type YAMLMap,
  type YAMLParseError,
} from 'yaml';
import { actionFiles, actions, bundleOf } from '../../scripts/actions.ts';
import { readManifest } from '../../scripts/tables.ts';
import { closest } from '../../src/text/closest.ts';

type Manifest = ReturnType<typeof readManifest>;

interface Mistake {
  readonly line: number;
  readonly message: string;
}

/** A step that uses an action of this repository. */
interface OwnStep {
  /** Repository and path of the action, as in `uses:`, without owner and version. */
  readonly action: string;
  readonly manifest: Manifest;
  readonly step: YAMLMap;
}

/**
 * Checks the steps of a workflow that use an action of this repository: its name and version, their inputs,
 * and the outputs that expressions read. A linter does not know the actions, and a run takes a misspelt name
 * for an empty value. If the text is not YAML, says what to write instead, as far as that is known.
 *
 * @param name the name of this repository; any owner counts
 * @returns one line for each mistake
 */
export function checkOwnSteps(text: string, name: string): readonly string[] {
  const manifests = new Map(
    actions.map((action) => [
      [name, ...actionFiles[action].split('/').slice(0, -1)].join('/'),
      readManifest(bundleOf(action).actionFile),
    ]),
  );
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const lineAt = (offset = 0) => lines.linePos(offset).line;
  if (document.errors.length > 0) {
    return document.errors.flatMap((error) => explainYaml(error, text, lineAt(error.pos[0])));
  }
  const own: OwnStep[] = [];
  const references: Mistake[] = [];
  const otherIds = new Set<unknown>();
  visit(document, {
    Map(_, step) {
      const uses = String(step.get('uses') ?? '');
      const action = /^[^/]+\/([^@]+)/.exec(uses)?.[1] ?? '';
      const manifest = manifests.get(action);
      const message = checkReference(uses, name, [...manifests.keys()]);
      if (message !== undefined) {
        const node = step.get('uses', true);
        references.push({ line: lineAt(node?.range?.[0]), message });
      }
      if (manifest === undefined) {
        otherIds.add(step.get('id'));
      } else {
        own.push({ action, manifest, step });
      }
    },
  });
  return [
    ...references,
    ...own.flatMap((each) => [
      ...checkInputs(each, lineAt),
      ...(otherIds.has(each.step.get('id')) ? [] : checkOutputs(each, text, lineAt)),
    ]),
  ]
    .toSorted((a, b) => a.line - b.line)
    .map(({ line, message }) => `line ${line}: ${message}`);
}

/** What to write instead of a text that is not YAML, for the usual mistakes; nothing for others. */
function explainYaml({ code }: YAMLParseError, text: string, line: number): readonly string[] {
  if (code === 'TAB_AS_INDENT') {
    return [`line ${line}: YAML allows no tab there: indent the line with spaces`];
  }
  const [, key, value = ''] =
    /^\s*(?:- )?([\w-]+): +(.*: .*)$/.exec(text.split('\n')[line - 1] ?? '') ?? [];
  if (code !== 'BLOCK_AS_IMPLICIT_KEY' || key === undefined) {
    return [];
  }
  const quoted = `'${value.trimEnd().replaceAll("'", "''")}'`;
  return [`line ${line}: the value has ": " in it, so quote it: write ${key}: ${quoted}`];
}

/**
 * What is wrong with a reference to this repository.
 *
 * @param name the name of this repository
 * @param known the names of its actions, with it in front
 */
function checkReference(uses: string, name: string, known: readonly string[]): string | undefined {
  const [, owner, action = '', version] = /^([^/]+)\/([^@]+)(?:@(.*))?$/.exec(uses) ?? [];
  if (action !== name && !action.startsWith(`${name}/`)) {
    return undefined;
  }
  if (!known.includes(action) && !action.includes('/.github/')) {
    const advice = `write ${owner}/${name}@${version ?? 'v1'}`;
    return `there is no action ${action}: ${advice}, or one of ${known.join(', ')}`;
  }
  return version === undefined || version === ''
    ? `${uses} has no version: write ${owner}/${action}@ and the full SHA of a commit`
    : undefined;
}

function checkInputs(
  { action, manifest, step }: OwnStep,
  lineAt: (offset?: number) => number,
): readonly Mistake[] {
  const inputs = step.get('with', true);
  const given = isMap(inputs) ? inputs.items.map(({ key }) => key).filter(isScalar) : [];
  // GitHub ignores the case of inputs and outputs.
  const nameOf = (key: (typeof given)[number]) => String(key.value).toLowerCase();
  const pair = step.items.find(({ key }) => isScalar(key) && key.value === 'with');
  const place = isScalar(pair?.key) ? pair.key : step;
  const known = Object.keys(manifest.inputs);
  const missing = known.filter(
    (input) => manifest.inputs[input]?.required === true && !given.map(nameOf).includes(input),
  );
  return [
    ...missing.map((input) => ({
      line: lineAt(place.range?.[0]),
      message: `${action} needs the input "${input}": add it under "with"`,
    })),
    ...(isMap(inputs) ? inputs.items : []).flatMap(({ key, value }) =>
      isScalar(key) && (isMap(value) || isSeq(value))
        ? [
            {
              line: lineAt(key.range?.[0]),
              message: value.flow
                ? `${action} takes a text as "${key.value}", and YAML reads braces and brackets as more than that: put the value in quotes`
                : `${action} takes a text as "${key.value}": write "${key.value}: |", and leave the lines below it as they are`,
            },
          ]
        : [],
    ),
    ...given
      .filter((key) => !known.includes(nameOf(key)))
      .map((key) => ({
        line: lineAt(key.range?.[0]),
        message: noSuch(action, 'input', String(key.value), known),
      })),
  ];
}

/** Leaves out names that an expression computes, and `steps.*.outputs`, because they name no output of one step. */
function checkOutputs(
  { action, manifest, step }: OwnStep,
  text: string,
  lineAt: (offset?: number) => number,
): readonly Mistake[] {
  const id = String(step.get('id') ?? '');
  if (!/^[\w-]+$/.test(id)) {
    return [];
  }
  const known = Object.keys(manifest.outputs);
  // A quote before it would make it a text.
  const pattern = new RegExp(String.raw`(?<!')\bsteps\.${id}\.outputs(?:\.|\[')([\w-]+)`, 'g');
  return [...text.matchAll(pattern)]
    .filter(([, output = '']) => !known.includes(output.toLowerCase()))
    .map((match) => ({
      line: lineAt(match.index),
      message: noSuch(action, 'output', match[1] ?? '', known),
    }));
}

function noSuch(
  action: string,
  kind: 'input' | 'output',
  name: string,
  known: readonly string[],
): string {
  const suggested = closest(name.toLowerCase().replaceAll('_', '-'), known);
  const advice =
    suggested === undefined
      ? `its ${kind}s are ${known.join(', ')}`
      : `did you mean "${suggested}"?`;
  return `${action} has no ${kind} "${name}": ${advice}`;
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
