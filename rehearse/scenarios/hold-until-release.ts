import assert from 'node:assert/strict';
import * as v from 'valibot';
import { DOCS_REPOSITORY, tokenOf } from '../../sandbox/github/seed.ts';
import type { ActResult } from '../stage/act.ts';
import { pullChanged, released } from '../stage/events.ts';
import { proposeSentence } from '../stage/history.ts';
import { assertFailed, assertSucceeded, clientOf, pullsOf } from '../stage/results.ts';
import type { Stage } from '../stage/stage.ts';
import type { Scenario } from './scenario.ts';

const HOLD = 'examples/hold-until-release.yml';
const RELEASE = 'examples/release-held.yml';
const agent = 'docs-agent[bot]';

/** Runs the check, and reports its job on the pull request, as GitHub does. */
async function hold(
  stage: Stage,
  number: number,
  action: 'opened' | 'synchronize' | 'unlabeled',
  sender: string,
): Promise<ActResult> {
  const event = pullChanged(stage, action, number);
  const result = await stage.run({
    workflow: HOLD,
    repository: DOCS_REPOSITORY,
    eventName: 'pull_request_target',
    event,
    actor: sender,
    variables: { DOCS_AGENT_LOGIN: agent },
  });
  stage.sandbox.github.checkRuns.push({
    repository: DOCS_REPOSITORY,
    sha: event.pull_request.head.sha,
    name: 'Released',
    conclusion: result.exitCode === 0 ? 'success' : 'failure',
  });
  return result;
}

/** @returns the labels and reviewers of a pull request, and whether it is merged */
async function stateOf(number: number, stage: Stage) {
  const pull = pullsOf(stage).find((each) => each.number === number);
  return {
    labels: pull?.labels.map(({ name }) => name),
    reviewers: pull?.requested_reviewers.map(({ login }) => login),
    merged: pull?.merged,
  };
}

async function merge(number: number, stage: Stage): Promise<void> {
  await clientOf('maintainer', stage).mergePull(DOCS_REPOSITORY, number);
}

async function requireCheck(stage: Stage): Promise<void> {
  const path = `/repos/${DOCS_REPOSITORY}/branches/main/protection`;
  await clientOf('owner', stage).request('PUT', path, v.unknown(), {
    required_status_checks: { strict: false, contexts: ['Released'] },
  });
}

/** What the agent opens waits for the release of the product; what people open does not. */
export const holdUntilRelease: Scenario = {
  workflows: [HOLD, RELEASE],
  shows: 'What the agent opened can be merged after the release alone, and then has a reviewer.',
  async run(stage) {
    await requireCheck(stage);
    const held = await proposeSentence(stage, 'docs-agent[bot]', 'held');
    await assert.rejects(merge(held, stage), /Required status checks/, 'Merged without a check');
    assertFailed(await hold(stage, held, 'opened', agent));
    const waiting = { labels: ['unreleased'], reviewers: [], merged: false };
    assert.deepEqual(await stateOf(held, stage), waiting);
    assertFailed(await hold(stage, held, 'synchronize', 'writer'));
    await assert.rejects(merge(held, stage), /Required status checks/, 'Merged while held');

    const urgent = await proposeSentence(stage, 'writer', 'urgent');
    assertSucceeded(await hold(stage, urgent, 'opened', 'writer'));
    await merge(urgent, stage);
    assert.deepEqual(await stateOf(urgent, stage), { labels: [], reviewers: [], merged: true });

    assertSucceeded(
      await stage.run({
        workflow: RELEASE,
        eventName: 'release',
        event: { ...released(stage, 'v2.5.0', 'maintainer'), action: 'released' },
        actor: 'maintainer',
        secrets: { DOCS_REPOSITORY_TOKEN: tokenOf('maintainer') },
        variables: { DOCS_REPOSITORY, DOCS_REVIEWER: 'writer' },
      }),
    );
    assert.deepEqual(await stateOf(held, stage), {
      labels: [],
      reviewers: ['writer'],
      merged: false,
    });
    assertSucceeded(await hold(stage, held, 'unlabeled', 'maintainer'));
    await merge(held, stage);
    assert.equal((await stateOf(held, stage)).merged, true);
  },
};
