import assert from 'node:assert/strict';
import { DOCS_REPOSITORY, tokenOf } from '../../sandbox/github/seed.ts';
import { LONGER_THAN_POLLS } from '../../sandbox/sandbox.ts';
import { pushed } from '../stage/events.ts';
import { commit, editPage, recordRun } from '../stage/history.ts';
import {
  assertFailed,
  assertSucceeded,
  commentsOn,
  followUpsOf,
  onlyPullOf,
  promptsOf,
} from '../stage/results.ts';
import type { Stage } from '../stage/stage.ts';
import type { Scenario } from './scenario.ts';

const WORKFLOW = 'examples/after-merge.yml';

function push(stage: Stage, before: string, after: string, login: string) {
  const event = pushed(stage, before, after, login);
  const runId = recordRun(stage, WORKFLOW, after);
  return stage.run({
    workflow: WORKFLOW,
    eventName: 'push',
    event,
    actor: login,
    runId,
    variables: { DOCS_REPOSITORY, DOCS_REVIEWER: 'maintainer' },
    secrets: { DOCS_REPOSITORY_TOKEN: tokenOf('maintainer') },
  });
}

/**
 * The changes start at the last successful run. Skipped runs do not count as successful. The second
 * run continues the pull request of the first, and succeeds though the check blocks it.
 */
export const afterMerge: Scenario = {
  workflows: [WORKFLOW],
  shows:
    'Each push sends the changes since the last run that succeeded, and continues the open pull request. What the check blocks turns no run red.',
  workMs: LONGER_THAN_POLLS,
  async run(stage) {
    const start = commit(stage, 'start.ts');
    const first = commit(stage, 'first.ts');
    const firstRun = await push(stage, start, first, 'writer');
    assertSucceeded(firstRun);
    assert.match(firstRun.log, /No run of this workflow on "main" has succeeded yet/);
    const [veryFirst = ''] = promptsOf(stage);
    assert.match(
      veryFirst,
      /^Update the docs[\s\S]*\n\nChanges in acme\/product since [0-9a-f]{7}, /,
    );
    assert.match(veryFirst, /\n```text\n[0-9a-f]{7} \(owner\) Add first\.ts\n```\n/);
    assert.match(veryFirst, /\n```text\nadded first\.ts \(\+1 -0\)\n```\s*$/);

    const opened = onlyPullOf(stage);
    assert.deepEqual(
      opened.requested_reviewers.map(({ login }) => login),
      ['maintainer'],
    );
    await editPage(stage, 'writer', opened.head.ref, 'guides/deploy.mdx', null);

    recordRun(stage, WORKFLOW, first, 'success');
    const dropped = commit(stage, 'dropped.ts');
    recordRun(stage, WORKFLOW, dropped, 'cancelled');
    const second = commit(stage, 'second.ts');
    assertFailed(await push(stage, dropped, second, 'other-app[bot]'));
    assert.deepEqual(followUpsOf(stage), [], 'A bot outside allow-bots sent something');

    const blocked = await push(stage, dropped, second, 'renovate[bot]');
    assertSucceeded(blocked);
    const comments = commentsOn(opened.number, stage, DOCS_REPOSITORY);
    assert.ok(
      comments.some(({ body }) => /acme\/docs.*is blocked by \d finding/.test(body)),
      blocked.log,
    );
    const [caughtUp = ''] = followUpsOf(stage);
    assert.match(caughtUp, /\) Add second\.ts\n[0-9a-f]{7} \(\w+\) Add dropped\.ts\n```\n/);
    assert.match(caughtUp, /\nadded dropped\.ts \(\+1 -0\)\nadded second\.ts \(\+1 -0\)\n/);

    recordRun(stage, WORKFLOW, second, 'success');
    const unchanged = await push(stage, second, second, 'writer');
    assertSucceeded(unchanged);
    assert.match(unchanged.log, /Nothing was started, because there is no commit between /);
    assert.equal(followUpsOf(stage).length, 1, 'A push without changes sent something');
    assert.equal(promptsOf(stage).length, 1, 'There is more than one job');
    const { labels } = onlyPullOf(stage);
    assert.deepEqual(
      labels.map(({ name }) => name),
      ['docs-after-merge'],
    );
  },
};
