import { startCacheService } from '../runner/cache-service.ts';
import type { StepResult } from '../runner/runner.ts';
import { type Sandbox, startSandbox } from '../sandbox.ts';
import { heading } from '../terminal.ts';
import { type Bundle, DemoError, type DemoOutput, runDemoStep, showResult } from './steps.ts';

interface RerunDemoOptions extends Bundle {
  readonly output: DemoOutput;
}

/** Longer than the first attempt waits. */
const WORK_MS = 4000;

/**
 * Runs a step whose waiting time is over before its job has ended, and then the re-run, which goes on
 * with that job.
 *
 * @throws {DemoError}
 */
export async function runRerunDemo(options: RerunDemoOptions): Promise<void> {
  const { print } = options.output;
  const sandbox = await startSandbox({ workMs: WORK_MS });
  const cache = await startCacheService();
  const variables = cache.variables('v1');
  try {
    print(heading('A run ends before its job does'));
    const first = await runAttempt(options, sandbox, 1, variables);
    print(`result=${first.outputs['result']}, job-id=${first.outputs['job-id']}`);
    print(heading('Someone presses "Re-run failed jobs"'));
    const again = await runAttempt(options, sandbox, 2, variables);
    showResult(again, 'a re-run continues with the job of the first attempt', options.output);
    const started = sandbox.requests.filter(({ method }) => method === 'POST').length;
    print(`Jobs that were started: ${started}.`);
    if (started !== 1 || again.outputs['job-source'] !== 'resumed') {
      throw new DemoError('The re-run did not continue with the job');
    }
  } finally {
    await Promise.all([sandbox.close(), cache.close()]);
  }
}

function runAttempt(
  { output, ...bundle }: RerunDemoOptions,
  sandbox: Sandbox,
  attempt: number,
  variables: Readonly<Record<string, string>>,
): Promise<StepResult> {
  const step = {
    title: `Attempt ${attempt}:`,
    eventName: 'workflow_dispatch',
    actor: 'maintainer',
    event: {},
    inputs: {
      prompt: 'Describe the --watch flag in the quickstart.',
      'wait-minutes': attempt === 1 ? '0.03' : '1',
      'poll-interval-seconds': '1',
    },
    env: {
      ...variables,
      GITHUB_SERVER_URL: sandbox.github.url,
      GITHUB_RUN_ATTEMPT: String(attempt),
    },
  };
  return runDemoStep(bundle, step, sandbox, output);
}
