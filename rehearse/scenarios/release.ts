import assert from 'node:assert/strict';
import * as v from 'valibot';
import { DOCS_REPOSITORY, tokenOf } from '../../sandbox/github/seed.ts';
import { released } from '../stage/events.ts';
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

/**
 * The workflow requests a review, and the pull request is merged once it is approved, not before, and
 * only if it is routine.
 */
export const releaseAndMerge: Scenario = {
  workflows: ['examples/release-and-merge.yml'],
  async run(stage) {
    const main = `/repos/${DOCS_REPOSITORY}/branches/main/protection`;
    await clientOf('owner', stage).request('PUT', main, v.unknown(), {
      required_pull_request_reviews: { required_approving_review_count: 1 },
    });
    assertSucceeded(
      await stage.run({
        workflow: 'examples/release-and-merge.yml',
        eventName: 'release',
        event: released('v2.5.0', 'maintainer'),
        actor: 'maintainer',
        secrets: { DOCS_REPOSITORY_TOKEN: tokenOf('writer') },
      }),
    );
    assert.match(promptsOf(stage).join('\n'), /^Version v2\.5\.0 was released\./);
    const waiting = await onlyPullOf(stage);
    assert.deepEqual(
      waiting.requested_reviewers.map(({ login }) => login),
      ['maintainer'],
    );
    assert.equal(waiting.merged, false);

    const reviews = `/repos/${DOCS_REPOSITORY}/pulls/${waiting.number}/reviews`;
    await clientOf('maintainer', stage).request('POST', reviews, v.unknown(), { event: 'APPROVE' });
    assert.equal((await onlyPullOf(stage)).merged, true);
    await assertNotMerged(stage);
    await assertStopped(stage);
  },
};

/** What is not routine gets a reviewer, and an approval does not merge it. */
async function assertNotMerged(stage: Stage): Promise<void> {
  // Written so that it does not look like a leaked secret here.
  const tag = `v2.6.0-${'AKIA'}${'Q3EGRCHDZ5TWN7YB'}`;
  const result = await stage.run({
    workflow: 'examples/release-and-merge.yml',
    eventName: 'release',
    event: released(tag, 'maintainer'),
    actor: 'maintainer',
    secrets: { DOCS_REPOSITORY_TOKEN: tokenOf('writer') },
  });
  assertFailed(result);
  assert.match(result.log, /is blocked by 1 finding \(provider-key in /);
  const blocked = (await pullsOf(stage)).at(-1);
  assert.deepEqual(
    blocked?.requested_reviewers.map(({ login }) => login),
    ['maintainer'],
  );
  const reviews = `/repos/${DOCS_REPOSITORY}/pulls/${blocked?.number}/reviews`;
  await clientOf('maintainer', stage).request('POST', reviews, v.unknown(), { event: 'APPROVE' });
  assert.equal((await pullsOf(stage)).at(-1)?.merged, false);
}

/** A pull request that the check cannot read has no verdict, so nothing is merged. */
async function assertStopped(stage: Stage): Promise<void> {
  const result = await stage.run({
    workflow: 'examples/release-and-merge.yml',
    eventName: 'release',
    event: released('v2.7.0', 'maintainer'),
    actor: 'maintainer',
    secrets: { DOCS_REPOSITORY_TOKEN: 'token-of-nobody' },
  });
  assertFailed(result);
  const unread = (await pullsOf(stage)).at(-1);
  assert.equal(promptsOf(stage).length, 3, 'The last release started no job');
  assert.deepEqual([unread?.merged, unread?.requested_reviewers], [false, []]);
  assert.match(result.log, /pull request acme\/docs#\d+ could not be read/);
  assert.ok(!result.log.includes('Merge once approved'), 'The merge step ran');
}

/** The agent gets the release notes, and the team gets the message. */
export const release: Scenario = {
  workflows: ['examples/release.yml'],
  async run(stage) {
    const result = await stage.run({
      workflow: 'examples/release.yml',
      eventName: 'release',
      event: released('v2.5.0', 'maintainer'),
      actor: 'maintainer',
    });
    assertSucceeded(result);
    assert.match(
      promptsOf(stage).join('\n'),
      /^Version v2\.5\.0 was released\.[\s\S]*\n\nNotes\s*$/,
    );
    const { html_url: link } = await onlyPullOf(stage);
    assert.match(
      result.log,
      new RegExp(`\\| Job job_\\w+ completed and opened a pull request: ${link}\n`),
    );
  },
};
