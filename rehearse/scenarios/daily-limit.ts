import assert from 'node:assert/strict';
import { PRODUCT_REPOSITORY } from '../../sandbox/github/seed.ts';
import { dispatched } from '../stage/events.ts';
import { assertSucceeded, promptsOf } from '../stage/results.ts';
import type { Stage } from '../stage/stage.ts';
import type { Scenario } from './scenario.ts';

const HOUR_MS = 3_600_000;

/** In an hour: the same day or the next one, so that midnight may pass during the rehearsal. */
const today = new Date(Date.now() + HOUR_MS);
const yesterday = new Date(Date.now() - 24 * HOUR_MS);

/** Starts the workflow, as one more run of it. */
async function ask(stage: Stage) {
  recordRuns(stage, 1, today);
  const result = await stage.run({
    workflow: 'examples/daily-limit.yml',
    eventName: 'workflow_dispatch',
    event: dispatched({ request: 'Mention --watch.' }),
    actor: 'maintainer',
  });
  assertSucceeded(result);
  return result;
}

function recordRuns(stage: Stage, count: number, created: Date): void {
  const { runs } = stage.sandbox.github;
  for (let index = 0; index < count; index += 1) {
    runs.push({
      id: runs.length + 101,
      repository: PRODUCT_REPOSITORY,
      workflowId: 7,
      workflowFile: 'daily-limit.yml',
      event: 'workflow_dispatch',
      branch: 'main',
      headSha: '0'.repeat(40),
      createdAt: created.toISOString(),
    });
  }
}

/** The tenth run of a day starts a job, the eleventh none. Those of the day before do not count. */
export const dailyLimit: Scenario = {
  workflows: ['examples/daily-limit.yml'],
  shows: 'The tenth run of a day starts a job, and the eleventh says why it does not.',
  async run(stage) {
    recordRuns(stage, 20, yesterday);
    recordRuns(stage, 9, today);
    await ask(stage);
    assert.equal(promptsOf(stage).length, 1, 'The tenth run started no job');
    const { log } = await ask(stage);
    assert.equal(promptsOf(stage).length, 1, 'The eleventh run started a job');
    assert.match(log, /Nothing was started, because this is run 11 of today, and 10 are the limit/);
  },
};
