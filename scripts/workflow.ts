import { execFileSync } from 'node:child_process';
import { basename } from 'node:path';
import { asksForUsage, sentenceOf } from '../sandbox/command-line.ts';
import { closest } from '../src/text/closest.ts';
import { repositoryFolder, repositoryName } from './actions.ts';
import { examplesByWish } from './examples.ts';

/** What a command prints. */
export interface Printed {
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Prints an example as it can be pasted: with the fork and the commit of a checkout in each `uses:`.
 *
 * @param args the command line: a name such as `issue-label`; without one, all examples are listed
 * @param checkout folder of a clone of the fork, which gives the owner and the commit
 * @throws Error with one sentence when no single example is named, or when GitHub could not find the commit
 */
export function printWorkflow(args: readonly string[], checkout: string): Printed {
  const groups = examplesByWish();
  const [name = '', ...others] = args;
  if (asksForUsage(args)) {
    return { stdout: listOf(groups), stderr: '' };
  }
  if (others.length > 0) {
    throw new Error(`${others.join(' ')} is not expected after ${name}: give one name`);
  }
  const examples = [...groups.values()].flat();
  const wanted = basename(name, '.yml').toLowerCase();
  const example = examples.find((each) => each.name === wanted);
  if (example === undefined) {
    const meant = closest(
      wanted,
      examples.map((each) => each.name),
    );
    const advice = meant === undefined ? 'npm run workflow lists them' : `did you mean ${meant}?`;
    throw new Error(`there is no example ${wanted}: ${advice}`);
  }
  const fork = forkOf(checkout);
  const commit = pushedCommitOf(checkout);
  const place =
    example.repository === 'any' ? 'a repository' : `the ${example.repository} repository`;
  return {
    stdout: example.text.replaceAll(
      new RegExp(String.raw`(?<=\buses: )${repositoryName()}((?:/[\w-]+)?)@v1\b`, 'g'),
      (_, action: string) => `${fork}${action}@${commit}`,
    ),
    stderr: [
      `Left to do: commit the file in .github/workflows of ${place}, on the default branch.`,
      `${example.toChange.replace(/^To change:/, 'To set, or to change in the file:')}\n`,
    ].join('\n'),
  };
}

function listOf(groups: ReturnType<typeof examplesByWish>): string {
  const width = Math.max(...[...groups.values()].flat().map(({ name }) => name.length));
  const lines = [...groups].flatMap(([wish, examples]) => [
    `\n${wish}:`,
    ...examples.map(({ name, purpose }) => `  ${name.padEnd(width)}  ${purpose}`),
  ]);
  return `npm run --silent workflow -- NAME > FILE writes one of these workflows:\n${lines.join('\n')}\n`;
}

/** `owner/name` of the remote `origin`. */
function forkOf(checkout: string): string {
  const url = git(checkout, 'remote', 'get-url', 'origin');
  if (url === '') {
    throw new Error(
      'this folder has no Git remote named origin, whose owner belongs in uses: clone your fork, and run the command there',
    );
  }
  const address =
    /^(?:(?:https?|ssh):\/\/[^/]+\/|[\w.-]+@[\w.-]+:)([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/;
  const [, fork] = address.exec(url) ?? [];
  if (fork === undefined) {
    throw new Error(
      'the Git remote origin is not on GitHub, such as https://github.com/acme/docs-agent-action: clone your fork from there',
    );
  }
  return fork;
}

/** The full SHA of HEAD, if the remote `origin` has it, as far as this clone knows. */
function pushedCommitOf(checkout: string): string {
  const commit = git(checkout, 'rev-parse', '--verify', '--quiet', 'HEAD');
  if (git(checkout, 'for-each-ref', '--contains', commit, 'refs/remotes/origin') === '') {
    throw new Error(
      `the Git remote origin does not have the commit ${commit.slice(0, 7)}, which is checked out here: push it with git push`,
    );
  }
  return commit;
}

/** What git prints; empty if it fails. */
function git(folder: string, ...args: readonly string[]): string {
  try {
    return execFileSync('git', args, {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return '';
  }
}

/**
 * Whether npm has written the name of the script into the file that the output goes to. npm does so before
 * the script starts, unless it is told to be silent.
 */
function isFileWithBanner(env: NodeJS.ProcessEnv, isTerminal: boolean): boolean {
  const isRunByNpm = env['npm_lifecycle_event'] !== undefined;
  return isRunByNpm && env['npm_config_loglevel'] !== 'silent' && !isTerminal;
}

if (import.meta.main) {
  const args = process.argv.slice(2);
  try {
    if (!asksForUsage(args) && isFileWithBanner(process.env, process.stdout.isTTY)) {
      throw new Error(
        `npm writes a line of its own into the file: use npm run --silent workflow -- ${args.join(' ')}`,
      );
    }
    const { stdout, stderr } = printWorkflow(args, repositoryFolder);
    process.stdout.write(stdout);
    process.stderr.write(stderr);
  } catch (error) {
    console.error(`Nothing was printed: ${sentenceOf(error)}`);
    process.exitCode = 1;
  }
}
