import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { inRepository } from '../../scripts/actions.ts';
import { readExample } from '../../scripts/examples.ts';
import { printWorkflow } from '../../scripts/workflow.ts';

const names = globSync('examples/*.yml', { cwd: inRepository('.') }).map((path) =>
  basename(path, '.yml'),
);

/** A clone of a fork whose only commit is pushed. */
function clone(origin = 'https://github.com/acme/docs-agent-action.git') {
  const folder = mkdtempSync(join(tmpdir(), 'fork-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
      cwd: folder,
      encoding: 'utf8',
    }).trim();
  const commit = () => {
    git('commit', '--quiet', '--allow-empty', '--message', 'Change');
    return git('rev-parse', 'HEAD');
  };
  git('init', '--quiet');
  git('remote', 'add', 'origin', origin);
  const head = commit();
  git('update-ref', 'refs/remotes/origin/main', head);
  return { folder, head, git, commit };
}

it('prints every example with the fork and its commit, and nothing else changed', () => {
  const { folder, head } = clone();
  for (const name of names) {
    const { stdout, stderr } = printWorkflow([name], folder);
    expect(stdout.replaceAll('uses: acme/', 'uses: OWNER/')).toBe(
      readExample(name).text.replaceAll(/(?<=uses: OWNER\/docs-agent-action\S*)@v1/g, `@${head}`),
    );
    expect(stdout).not.toMatch(/\bOWNER\b|@v1\b/);
    expect(stderr).toContain('\nTo set, or to change in the file: ');
  }
});

it('says what is left to do', () => {
  const { stderr } = printWorkflow(['check-agent-pulls'], clone().folder);
  expect(stderr).toMatchInlineSnapshot(`
    "Left to do: commit the file in .github/workflows of the docs repository, on the default branch.
    To set, or to change in the file: the variable DOCS_AGENT_LOGIN, the login of the agent (the author of one of its pull requests, which ends in [bot]).
    "
  `);
});

it.each([
  'https://github.com/acme/docs-agent-action',
  'https://user:x@github.com/acme/docs-agent-action.git/',
  'git@github.com:acme/docs-agent-action.git',
  'ssh://git@github.com:22/acme/docs-agent-action.git',
])('takes the owner from %s', (origin) => {
  const { stdout } = printWorkflow(['issue-label.yml'], clone(origin).folder);
  expect(stdout).toMatch(/ uses: acme\/docs-agent-action@[0-9a-f]{40}$/m);
});

it('takes the name of a fork that was renamed', () => {
  const { folder, head } = clone('https://github.com/acme/docs-agent.git');
  const { stdout } = printWorkflow(['weekly-refresh'], folder);
  expect(stdout).toContain(`uses: acme/docs-agent/visitors@${head}\n`);
});

it('takes the commit of a branch that was pushed', () => {
  const { folder, git, commit } = clone();
  const head = commit();
  git('update-ref', 'refs/remotes/origin/topic', head);
  commit();
  git('update-ref', 'refs/remotes/origin/main', 'HEAD');
  git('checkout', '--quiet', '--detach', head);
  expect(printWorkflow(['release'], folder).stdout).toContain(`@${head}\n`);
});

it('refuses a commit that the remote does not have', () => {
  const { folder, commit } = clone();
  const head = commit().slice(0, 7);
  expect(() => printWorkflow(['release'], folder)).toThrow(
    `the Git remote origin does not have the commit ${head}, which is checked out here: push it with git push`,
  );
});

it('refuses a checkout without a remote, or with one elsewhere', () => {
  const { folder, git } = clone('../fork');
  expect(() => printWorkflow(['release'], folder)).toThrow(
    'the Git remote origin is not on GitHub, such as https://github.com/acme/docs-agent-action: clone your fork from there',
  );
  git('remote', 'remove', 'origin');
  expect(() => printWorkflow(['release'], folder)).toThrow(
    'this folder has no Git remote named origin, whose owner belongs in uses: clone your fork, and run the command there',
  );
});

it.each([
  ['isue-label', 'did you mean issue-label?'],
  ['examples/after.yml', 'did you mean after-merge?'],
  ['everything', 'npm run workflow lists them'],
  ['--last', 'npm run workflow lists them'],
])('refuses %s, which is no example', (name, advice) => {
  expect(() => printWorkflow([name], '.')).toThrow(
    `there is no example ${basename(name, '.yml')}: ${advice}`,
  );
});

it('ignores the case of a name', () => {
  const { folder } = clone();
  expect(printWorkflow(['Issue-Label'], folder)).toEqual(printWorkflow(['issue-label'], folder));
});

it('refuses a second name', () => {
  expect(() => printWorkflow(['release', 'hub', 'mend'], '.')).toThrow(
    'hub mend is not expected after release: give one name',
  );
});

it('lists every example without a name', () => {
  expect(printWorkflow(['--help'], '.')).toEqual(printWorkflow([], '.'));
  const { stdout } = printWorkflow([], '.');
  expect(stdout).toContain('\nCount visitors:\n  visitors-report     Exports last month');
  expect(names.filter((name) => !stdout.includes(`\n  ${name} `))).toEqual([]);
});

it('refuses to print into a file in which npm has written', () => {
  const run = (loglevel: string) =>
    spawnSync(process.execPath, [inRepository('scripts/workflow.ts'), 'isue-label'], {
      encoding: 'utf8',
      env: { ...process.env, npm_lifecycle_event: 'workflow', npm_config_loglevel: loglevel },
    }).stderr;
  expect(run('error')).toBe(
    'Nothing was printed: npm writes a line of its own into the file: use npm run --silent workflow -- isue-label.\n',
  );
  expect(run('silent')).toBe(
    'Nothing was printed: there is no example isue-label: did you mean issue-label?\n',
  );
});
