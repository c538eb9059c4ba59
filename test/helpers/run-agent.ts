import { runStep, type Step, type StepResult } from '../../sandbox/runner/runner.ts';
import { bundleOf } from '../../scripts/actions.ts';
import { declaredOutputsOf } from './declared.ts';
import { entryOf, nodeVariables } from './entry.ts';

const root = new URL('../../', import.meta.url);
const entry = entryOf('agent');
const { actionFile } = bundleOf('agent');
const fastClock = new URL('test/helpers/fast-clock.mjs', root).href;

/** The API key of the tests. It must never appear outside the Authorization header. */
export const apiKey = 'mint_k3y-0f-th3-tests';

export type AgentRun = Omit<Partial<Step>, 'entry' | 'actionFile'> & {
  readonly baseUrl?: string;
  /** How many times faster than real time the bundle's clock runs. */
  readonly speed?: number;
};

const refuseUndeclared = declaredOutputsOf(actionFile);

/**
 * Runs the committed agent bundle as a step with a prompt, a key and a project.
 * @throws when the step wrote an output that action.yml does not declare
 */
export async function runAgent(run: AgentRun = {}): Promise<StepResult> {
  const result = await start(run);
  refuseUndeclared(result);
  return result;
}

function start({ baseUrl, speed = 1, inputs, env, ...step }: AgentRun): Promise<StepResult> {
  return runStep({
    context: {
      serverUrl: 'https://github.example',
      repository: 'acme/product',
      actor: 'maintainer',
      eventName: 'workflow_dispatch',
      token: '',
    },
    nodeArguments: speed === 1 ? [] : ['--import', fastClock],
    ...step,
    entry,
    actionFile,
    inputs: {
      prompt: 'Describe the new flag.',
      'api-key': apiKey,
      'project-id': 'acme',
      'base-url': baseUrl ?? 'http://127.0.0.1:9',
      'poll-interval-seconds': '1',
      ...inputs,
    },
    env: { ...nodeVariables, ...(speed !== 1 && { FAST_CLOCK: String(speed) }), ...env },
  });
}

/** The results of a run, for a snapshot. Values that differ between runs are replaced. */
export function transcript(result: StepResult) {
  const { exitCode, stdout, stderr, outputs, summary } = result;
  return {
    exitCode,
    log: withoutRepeats(normalise(stdout).trimEnd().split('\n')),
    ...(stderr !== '' && { stderr: normalise(stderr) }),
    outputs: Object.fromEntries(
      Object.entries(outputs)
        .filter(([, value]) => value !== '')
        .map(([name, value]) => [name, name === 'duration-seconds' ? 'SECONDS' : normalise(value)]),
    ),
    summary: normalise(summary).trimEnd().split('\n'),
  };
}

/** How many polls there are depends on the speed of the machine. */
function withoutRepeats(lines: readonly string[]): readonly string[] {
  return lines.filter((line, index) => line !== lines[index - 1]);
}

function normalise(text: string): string {
  return text
    .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:PORT')
    .replace(/(in|after) \d+ (?:s|min)(?: \d+ s)?/g, '$1 TIME')
    .replace(/((?:Time taken|Waited) \| ).*( \|)/g, '$1TIME$2');
}

/** The log's lines that make an annotation of the given kind, but for the one that names the job. */
export function annotations(result: StepResult, kind: 'error' | 'warning' | 'notice'): string[] {
  return result.stdout
    .split('\n')
    .filter((line) => line.startsWith(`::${kind}::`) && !line.includes('::Docs agent: '))
    .map((line) => line.slice(kind.length + 4));
}
