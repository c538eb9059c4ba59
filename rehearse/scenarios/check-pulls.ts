import assert from 'node:assert/strict';
import { DOCS_REPOSITORY } from '../../sandbox/github/seed.ts';
import type { ActResult } from '../stage/act.ts';
import { dispatched, pullChanged } from '../stage/events.ts';
import { editPage, proposeSentence } from '../stage/history.ts';
import { assertFailed, assertSucceeded, commentsOn, onlyPullOf } from '../stage/results.ts';
import type { Stage } from '../stage/stage.ts';
import type { Scenario } from './scenario.ts';

const agent = 'docs-agent[bot]';

const CHECK = 'examples/check-agent-pulls.yml';

/** Runs the workflow for a pull request. @param author of the pull request */
async function check(
  stage: Stage,
  number: number,
  action: 'opened' | 'synchronize',
  author = agent,
): Promise<ActResult> {
  const event = pullChanged(stage, action, number);
  const user = stage.sandbox.github.show.account(author);
  return await stage.run({
    workflow: CHECK,
    repository: DOCS_REPOSITORY,
    eventName: 'pull_request_target',
    event: { ...event, pull_request: { ...event.pull_request, user } },
    actor: author,
    variables: { DOCS_AGENT_LOGIN: agent },
  });
}

/** The only comment on a pull request, which the check keeps up to date. */
async function reportOn(number: number, stage: Stage): Promise<string> {
  const [comment, ...others] = commentsOn(number, stage, DOCS_REPOSITORY);
  assert.deepEqual(others, []);
  assert.equal(comment?.login, 'github-actions[bot]');
  return comment.body;
}

/** Only the agent's pull requests get a comment, which has the verdict on the newest commit. */
async function runCheck(stage: Stage): Promise<void> {
  const number = await proposeSentence(stage, 'docs-agent[bot]', 'sentence');
  assertSucceeded(await check(stage, number, 'opened', 'stranger'));
  assert.deepEqual(commentsOn(number, stage, DOCS_REPOSITORY), []);

  assertSucceeded(await check(stage, number, 'opened'));
  assert.match(await reportOn(number, stage), /Passed/);

  await editPage(stage, 'writer', 'sentence', 'guides/deploy.mdx', null);
  await editPage(
    stage,
    'writer',
    'sentence',
    'quickstart.mdx',
    (text) => `${text}\n<Note>Not closed\n`,
  );
  const blocked = await check(stage, number, 'synchronize');
  assertFailed(blocked);
  assert.match(blocked.log, /acme\/docs#1 is blocked by \d finding/);
  const report = await reportOn(number, stage);
  for (const text of ['Blocked', 'dead-address', 'leads nowhere', 'not-valid']) {
    assert.ok(report.includes(text), `The comment does not say "${text}":\n${report}`);
  }
}

export const checkAgentPulls: Scenario = {
  workflows: [CHECK],
  shows: 'The comment says what a push breaks, and the run turns red.',
  run: runCheck,
};

/** The person who asked is asked for a review, whatever the verdict. */
export const agentAndCheck: Scenario = {
  workflows: ['examples/agent-and-check.yml'],
  shows: 'The pull request has the report of the check, and a reviewer.',
  async run(stage) {
    const request = 'Say how long a build takes.';
    const result = await stage.run({
      workflow: 'examples/agent-and-check.yml',
      repository: DOCS_REPOSITORY,
      eventName: 'workflow_dispatch',
      event: dispatched({ request }),
      actor: 'maintainer',
    });
    assertSucceeded(result);
    const pull = onlyPullOf(stage);
    assert.ok(pull.title.includes(request.slice(0, 20)), result.log);
    const reviewers = pull.requested_reviewers.map(({ login }) => login);
    assert.deepEqual(reviewers, ['maintainer']);
    assert.match(await reportOn(pull.number, stage), /Passed/);
  },
};
