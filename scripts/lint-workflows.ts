import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { repositoryFolder } from './bundle.ts';
import { actionlint, zizmor } from './tools.ts';

/** Everything that GitHub reads, or that people copy for GitHub to read. */
const workflows = globSync(['examples/*.yml', '.github/workflows/*.yml'], {
  cwd: repositoryFolder,
});
const others = globSync(['action.yml', '*/action.yml', '.github/dependabot.yml'], {
  cwd: repositoryFolder,
});

/** @returns Whether the program had nothing to say against the files. */
function passes(program: string, args: readonly string[]): boolean {
  const { status } = spawnSync(program, args, { cwd: repositoryFolder, stdio: 'inherit' });
  return status === 0;
}

const results = [
  passes(actionlint(), ['-no-color', ...workflows]),
  passes(zizmor(), [
    ...['--offline', '--persona', 'pedantic', '--no-progress', '--quiet'],
    ...workflows,
    ...others,
  ]),
];
if (results.includes(false)) {
  process.exitCode = 1;
} else {
  console.log(`${workflows.length} workflows and ${others.length} other files have no finding.`);
}
