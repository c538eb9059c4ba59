import assert from 'node:assert/strict';
import { bot, person, pushed, type Sender } from '../stage/events.ts';
import { commit, recordRun } from '../stage/history.ts';
import { assertFailed, assertSucceeded, promptsOf } from '../stage/results.ts';
import type { Stage } from '../stage/stage.ts';
import type { Scenario } from './scenario.ts';

const WORKFLOW = 'examples/after-merge.yml';

function push(stage: Stage, before: string, after: string, sender: Sender) {
  const event = pushed(before, after, sender);
  const runId = recordRun(stage, after);
  return stage.run({ workflow: WORKFLOW, eventName: 'push', event, actor: sender.login, runId });
}

/** The list of files starts at the last successful run. Skipped runs do not count as successful. */
export const afterMerge: Scenario = {
  workflows: [WORKFLOW],
  async run(stage) {
    const start = await commit(stage, 'start.ts');
    const first = await commit(stage, 'first.ts');
    assertSucceeded(await push(stage, start, first, person('writer')));
    const [veryFirst = ''] = promptsOf(stage);
    assert.match(veryFirst, /^These files changed in acme\/product:\n\nadded first\.ts\n\n/);

    recordRun(stage, first, 'success');
    const dropped = await commit(stage, 'dropped.ts');
    recordRun(stage, dropped, 'cancelled');
    const second = await commit(stage, 'second.ts');
    assertFailed(await push(stage, dropped, second, bot('other-app[bot]')));
    assert.equal(promptsOf(stage).length, 1, 'A bot outside allow-bots started a job');

    assertSucceeded(await push(stage, dropped, second, bot('renovate[bot]')));
    const caughtUp = promptsOf(stage).at(-1) ?? '';
    assert.match(caughtUp, /:\n\nadded dropped\.ts\nadded second\.ts\n\n/);

    recordRun(stage, second, 'success');
    assertSucceeded(await push(stage, second, second, person('writer')));
    assert.equal(promptsOf(stage).length, 2, 'A push without changes started a job');
  },
};
