import assert from 'node:assert/strict';
import * as v from 'valibot';
import { deletePage, editPage, proposeSentence } from '../../sandbox/github/proposals.ts';
import { DOCS_REPOSITORY } from '../../sandbox/github/seed.ts';
import type { ActResult } from '../stage/act.ts';
import { bot, dispatched, docsPullChanged, person, type Sender } from '../stage/events.ts';
import {
  agentClientOf,
  assertFailed,
  assertSucceeded,
  clientOf,
  commentsOn,
  labelsOf,
  pullsOf,
} from '../stage/results.ts';
import type { Stage } from '../stage/stage.ts';
import type { Scenario } from './scenario.ts';

const ROUTINE = 'docs: routine';
const agent = bot('docs-agent[bot]');

/** Runs the workflow for a pull request. @param author of the pull request */
async function check(
  stage: Stage,
  workflow: string,
  number: number,
  action: 'opened' | 'synchronize',
  author: Sender = agent,
): Promise<ActResult> {
  const path = `/repos/${DOCS_REPOSITORY}/pulls/${number}`;
  const pull = await clientOf('owner', stage).request(
    'GET',
    path,
    v.looseObject({ number: v.number() }),
  );
  return await stage.run({
    workflow,
    repository: DOCS_REPOSITORY,
    eventName: 'pull_request_target',
    event: docsPullChanged(action, { ...pull, user: author }, author),
    actor: author.login,
    variables: { DOCS_AGENT_LOGIN: agent.login },
  });
}

/** The only comment on a pull request, which the check keeps up to date. */
async function reportOn(number: number, stage: Stage): Promise<string> {
  const [comment, ...others] = await commentsOn(number, stage, DOCS_REPOSITORY);
  assert.deepEqual(others, []);
  assert.equal(comment?.user.login, 'github-actions[bot]');
  return comment.body;
}

/** The label goes with the commit: a routine one gets it, and a push that is blocked takes it off. */
async function runCheck(stage: Stage, workflow: string): Promise<void> {
  const number = await proposeSentence(agentClientOf(stage), 'sentence');
  const stranger = await check(stage, workflow, number, 'opened', person('stranger'));
  assertSucceeded(stranger);
  assert.deepEqual(await labelsOf(number, stage), []);
  assert.deepEqual(await commentsOn(number, stage, DOCS_REPOSITORY), []);

  assertSucceeded(await check(stage, workflow, number, 'opened'));
  assert.deepEqual(await labelsOf(number, stage), [ROUTINE]);
  assert.match(await reportOn(number, stage), /Routine/);

  const writer = clientOf('writer', stage);
  await deletePage(writer, 'sentence', 'guides/deploy.mdx');
  const script = '\n<script src="https://cdn.example/a.js" />\n';
  await editPage(writer, 'sentence', 'quickstart.mdx', (text) => text + script);
  const blocked = await check(stage, workflow, number, 'synchronize');
  assertFailed(blocked);
  assert.match(blocked.log, /acme\/docs#1 is blocked by \d finding/);
  assert.deepEqual(await labelsOf(number, stage), [], 'A blocked commit has the label');
  const report = await reportOn(number, stage);
  for (const text of ['Blocked', 'dead-address', 'leads nowhere', 'not-plain']) {
    assert.ok(report.includes(text), `The comment does not say "${text}":\n${report}`);
  }
}

export const checkAgentPulls: Scenario = {
  workflows: ['examples/check-agent-pulls.yml'],
  shows: 'A routine commit gets the label, and a push that is blocked takes it off.',
  run: (stage) => runCheck(stage, 'examples/check-agent-pulls.yml'),
};

export const reuseCheckAgentPulls: Scenario = {
  workflows: ['examples/reuse-check-agent-pulls.yml'],
  shows: 'The reusable workflow labels a routine commit, and takes the label off a blocked one.',
  run: (stage) => runCheck(stage, 'examples/reuse-check-agent-pulls.yml'),
};

/** Asks the agent. @returns The run, and the new pull request. */
async function ask(stage: Stage, request: string) {
  const result = await stage.run({
    workflow: 'examples/agent-and-check.yml',
    repository: DOCS_REPOSITORY,
    eventName: 'workflow_dispatch',
    event: dispatched({ request }, 'maintainer', DOCS_REPOSITORY),
    actor: 'maintainer',
  });
  const pull = (await pullsOf(stage)).at(-1);
  assert.ok(pull !== undefined, result.log);
  assert.ok(pull.title.includes(request.slice(0, 20)), result.log);
  const labels = pull.labels.map(({ name }) => name);
  const reviewers = pull.requested_reviewers.map(({ login }) => login);
  return { result, labels, reviewers };
}

/** What is routine gets a label, and everything else a reviewer. */
export const agentAndCheck: Scenario = {
  workflows: ['examples/agent-and-check.yml'],
  shows:
    'A routine pull request gets the label, any other a reviewer, and a leaked key turns the run red.',
  async run(stage) {
    const routine = await ask(stage, 'Say how long a build takes.');
    assertSucceeded(routine.result);
    assert.deepEqual([routine.labels, routine.reviewers], [['docs-agent', ROUTINE], []]);

    const host = await ask(stage, 'Link to https://acme-forms.dev/1 as well.');
    assertSucceeded(host.result);
    assert.deepEqual([host.labels, host.reviewers], [['docs-agent'], ['maintainer']]);
  },
};
