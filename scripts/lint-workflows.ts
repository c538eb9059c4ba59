import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { repositoryFolder } from './actions.ts';
import { actionlint, unknownQueue, zizmor } from './tools.ts';

/** Our own workflows, and those that people copy. */
const workflows = globSync(['examples/*.yml', '.github/workflows/*.yml'], {
  cwd: repositoryFolder,
});
const others = globSync(['action.yml', '*/action.yml', '.github/dependabot.yml'], {
  cwd: repositoryFolder,
});

/** @returns Whether the linter has no findings. */
function passes(program: string, args: readonly string[]): boolean {
  const { status } = spawnSync(program, args, { cwd: repositoryFolder, stdio: 'inherit' });
  return status === 0;
}

const results = [
  passes(await actionlint(), ['-no-color', '-ignore', unknownQueue, ...workflows]),
  passes(await zizmor(), [
    ...['--offline', '--persona', 'pedantic', '--no-progress', '--quiet'],
    ...workflows,
    ...others,
  ]),
];
if (results.includes(false)) {
  process.exitCode = 1;
} else {
  console.log(`${workflows.length} workflows and ${others.length} other files have no findings.`);
}
