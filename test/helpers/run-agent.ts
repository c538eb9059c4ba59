import type { StepResult } from '../../sandbox/runner/runner.ts';
import { type ActionStep, runAction } from './run-action.ts';
import { closedUrl } from './scripted-api.ts';

/** The API key of the tests. It must never appear outside the Authorization header. */
export const apiKey = 'mint_k3y-0f-th3-tests';

export interface AgentRun extends Partial<ActionStep> {
  readonly baseUrl?: string;
}

/** Runs the agent action as a step with a prompt, a key and a project. */
export function runAgent({ baseUrl, inputs, ...step }: AgentRun = {}): Promise<StepResult> {
  return runAction('agent', {
    context: {
      serverUrl: 'https://github.example',
      repository: 'acme/product',
      actor: 'maintainer',
      eventName: 'workflow_dispatch',
      token: '',
    },
    ...step,
    inputs: {
      prompt: 'Describe the new flag.',
      'api-key': apiKey,
      'project-id': 'acme',
      'base-url': baseUrl ?? closedUrl,
      'poll-interval-seconds': '1',
      ...inputs,
    },
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
