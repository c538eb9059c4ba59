import assert from 'node:assert/strict';
import * as v from 'valibot';
import { DOCS_REPOSITORY, type Person } from '../../sandbox/github/seed.ts';
import { LONGER_THAN_POLLS } from '../../sandbox/sandbox.ts';
import type { ActResult } from '../stage/act.ts';
import { issueCommented } from '../stage/events.ts';
import {
  assertSucceeded,
  clientOf,
  commentsOn,
  followUpsOf,
  onlyPullOf,
} from '../stage/results.ts';
import type { Stage } from '../stage/stage.ts';
import type { Scenario } from './scenario.ts';
import { runOnSchedule } from './weekly-refresh.ts';

/** A comment in the docs repository. */
interface Remark {
  readonly number: number;
  readonly text: string;
  readonly login: Person;
}

const REVIEW = 'examples/review-comment.yml';

/** Comments in the docs repository, and runs the workflow. */
async function comment(stage: Stage, { number, text, login }: Remark): Promise<ActResult> {
  const event = issueCommented(stage, number, text, login, DOCS_REPOSITORY);
  const result = await stage.run({
    workflow: REVIEW,
    repository: DOCS_REPOSITORY,
    eventName: 'issue_comment',
    event,
    actor: login,
  });
  assertSucceeded(result);
  return result;
}

/** A reviewer's comment reaches the job of the pull request. No other comment reaches anything. */
async function runReview(stage: Stage): Promise<void> {
  await runOnSchedule(stage, 'examples/weekly-refresh.yml');
  const before = onlyPullOf(stage);
  const { number } = before;
  const requests = stage.sandbox.requests.length;

  const ask = 'Mention --watch in quickstart.mdx.';
  const text = `/docs ${ask}`;
  const refused = await comment(stage, { number, text, login: 'stranger' });
  assert.match(refused.log, /Nothing was started, because stranger has the permission read/);
  const issue = await openIssue(stage);
  for (const remark of [
    { number, text: 'Looks good to me.', login: 'writer' },
    { number, text: '/docs/quickstart.mdx looks good to me.', login: 'writer' },
    { number, text: `> ${text}\n\nDone.`, login: 'writer' },
    { number, text: `    ${text}`, login: 'writer' },
    { number: issue, text, login: 'writer' },
  ] as const) {
    await comment(stage, remark);
  }
  assert.equal(stage.sandbox.requests.length, requests, 'Another comment caused a request');

  // As GitHub's editor sends it when the command and the text begin on lines of their own.
  await comment(stage, { number, text: `\r\n /docs\r\n${ask}`, login: 'writer' });
  const [followUp = '', ...others] = followUpsOf(stage);
  assert.deepEqual(others, []);
  assert.ok(followUp.includes(`${before.html_url} as this comment`), followUp);
  assert.ok(followUp.includes(ask), followUp);
  const after = onlyPullOf(stage);
  assert.notEqual(after.head.sha, before.head.sha, 'The pull request has no new commit');
  const comments = commentsOn(number, stage, DOCS_REPOSITORY);
  const answer = comments.at(-1);
  assert.equal(answer?.login, 'github-actions[bot]');
  assert.match(answer.body, /Pull request continued/);
  assert.match(answer.body, /writer/);
}

/** @returns The number of a new issue of the docs repository. */
async function openIssue(stage: Stage): Promise<number> {
  const path = `/repos/${DOCS_REPOSITORY}/issues`;
  const numbered = v.object({ number: v.number() });
  const issue = { title: 'The quickstart is out of date' };
  return (await clientOf('owner', stage).request('POST', path, numbered, issue)).number;
}

export const reviewComment: Scenario = {
  workflows: [REVIEW],
  shows: "A reviewer's /docs comment changes the pull request, and other comments do nothing.",
  workMs: LONGER_THAN_POLLS,
  run: runReview,
};
