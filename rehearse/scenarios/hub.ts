import assert from 'node:assert/strict';
import { DOCS_REPOSITORY, PRODUCT_REPOSITORY, tokenOf } from '../../sandbox/github/seed.ts';
import { LONGER_THAN_POLLS } from '../../sandbox/sandbox.ts';
import { dispatched, pushed } from '../stage/events.ts';
import { commit } from '../stage/history.ts';
import {
  assertSucceeded,
  commentsOn,
  followUpsOf,
  onlyPullOf,
  promptsOf,
} from '../stage/results.ts';
import type { Stage } from '../stage/stage.ts';
import type { Scenario } from './scenario.ts';

/** A merge to the product, which has no API key, and then the run that it asked for. */
async function mergeTo(stage: Stage, before: string, after: string): Promise<void> {
  assertSucceeded(
    await stage.run({
      workflow: 'examples/hub-product.yml',
      eventName: 'push',
      event: pushed(stage, before, after, 'writer'),
      actor: 'writer',
      secrets: { DOCS_API_KEY: '', DOCS_HUB_TOKEN: tokenOf('writer') },
      variables: { DOCS_REPOSITORY },
    }),
  );
  const asked = stage.sandbox.github.dispatches.at(-1);
  assert.deepEqual([asked?.repository, asked?.workflow], [DOCS_REPOSITORY, 'hub.yml']);
  assertSucceeded(
    await stage.run({
      workflow: 'examples/hub.yml',
      repository: DOCS_REPOSITORY,
      eventName: 'workflow_dispatch',
      event: dispatched(asked?.inputs ?? {}),
      actor: 'writer',
    }),
  );
}

/** Products ask the docs repository, which has the key, and continue their own pull request. */
export const hub: Scenario = {
  workflows: ['examples/hub.yml', 'examples/hub-product.yml'],
  shows:
    'A product without a key asks the docs repository, and continues its pull request, which is checked and gets a reviewer.',
  workMs: LONGER_THAN_POLLS,
  async run(stage) {
    const start = commit(stage, 'start.ts');
    const first = commit(stage, 'first.ts');
    const second = commit(stage, 'second.ts');
    await mergeTo(stage, start, first);
    const compare = `${stage.sandbox.github.url}/${PRODUCT_REPOSITORY}/compare`;
    const [prompt = ''] = promptsOf(stage);
    assert.match(prompt, /^Update the docs of product to match its new code\./);
    assert.ok(prompt.trimEnd().endsWith(`\n\n${compare}/${start}...${first}`), prompt);

    await mergeTo(stage, first, second);
    const [followUp = ''] = followUpsOf(stage);
    assert.ok(followUp.trimEnd().endsWith(`\n\n${compare}/${first}...${second}`), followUp);
    assert.equal(promptsOf(stage).length, 1, 'There is more than one job');
    const { labels, number, requested_reviewers: reviewers } = onlyPullOf(stage);
    assert.deepEqual(
      labels.map(({ name }) => name),
      ['docs-product'],
    );
    assert.deepEqual(
      reviewers.map(({ login }) => login),
      ['writer'],
    );
    const comments = commentsOn(number, stage, DOCS_REPOSITORY);
    assert.ok(comments.some(({ body }) => /acme\/docs.* passed: /.test(body)));
  },
};
