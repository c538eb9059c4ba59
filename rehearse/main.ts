import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { styled } from '../sandbox/terminal.ts';
import { repositoryFolder } from '../scripts/actions.ts';
import { act, gh } from '../scripts/tools.ts';
import { scenarios } from './scenarios/index.ts';
import type { Scenario } from './scenarios/scenario.ts';
import { openStage } from './stage/stage.ts';

/** Runs one scenario on a stage of its own, and prints what it showed. @returns Whether it passed. */
async function rehearse({ workflows, shows, run, ...options }: Scenario): Promise<boolean> {
  const startMs = performance.now();
  const name = workflows.join(' and ');
  try {
    await using stage = await openStage(options);
    await run(stage);
    const seconds = Math.round((performance.now() - startMs) / 1000);
    console.log(`${styled('green', '✓')} ${name} (${seconds} s)\n  ${shows}`);
    return true;
  } catch (error) {
    console.log(`${styled('red', '✗')} ${name}\n${error instanceof Error ? error.stack : error}`);
    return false;
  }
}

/** Starts this program for one scenario, so that none has to wait for another one's work. */
async function startProcess(scenario: Scenario): Promise<boolean> {
  const index = String(scenarios.indexOf(scenario));
  const child = spawn(process.execPath, [import.meta.filename], {
    env: { ...process.env, SCENARIO: index },
    stdio: 'inherit',
  });
  return (await once(child, 'exit'))[0] === 0;
}

/** The examples that no scenario runs. There should be none. */
function examplesWithoutScenario(): string[] {
  const covered = new Set(scenarios.flatMap(({ workflows }) => workflows));
  return globSync('examples/*.yml', { cwd: repositoryFolder }).filter((path) => !covered.has(path));
}

/** Runs scenarios until none is left; several at once, because most of the time they wait for polls. */
async function rehearseAll(chosen: readonly Scenario[]): Promise<boolean> {
  const results: boolean[] = [];
  const queue = chosen.values();
  const work = async () => {
    for (const scenario of queue) {
      results.push(await startProcess(scenario));
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() + 1 }, work));
  const missing = examplesWithoutScenario();
  if (missing.length > 0) {
    console.log(`There is no scenario for ${missing.join(', ')}.`);
  }
  const passed = results.filter((isGood) => isGood).length;
  console.log(`${passed} of ${results.length} rehearsals passed.`);
  return passed === results.length && missing.length === 0;
}

const words = process.argv.slice(2);
const chosen = scenarios.filter(
  ({ workflows }) =>
    words.length === 0 || workflows.some((file) => words.some((word) => file.includes(word))),
);
try {
  if (chosen.length === 0) {
    const all = scenarios.flatMap(({ workflows }) => workflows).map((path) => `\n  ${path}`);
    throw new Error(
      `no workflow has ${words.join(' or ')} in its path. Choose from:${all.join('')}`,
    );
  }
  // Installed before the first scenario, so that a missing one is reported only once.
  await act();
  await gh();
  const own = scenarios[Number(process.env['SCENARIO'] ?? 'none')];
  const hasPassed = own === undefined ? await rehearseAll(chosen) : await rehearse(own);
  process.exitCode = hasPassed ? 0 : 1;
} catch (error) {
  console.error(`Nothing was rehearsed: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}
