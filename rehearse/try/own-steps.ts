import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { DescriptionDictionary, data } from '@actions/expressions';
import type { ContextProviderConfig, validate } from '@actions/languageservice';
import * as v from 'valibot';
import { parse } from 'yaml';
import { actionFiles, actions, bundleOf } from '../../scripts/actions.ts';
import { loadLanguageService } from '../../scripts/language-service.ts';
import { meant } from './meant.ts';

const described = v.record(v.string(), v.looseObject({ description: v.string() }));
const manifestSchema = v.object({
  name: v.string(),
  description: v.string(),
  inputs: described,
  outputs: described,
});
type Manifest = v.InferOutput<typeof manifestSchema>;

interface Mistake {
  readonly line: number;
  readonly message: string;
}

/**
 * Checks the steps of a workflow that use an action of this repository: their inputs, and the outputs
 * that expressions read. A linter does not know the actions, and a run takes a misspelt name for an
 * empty value.
 *
 * @param name the name of this repository; any owner counts
 * @returns one line for each mistake
 */
export async function checkOwnSteps(text: string, name: string): Promise<readonly string[]> {
  const mistakes: Mistake[] = [];
  for (const action of actions) {
    const manifest = parse(readFileSync(bundleOf(action).actionFile, 'utf8'));
    const path = actionFiles[action].split('/').slice(0, -1);
    const found = await checkStepsOf([name, ...path].join('/'), manifest, text);
    mistakes.push(...found);
  }
  return mistakes
    .toSorted((a, b) => a.line - b.line)
    .map(({ line, message }) => `line ${line}: ${message}`);
}

/** @param action repository and path of the action, as in `uses:`, without owner and version */
async function checkStepsOf(
  action: string,
  manifest: unknown,
  text: string,
): Promise<readonly Mistake[]> {
  const metadata = v.parse(manifestSchema, manifest);
  const { validate, TextDocument } = await loadLanguageService();
  // The language service caches files by URL, so each text needs its own.
  const document = TextDocument.create(`file:///${randomUUID()}.yml`, 'yaml', 1, text);
  const found = await validate(document, {
    actionsMetadataProvider: {
      fetchActionMetadata: async ({ name, path }) =>
        [name, ...(path === undefined ? [] : [path])].join('/') === action ? metadata : undefined,
    },
    contextProviderConfig: onlyOutputsOf(action, Object.keys(metadata.outputs)),
  });
  const explain = explainer(action, metadata, found);
  return found.flatMap((diagnostic) =>
    explain(diagnostic, document.getText(diagnostic.range)).map((message) => ({
      line: diagnostic.range.start.line + 1,
      message,
    })),
  );
}

/** Lets expressions read anything, except outputs that the action does not have. */
function onlyOutputsOf(action: string, names: readonly string[]): ContextProviderConfig {
  const anything = (...pairs: ConstructorParameters<typeof DescriptionDictionary>) =>
    Object.assign(new DescriptionDictionary(...pairs), { complete: false });
  const outputs = new DescriptionDictionary(
    ...names.map((key) => ({ key, value: new data.Null() })),
  );
  return {
    async getContext(name, _context, { job }) {
      const steps = name === 'steps' ? (job?.steps ?? []) : [];
      const own = steps.filter(
        (step) => 'uses' in step && /^[^/]+\/([^@]+)@/.exec(step.uses.value)?.[1] === action,
      );
      return anything(
        ...own.map(({ id }) => ({ key: id, value: anything({ key: 'outputs', value: outputs }) })),
      );
    },
  };
}

type Diagnostic = Awaited<ReturnType<typeof validate>>[number];

const missingSchema = v.object({
  missingInputs: v.array(v.object({ name: v.string() })),
});

/** Turns the findings about inputs and outputs into sentences, and leaves all others out. */
function explainer(action: string, { inputs, outputs }: Manifest, found: readonly Diagnostic[]) {
  const unknownInputs = found.flatMap((diagnostic) => unknownInput(diagnostic) ?? []);
  // GitHub ignores the case of inputs and outputs; the language service does not.
  const isInput = (name: string) => inputs[name.toLowerCase()] !== undefined;
  const given = unknownInputs.map((name) => name.toLowerCase());

  return (diagnostic: Diagnostic, source: string): readonly string[] => {
    const input = unknownInput(diagnostic);
    if (input !== undefined) {
      return isInput(input) ? [] : [noSuch(action, 'input', input, Object.keys(inputs))];
    }
    if (diagnostic.code === 'missing-required-inputs') {
      return v
        .parse(missingSchema, diagnostic.data)
        .missingInputs.filter(({ name }) => !given.includes(name))
        .map(({ name }) => `${action} needs the input "${name}": add it under "with"`);
    }
    const output = /^Context access might be invalid: (.+)$/.exec(messageOf(diagnostic))?.[1];
    return output !== undefined && namesOutput(source, output)
      ? [noSuch(action, 'output', output, Object.keys(outputs))]
      : [];
  };
}

function unknownInput(diagnostic: Diagnostic): string | undefined {
  return /^Invalid action input '(.*)'$/.exec(messageOf(diagnostic))?.[1];
}

function messageOf({ message }: Diagnostic): string {
  return typeof message === 'string' ? message : message.value;
}

/**
 * Whether an expression names the output of one step, as in `steps.docs.outputs.pr-link`. Names that
 * are computed, and the outputs of all steps (`steps.*.outputs`), are nobody's mistake.
 */
function namesOutput(expression: string, output: string): boolean {
  const names = expression.matchAll(/(?<!\*)\.outputs(?:\.|\[')([\w-]+)/g);
  return [...names].some(([, name]) => name === output);
}

function noSuch(
  action: string,
  kind: 'input' | 'output',
  name: string,
  known: readonly string[],
): string {
  const suggested = meant(name, known);
  const advice =
    suggested === undefined
      ? `its ${kind}s are ${known.join(', ')}`
      : `did you mean "${suggested}"?`;
  return `${action} has no ${kind} "${name}": ${advice}`;
}
