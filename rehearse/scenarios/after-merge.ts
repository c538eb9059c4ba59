import assert from 'node:assert/strict';
import type { WorkflowRun } from '../../sandbox/github-runs.ts';
import { PRODUCT_REPOSITORY } from '../../sandbox/github-seed.ts';
import { bot, person, pushed, type Sender } from '../events.ts';
import { as, failed, promptsOf, succeeded } from '../findings.ts';
import type { Scenario } from '../scenario.ts';
import type { Stage } from '../stage.ts';

const WORKFLOW = 'examples/after-merge.yml';

/** Commits a file to the product. @returns The new head of its main branch. */
async function commit(stage: Stage, path: string): Promise<string> {
  const owner = as('owner', stage);
  const change = { text: `${path}\n`, message: `Add ${path}`, branch: 'main' };
  await owner.writeFile(PRODUCT_REPOSITORY, path, change);
  return (await owner.branchHead(PRODUCT_REPOSITORY, 'main')) ?? '';
}

function record(stage: Stage, headSha: string, conclusion?: WorkflowRun['conclusion']): number {
  const id = stage.sandbox.github.runs.length + 101;
  stage.sandbox.github.runs.push({
    id,
    repository: PRODUCT_REPOSITORY,
    workflowId: 7,
    event: 'push',
    branch: 'main',
    headSha,
    ...(conclusion === undefined ? {} : { conclusion }),
  });
  return id;
}

function push(stage: Stage, before: string, after: string, sender: Sender) {
  const event = pushed(before, after, sender);
  const runId = record(stage, after);
  return stage.run({ workflow: WORKFLOW, eventName: 'push', event, actor: sender.login, runId });
}

/** The list of files goes back to the last run that succeeded; skipped runs are none of those. */
export const afterMerge: Scenario = {
  workflows: [WORKFLOW],
  async play(stage) {
    const start = await commit(stage, 'start.ts');
    const first = await commit(stage, 'first.ts');
    succeeded(await push(stage, start, first, person('writer')));
    const [veryFirst = ''] = promptsOf(stage);
    assert.match(veryFirst, /^These files of acme\/product changed:\n\nadded first\.ts\n\n/);

    record(stage, first, 'success');
    const dropped = await commit(stage, 'dropped.ts');
    record(stage, dropped, 'cancelled');
    const second = await commit(stage, 'second.ts');
    failed(await push(stage, dropped, second, bot('other-app[bot]')));
    assert.equal(promptsOf(stage).length, 1, 'A bot that is not named started a job');

    succeeded(await push(stage, dropped, second, bot('renovate[bot]')));
    const caughtUp = promptsOf(stage).at(-1) ?? '';
    assert.match(caughtUp, /:\n\nadded dropped\.ts\nadded second\.ts\n\n/);

    record(stage, second, 'success');
    succeeded(await push(stage, second, second, person('writer')));
    assert.equal(promptsOf(stage).length, 2, 'A push without changes started a job');
  },
};
