import { globSync } from 'node:fs';
import { styled } from '../sandbox/terminal.ts';
import { repositoryFolder } from '../scripts/bundle.ts';
import { act, gh } from '../scripts/tools.ts';
import type { Scenario } from './scenario.ts';
import { scenarios } from './scenarios/index.ts';
import { openStage } from './stage.ts';

/** Plays one scenario on a stage of its own. @returns Whether it went as it was meant to. */
async function rehearse({ workflows, play }: Scenario): Promise<boolean> {
  const startedMs = performance.now();
  const name = workflows.join(' and ');
  try {
    await using stage = await openStage();
    await play(stage);
    const seconds = Math.round((performance.now() - startedMs) / 1000);
    console.log(`${styled('green', '✓')} ${name} (${seconds} s)`);
    return true;
  } catch (error) {
    console.log(`${styled('red', '✗')} ${name}\n${error instanceof Error ? error.stack : error}`);
    return false;
  }
}

/** Examples that nobody plays would be text that was never executed. */
function unplayed(): string[] {
  const played = new Set(scenarios.flatMap(({ workflows }) => workflows));
  return globSync('examples/*.yml', { cwd: repositoryFolder }).filter((path) => !played.has(path));
}

/** Before anything is played: what is missing is said once. */
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

const wanted = process.argv.slice(2);
const chosen = scenarios.filter(
  ({ workflows }) =>
    wanted.length === 0 || workflows.some((file) => wanted.some((word) => file.includes(word))),
);

async function rehearseAll(): Promise<boolean> {
  const results: boolean[] = [];
  for (const scenario of chosen) {
    results.push(await rehearse(scenario));
  }
  const forgotten = unplayed();
  if (forgotten.length > 0) {
    console.log(`No scenario plays ${forgotten.join(', ')}.`);
  }
  const went = results.filter((good) => good).length;
  console.log(`${went} of ${results.length} rehearsals went as they were meant to.`);
  return went === results.length && forgotten.length === 0;
}

function sayWhatThereIs(): false {
  const all = scenarios.flatMap(({ workflows }) => workflows);
  console.error(
    `Nothing was rehearsed: no workflow has ${wanted.join(' or ')} in its path. There are:\n${all.map((path) => `  ${path}`).join('\n')}`,
  );
  return false;
}

const isGood = chosen.length === 0 ? sayWhatThereIs() : installTools() && (await rehearseAll());
process.exitCode = isGood ? 0 : 1;
