import { globSync } from 'node:fs';
import { styled } from '../sandbox/terminal.ts';
import { repositoryFolder } from '../scripts/actions.ts';
import { act, gh } from '../scripts/tools.ts';
import { scenarios } from './scenarios/index.ts';
import type { Scenario } from './scenarios/scenario.ts';
import { openStage } from './stage/stage.ts';

/** Runs one scenario on a stage of its own. @returns Whether it passed. */
async function rehearse({ workflows, run, ...options }: Scenario): Promise<boolean> {
  const startMs = performance.now();
  const name = workflows.join(' and ');
  try {
    await using stage = await openStage(options);
    await run(stage);
    const seconds = Math.round((performance.now() - startMs) / 1000);
    console.log(`${styled('green', '✓')} ${name} (${seconds} s)`);
    return true;
  } catch (error) {
    console.log(`${styled('red', '✗')} ${name}\n${error instanceof Error ? error.stack : error}`);
    return false;
  }
}

/** The examples that no scenario runs. There should be none. */
function examplesWithoutScenario(): string[] {
  const covered = new Set(scenarios.flatMap(({ workflows }) => workflows));
  return globSync('examples/*.yml', { cwd: repositoryFolder }).filter((path) => !covered.has(path));
}

/** Installs the tools before the first scenario, so that a missing one is reported only once. */
function installTools(): boolean {
  try {
    act();
    gh();
    return true;
  } catch (error) {
    console.error(`Nothing was rehearsed: ${error instanceof Error ? error.message : error}`);
    return false;
  }
}

const words = process.argv.slice(2);
const chosen = scenarios.filter(
  ({ workflows }) =>
    words.length === 0 || workflows.some((file) => words.some((word) => file.includes(word))),
);

async function rehearseChosen(): Promise<boolean> {
  const results: boolean[] = [];
  for (const scenario of chosen) {
    results.push(await rehearse(scenario));
  }
  const missing = examplesWithoutScenario();
  if (missing.length > 0) {
    console.log(`There is no scenario for ${missing.join(', ')}.`);
  }
  const passed = results.filter((isGood) => isGood).length;
  console.log(`${passed} of ${results.length} rehearsals passed.`);
  return passed === results.length && missing.length === 0;
}

function printScenarios(): false {
  const all = scenarios.flatMap(({ workflows }) => workflows);
  console.error(
    `Nothing was rehearsed: no workflow has ${words.join(' or ')} in its path. Choose from:\n${all.map((path) => `  ${path}`).join('\n')}`,
  );
  return false;
}

const isGood = chosen.length === 0 ? printScenarios() : installTools() && (await rehearseChosen());
process.exitCode = isGood ? 0 : 1;
