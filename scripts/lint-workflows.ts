import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { inRepository, repositoryFolder } from './actions.ts';
import { lint } from './lint.ts';
import { actionlint, unknownQueue, zizmor } from './tools.ts';

const examples = globSync('examples/*.yml', { cwd: repositoryFolder });
const workflows = [...examples, ...globSync('.github/workflows/*.yml', { cwd: repositoryFolder })];
const others = globSync(['action.yml', '*/action.yml', '.github/dependabot.yml'], {
  cwd: repositoryFolder,
});

/** @returns Whether the linter has no findings. */
function passes(program: string, args: readonly string[]): boolean {
  const { status } = spawnSync(program, args, { cwd: repositoryFolder, stdio: 'inherit' });
  return status === 0;
}

/** @returns Whether the steps of an example fit our actions. */
async function fitsActions(path: string): Promise<boolean> {
  const { errors } = await lint(readFileSync(inRepository(path), 'utf8'));
  for (const error of errors) {
    console.log(`${path}: ${error}`);
  }
  return errors.length === 0;
}

const results = [
  ...(await Promise.all(examples.map(fitsActions))),
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
