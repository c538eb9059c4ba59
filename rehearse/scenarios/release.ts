import assert from 'node:assert/strict';
import * as v from 'valibot';
import { DOCS_REPOSITORY, tokenOf } from '../../sandbox/github/seed.ts';
import type { ActResult } from '../stage/act.ts';
import { pullChanged, released } from '../stage/events.ts';
import { editPage } from '../stage/history.ts';
import {
  assertFailed,
  assertSucceeded,
  clientOf,
  onlyPullOf,
  promptsOf,
  pullsOf,
} from '../stage/results.ts';
import type { Stage } from '../stage/stage.ts';
import type { Scenario } from './scenario.ts';

/** Runs the workflow that asks, checks and switches auto-merge on. */
async function runRelease(
  stage: Stage,
  tag: string,
  token = tokenOf('writer'),
): Promise<ActResult> {
  return await stage.run({
    workflow: 'examples/release-and-merge.yml',
    eventName: 'release',
    event: released(stage, tag, 'maintainer'),
    actor: 'maintainer',
    secrets: { DOCS_REPOSITORY_TOKEN: token },
  });
}

async function requireReview(stage: Stage): Promise<void> {
  const main = `/repos/${DOCS_REPOSITORY}/branches/main/protection`;
  await clientOf('owner', stage).request('PUT', main, v.unknown(), {
    required_pull_request_reviews: { required_approving_review_count: 1 },
  });
}

/** The workflow requests a review, and the pull request is merged once it is approved, if a rule requires that. */
export const releaseAndMerge: Scenario = {
  workflows: ['examples/release-and-merge.yml'],
  shows: 'A pull request is merged once it is approved, and none that the check could not read.',
  async run(stage) {
    await assertRefused(stage);
    await requireReview(stage);
    await assertMergedOnceApproved('v2.5.0', stage);
    await assertStopped(stage);
  },
};

/** Without a rule that requires a review, GitHub would merge at once. */
async function assertRefused(stage: Stage): Promise<void> {
  const result = await runRelease(stage, 'v2.4.0');
  assertFailed(result);
  assert.match(result.log, /No rule of the branch requires a review/);
  assert.equal(onlyPullOf(stage).merged, false);
}

async function assertMergedOnceApproved(tag: string, stage: Stage): Promise<void> {
  const result = await runRelease(stage, tag);
  assertSucceeded(result);
  assert.match(result.log, /acme\/docs#\d+ passed: /);
  assert.ok(promptsOf(stage).at(-1)?.startsWith(`Version ${tag} was released.`));
  const waiting = pullsOf(stage).at(-1);
  assert.deepEqual(
    waiting?.requested_reviewers.map(({ login }) => login),
    ['maintainer'],
  );
  assert.equal(waiting?.merged, false);
  await approve(stage, waiting?.number ?? 0);
  assert.equal(pullsOf(stage).at(-1)?.merged, true);
}

async function approve(stage: Stage, number: number): Promise<void> {
  const reviews = `/repos/${DOCS_REPOSITORY}/pulls/${number}/reviews`;
  await clientOf('maintainer', stage).request('POST', reviews, v.unknown(), { event: 'APPROVE' });
}

/** A pull request that is merged once approved is not merged any more after somebody pushed to it. */
export const stopAutoMerge: Scenario = {
  workflows: ['examples/stop-auto-merge.yml'],
  shows: 'Auto-merge is switched off after a push that nobody reviewed.',
  async run(stage) {
    await requireReview(stage);
    assertSucceeded(await runRelease(stage, 'v2.5.0'));
    const { number, user, head } = onlyPullOf(stage);
    await editPage(stage, 'writer', head.ref, 'index.mdx', (text) => `${text}\nMore.\n`);
    const result = await stage.run({
      workflow: 'examples/stop-auto-merge.yml',
      repository: DOCS_REPOSITORY,
      eventName: 'pull_request_target',
      event: pullChanged(stage, 'synchronize', number),
      actor: 'writer',
      variables: { DOCS_AGENT_LOGIN: user?.login ?? '' },
    });
    assertSucceeded(result);
    await approve(stage, number);
    assert.equal(onlyPullOf(stage).merged, false, 'What was pushed later was merged');
  },
};

/** A pull request that the check cannot read has no verdict, so nothing is merged. */
async function assertStopped(stage: Stage): Promise<void> {
  const result = await runRelease(stage, 'v2.7.0', 'token-of-nobody');
  assertFailed(result);
  const unread = pullsOf(stage).at(-1);
  assert.equal(promptsOf(stage).length, 3, 'The last release started no job');
  assert.deepEqual([unread?.merged, unread?.requested_reviewers], [false, []]);
  assert.match(result.log, /pull request acme\/docs#\d+ could not be read/);
  assert.ok(!result.log.includes('Merge once approved'), 'The merge step ran');
}

/** The agent gets the release notes, and the team gets the message. A release without notes starts nothing. */
export const release: Scenario = {
  workflows: ['examples/release.yml'],
  shows: 'The agent gets the notes of the release, and the next step its pull request.',
  async run(stage) {
    const event = released(stage, 'v2.5.0', 'maintainer');
    const publish = (body: string | null) =>
      stage.run({
        workflow: 'examples/release.yml',
        eventName: 'release',
        event: { ...event, release: { ...event.release, body } },
        actor: 'maintainer',
      });
    await publish('');
    await publish(null);
    assert.deepEqual(promptsOf(stage), [], 'A release without notes started a job');
    const result = await publish(event.release.body);
    assertSucceeded(result);
    assert.match(
      promptsOf(stage).join('\n'),
      /^Version v2\.5\.0 was released\.[\s\S]*\n\n- `acme build --watch` rebuilds/,
    );
    const { html_url: link } = onlyPullOf(stage);
    assert.match(
      result.log,
      new RegExp(`\\| Job job_\\w+ completed and opened a pull request: ${link}\n`),
    );
  },
};
