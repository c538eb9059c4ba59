import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { githubClient } from '../github/client.ts';
import { startSandbox } from '../sandbox.ts';
import { heading } from '../terminal.ts';
import { type Bundle, mergePullRequest, type Screen, showStep } from './scenes.ts';

export interface PairOptions {
  readonly visitors: Bundle;
  readonly agent: Bundle;
  readonly screen: Screen;
  /** How long the agent works, in milliseconds. */
  readonly workMs?: number;
}

/** Lines of the exported file that are shown. */
const SHOWN_LINES = 6;

const PROMPT = `Refresh quickstart.mdx, one of the pages that people read most: {{pages}}`;

/**
 * Plays the two actions at work together: visitors of the last week are exported, and the pages
 * that are read most are handed to the agent.
 *
 * @throws {DemoFailed}
 */
export async function playPair(options: PairOptions): Promise<void> {
  const { visitors, agent, screen, workMs = 1000 } = options;
  const workspace = mkdtempSync(join(tmpdir(), 'demo-'));
  const sandbox = await startSandbox({ workMs });
  try {
    const exported = {
      title: 'Every Monday: who reads the docs? The step runs; its log:',
      eventName: 'schedule',
      actor: 'maintainer',
      inputs: { period: 'last-7-days', compare: 'true', top: '5' },
      env: { GITHUB_WORKSPACE: workspace },
    };
    const { outputs } = await showStep(visitors, exported, sandbox, screen);
    showFile(join(workspace, outputs['file'] ?? ''), screen);
    const refreshed = {
      title: 'The next step hands top-pages to the agent; its log:',
      eventName: 'schedule',
      actor: 'maintainer',
      inputs: {
        prompt: PROMPT,
        variables: `pages: ${outputs['top-pages']}`,
        'poll-interval-seconds': '1',
      },
    };
    const { outputs: ended } = await showStep(agent, refreshed, sandbox, screen);
    const maintainer = githubClient(sandbox.github.url, sandbox.github.tokens.maintainer);
    await mergePullRequest(maintainer, sandbox, ended['pr-link'] ?? '', screen);
  } finally {
    await sandbox.close();
    rmSync(workspace, { recursive: true });
  }
}

function showFile(path: string, { print }: Screen): void {
  const lines = readFileSync(path, 'utf8').split(/\r?\n/);
  print(heading('The file begins:'));
  print(lines.slice(0, SHOWN_LINES).join('\n'));
}
