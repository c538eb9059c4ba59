import { isMap, isScalar, LineCounter, parseDocument, visit, type YAMLMap } from 'yaml';
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
 * Checks the steps of a workflow that use an action of this repository: their inputs, and the outputs
 * that expressions read. A linter does not know the actions, and a run takes a misspelt name for an
 * empty value.
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
  const own: OwnStep[] = [];
  const otherIds = new Set<unknown>();
  visit(document, {
    Map(_, step) {
      const action = /^[^/]+\/([^@]+)@/.exec(String(step.get('uses') ?? ''))?.[1] ?? '';
      const manifest = manifests.get(action);
      if (manifest === undefined) {
        otherIds.add(step.get('id'));
      } else {
        own.push({ action, manifest, step });
      }
    },
  });
  const lineAt = (offset = 0) => lines.linePos(offset).line;
  return own
    .flatMap((each) => [
      ...checkInputs(each, lineAt),
      ...(otherIds.has(each.step.get('id')) ? [] : checkOutputs(each, text, lineAt)),
    ])
    .toSorted((a, b) => a.line - b.line)
    .map(({ line, message }) => `line ${line}: ${message}`);
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
    ...given
      .filter((key) => !known.includes(nameOf(key)))
      .map((key) => ({
        line: lineAt(key.range?.[0]),
        message: noSuch(action, 'input', String(key.value), known),
      })),
  ];
}

/** Names that are computed, and the outputs of all steps (`steps.*.outputs`), are nobody's mistake. */
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
