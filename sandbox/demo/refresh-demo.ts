import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { githubClient } from '../github/client.ts';
import type { StepResult } from '../runner/runner.ts';
import { type Sandbox, startSandbox } from '../sandbox.ts';
import { heading } from '../terminal.ts';
import { checkAgentPull, checkTamperedPull } from './check-demo.ts';
import { answerReviewer, openPullRequestInputs, runNextWeek } from './open-pull-request.ts';
import {
  type Bundle,
  type DemoOutput,
  type DemoStep,
  mergePullRequest,
  runDemoStep,
  showResult,
} from './steps.ts';

interface RefreshDemoOptions {
  readonly visitors: Bundle;
  readonly agent: Bundle;
  readonly check: Bundle;
  readonly output: DemoOutput;
  /** How long the agent works. */
  readonly workMs?: number;
}

/** Longer than the interval of the polls, so that a follow-up is seen at work. */
const WORK_MS = 1500;

/** How many lines of the exported file are shown. */
const SHOWN_LINES = 6;

const PROMPT = `Refresh quickstart.mdx, which is one of the most-read pages: {{pages}}`;

/**
 * Runs all actions: the visitors action exports last week's visitors, and the agent gets the most-read
 * pages. A week later the agent continues the same pull request, and then a reviewer's comment reaches
 * it. The check judges it before the merge, and another one that was tampered with.
 *
 * @throws {DemoError}
 */
export async function runRefreshDemo(options: RefreshDemoOptions): Promise<void> {
  const { visitors, agent, check, output, workMs = WORK_MS } = options;
  const workspace = mkdtempSync(join(tmpdir(), 'demo-'));
  const sandbox = await startSandbox({ workMs });
  try {
    const exportStep = {
      title: 'Every Monday, the workflow exports the visitors. The log of the step:',
      eventName: 'schedule',
      actor: 'maintainer',
      inputs: { period: 'last-7-days', compare: 'true', top: '5' },
      env: { GITHUB_WORKSPACE: workspace },
    };
    const { outputs: exported } = await runAndShow(
      visitors,
      exportStep,
      "last week's visitors are exported",
      sandbox,
      output,
    );
    showFile(join(workspace, exported['file'] ?? ''), output);
    const refreshStep = {
      title: 'The next step passes top-pages to the agent. Its log:',
      eventName: 'schedule',
      actor: 'maintainer',
      inputs: {
        prompt: PROMPT,
        variables: `pages: ${exported['top-pages']}`,
        'poll-interval-seconds': '1',
        ...openPullRequestInputs,
      },
    };
    const { outputs: refreshed } = await runAndShow(
      agent,
      refreshStep,
      'one of the most-read pages is refreshed',
      sandbox,
      output,
    );
    const link = refreshed['pr-link'] ?? '';
    await runNextWeek(agent, refreshStep, link, sandbox, output);
    await answerReviewer(agent, link, sandbox, output);
    await checkAgentPull(check, link, sandbox, output);
    const maintainer = githubClient(sandbox.github.url, sandbox.github.tokens.maintainer);
    await mergePullRequest(maintainer, sandbox, link, output);
    await checkTamperedPull(check, sandbox, output);
  } finally {
    await sandbox.close();
    rmSync(workspace, { recursive: true });
  }
}

async function runAndShow(
  bundle: Bundle,
  step: DemoStep,
  run: string,
  sandbox: Sandbox,
  output: DemoOutput,
): Promise<StepResult> {
  const result = await runDemoStep(bundle, step, sandbox, output);
  showResult(result, run, output);
  return result;
}

function showFile(path: string, { print }: DemoOutput): void {
  const lines = readFileSync(path, 'utf8').split(/\r?\n/);
  print(heading('The file begins:'));
  print(lines.slice(0, SHOWN_LINES).join('\n'));
}
