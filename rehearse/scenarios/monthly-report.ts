import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type GitRepository, type Person, webFlow } from '../../sandbox/github/git.ts';
import { DOCS_REPOSITORIES, DOCS_REPOSITORY, tokenOf } from '../../sandbox/github/seed.ts';
import { addPull, personOf, repositoryOf } from '../../sandbox/github/state.ts';
import { inRepository } from '../../scripts/actions.ts';
import type { ActResult } from '../stage/act.ts';
import { dispatched } from '../stage/events.ts';
import { assertFailed, assertSucceeded } from '../stage/results.ts';
import type { Stage } from '../stage/stage.ts';
import type { Scenario } from './scenario.ts';

const REPORT = 'examples/monthly-report.yml';
const OTHER_DOCS = DOCS_REPOSITORIES['sandbox-cli'];
const agent = 'docs-agent[bot]';
const hourMs = 3_600_000;

/** Commits as pull requests of the agent have them. In the last two, another person had a hand. */
function makeHeads(git: GitRepository, base: string): readonly string[] {
  const commit = (login: string, parents: readonly string[], committer: Person = personOf(login)) =>
    git.commit({
      changes: { 'index.mdx': `By ${login}` },
      ...{ parents, author: personOf(login), committer },
    });
  const own = commit(agent, [base]);
  const onPage = commit(agent, [base], webFlow);
  const updated = commit('writer', [onPage, base], webFlow);
  const byPerson = commit('writer', [own]);
  const amended = commit(agent, [base], personOf('writer'));
  return [own, onPage, updated, byPerson, amended];
}

const isoAt = (ms: number) => new Date(ms).toISOString().replace('.000', '');

/** A hundred pull requests of October 2026 in two repositories, and more that do not count. */
function fill(stage: Stage): void {
  const openIn = new Map([DOCS_REPOSITORY, OTHER_DOCS].map((name) => [name, opener(stage, name)]));
  for (let index = 0; index < 100; index += 1) {
    const createdMs = Date.UTC(2026, 9, 1) + index * 7 * hourMs;
    const open = openIn.get(index % 4 === 0 ? OTHER_DOCS : DOCS_REPOSITORY);
    const pull = open?.(isoAt(createdMs), agent, index);
    // Of ten, six are merged, two are closed, and two are open.
    const fate = Math.floor(index / 5) % 10;
    const at = isoAt(createdMs + (index % 7) * 1.5 * hourMs);
    Object.assign(pull ?? {}, fate < 8 && { state: 'closed', closedAt: at });
    Object.assign(pull?.pull ?? {}, fate < 6 && { merged: { at, login: 'owner', sha: '' } });
  }
  const open = openIn.get(DOCS_REPOSITORY);
  open?.('2026-09-30T23:59:59Z', agent, 0);
  open?.('2026-11-01T00:00:00Z', agent, 0);
  // The list begins with these, so that the pull requests above are on its second page.
  for (let index = 0; index < 50; index += 1) {
    open?.('2026-10-15T00:00:00Z', 'writer', index);
  }
}

/** @returns a function that opens a pull request */
function opener({ sandbox: { github } }: Stage, repository: string) {
  const { git } = repositoryOf(github, repository);
  const base = git.sha('refs/heads/main') ?? '';
  const heads = makeHeads(git, base);
  return (createdAt: string, login: string, index: number) => {
    const head = heads[index % heads.length] ?? '';
    return Object.assign(addPull(github, repository, { base, head, login }), { createdAt });
  };
}

/** Runs the report on October. */
async function report(
  stage: Stage,
  variables: Readonly<Record<string, string>>,
  secrets: Readonly<Record<string, string>> = {},
): Promise<ActResult> {
  const text = readFileSync(inRepository(REPORT), 'utf8');
  const [uses = ''] = /actions\/upload-artifact@\w+/.exec(text) ?? [];
  return await stage.run({
    workflow: REPORT,
    repository: DOCS_REPOSITORY,
    eventName: 'workflow_dispatch',
    event: dispatched({ month: '2026-10' }),
    actor: 'maintainer',
    ...{ variables, secrets, thirdParty: [uses] },
  });
}

const issuesOf = ({ sandbox: { github } }: Stage) =>
  github.threads.filter(({ repository, pull }) => repository === DOCS_REPOSITORY && !pull);

/** A request that GitHub refuses, and a variable that is missing, are no month without pull requests. */
async function assertRed(stage: Stage): Promise<void> {
  const both = `${DOCS_REPOSITORY} ${OTHER_DOCS}`;
  const blind = await report(stage, { DOCS_AGENT_LOGIN: agent, DOCS_REPOSITORIES: both });
  assertFailed(blind);
  assert.match(blind.log, /HTTP 404/);
  const nameless = await report(stage, {});
  assertFailed(nameless);
  assert.match(nameless.log, /set the variable DOCS_AGENT_LOGIN/);
  assert.deepEqual(issuesOf(stage), []);
}

export const monthlyReport: Scenario = {
  workflows: [REPORT],
  shows:
    'What became of a hundred pull requests is in an issue, and a refused request turns it red.',
  async run(stage) {
    fill(stage);
    await assertRed(stage);

    const result = await report(
      stage,
      { DOCS_AGENT_LOGIN: agent, DOCS_REPOSITORIES: `${DOCS_REPOSITORY} ${OTHER_DOCS}` },
      { DOCS_REPOSITORY_TOKEN: tokenOf('stranger') },
    );
    assertSucceeded(result);
    const [issue, ...others] = issuesOf(stage);
    assert.deepEqual(others, []);
    assert.equal(issue?.title, 'Docs agent in 2026-10');
    const rows = issue?.body?.split('\n').filter((line) => /^\| (?:acme|All)/.test(line));
    assert.deepEqual(rows, [
      '| acme/cli-docs | 25 | 15 | 9 | 5 | 5 | 4.5 | 6250 |',
      '| acme/docs | 75 | 45 | 27 | 15 | 15 | 4.5 | 18750 |',
      '| All | 100 | 60 | 36 | 20 | 20 | 4.5 | 25000 |',
    ]);
    assert.match(issue?.body ?? '', /:\n\n- \S+\/acme\/cli-docs\/pull\/11, since 2026-10-12\n/);
    // The file, which is printed, too.
    assert.match(result.log, /"acme\/docs",33,"2026-10-13T13:00:00Z",,,1$/m);
  },
};
