import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PRODUCT_REPOSITORY } from '../../sandbox/github/seed.ts';
import { inRepository } from '../../scripts/actions.ts';
import { dispatched } from '../stage/events.ts';
import { assertSucceeded, promptsOf } from '../stage/results.ts';
import type { Stage } from '../stage/stage.ts';
import type { Scenario } from './scenario.ts';

const LIMITED = 'examples/daily-limit.yml';

const HOUR_MS = 3_600_000;

/** In an hour: the same day or the next one, so that midnight may pass during the rehearsal. */
const today = new Date(Date.now() + HOUR_MS);
const yesterday = new Date(Date.now() - 24 * HOUR_MS);

/** Starts the workflow, as one more run of it. */
async function ask(stage: Stage, workflow = LIMITED) {
  recordRuns(stage, 1, today);
  const result = await stage.run({
    workflow,
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

/** With the other value that the example names, the runs of the month count. */
async function askWithLimitOfMonth(stage: Stage): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'month-'));
  try {
    const workflow = join(folder, 'daily-limit.yml');
    const text = readFileSync(inRepository(LIMITED), 'utf8');
    const [, day = '', month = ''] =
      /SINCE: ('.*') # or the first of the month: ('.*')/.exec(text) ?? [];
    writeFileSync(workflow, text.replace(`SINCE: ${day}`, `SINCE: ${month}`));
    const { log } = await ask(stage, workflow);
    assert.match(log, /Nothing was started, because this is run \d+ since \d{4}-\d\d-01, /);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The tenth run of a day starts a job, and the eleventh starts no job. Runs of the day before do not count. */
export const dailyLimit: Scenario = {
  workflows: [LIMITED],
  shows: 'The tenth run of a day starts a job, and the eleventh says why it does not.',
  async run(stage) {
    recordRuns(stage, 20, yesterday);
    recordRuns(stage, 9, today);
    await ask(stage);
    assert.equal(promptsOf(stage).length, 1, 'The tenth run started no job');
    const { log } = await ask(stage);
    assert.equal(promptsOf(stage).length, 1, 'The eleventh run started a job');
    assert.match(
      log,
      /Nothing was started, because this is run 11 since \d{4}-\d\d-\d\d, and 10 are the limit/,
    );
    await askWithLimitOfMonth(stage);
    assert.equal(promptsOf(stage).length, 1, 'A run beyond the limit of the month started a job');
  },
};
