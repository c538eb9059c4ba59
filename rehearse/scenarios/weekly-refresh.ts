import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DOCS_REPOSITORY } from '../../sandbox/github/seed.ts';
import { inRepository } from '../../scripts/actions.ts';
import type { ActResult } from '../stage/act.ts';
import { scheduled } from '../stage/events.ts';
import {
  assertSucceeded,
  commentsOn,
  followUpsOf,
  onlyPullOf,
  promptsOf,
} from '../stage/results.ts';
import type { Stage } from '../stage/stage.ts';
import { longerThanPolls, type Scenario } from './scenario.ts';

const WEEKLY = 'examples/weekly-refresh.yml';

/** Runs a workflow of the docs repository, as its schedule does. */
export async function runOnSchedule(stage: Stage, workflow: string): Promise<ActResult> {
  const result = await stage.run({
    workflow,
    repository: DOCS_REPOSITORY,
    eventName: 'schedule',
    event: scheduled(DOCS_REPOSITORY),
    actor: 'stranger', // GitHub names the last person who edited the schedule
  });
  assertSucceeded(result);
  return result;
}

/** The first week opens a pull request, and the second continues it, each with the most-read pages. */
async function runTwoWeeks(stage: Stage, workflow: string): Promise<void> {
  await runOnSchedule(stage, workflow);
  const [first] = stage.sandbox.requests;
  assert.match(first?.path ?? '', /\/visitors\?.*dateFrom=/);
  const opened = await onlyPullOf(stage);
  assert.deepEqual(
    opened.labels.map(({ name }) => name),
    ['docs-refresh'],
  );

  await runOnSchedule(stage, workflow);
  const continued = await onlyPullOf(stage);
  assert.notEqual(continued.head.sha, opened.head.sha, 'The second week changed nothing');
  const prompts = [...promptsOf(stage), ...followUpsOf(stage)];
  assert.equal(prompts.length, 2);
  for (const prompt of prompts) {
    const pages: unknown = JSON.parse(/^\[.*\]$/m.exec(prompt)?.[0] ?? '');
    assert.ok(
      Array.isArray(pages) && pages.length === 10,
      `The prompt does not name ten pages:\n${prompt}`,
    );
  }
  const [comment, ...others] = await commentsOn(opened.number, stage, DOCS_REPOSITORY);
  assert.match(comment?.body ?? '', /in its second round/);
  assert.deepEqual(others, []);
}

/** A third week with `skip` starts nothing. */
async function runWithSkip(stage: Stage): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'skip-'));
  try {
    const workflow = join(folder, 'weekly-refresh.yml');
    const text = readFileSync(inRepository(WEEKLY), 'utf8');
    writeFileSync(workflow, text.replace('on-open-pr: continue', 'on-open-pr: skip'));
    const { log } = await runOnSchedule(stage, workflow);
    assert.match(
      log,
      /Nothing was started, because the pull request of an earlier run is still open/,
    );
    assert.equal([...promptsOf(stage), ...followUpsOf(stage)].length, 2, 'Something was started');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export const weeklyRefresh: Scenario = {
  workflows: [WEEKLY],
  workMs: longerThanPolls,
  async run(stage) {
    await runTwoWeeks(stage, WEEKLY);
    await runWithSkip(stage);
  },
};

export const reuseWeeklyRefresh: Scenario = {
  workflows: ['examples/reuse-weekly-refresh.yml'],
  workMs: longerThanPolls,
  run: (stage) => runTwoWeeks(stage, 'examples/reuse-weekly-refresh.yml'),
};

/** The prompt is read from a file of the repository. */
export const promptFile: Scenario = {
  workflows: ['examples/prompt-file.yml'],
  async run(stage) {
    assertSucceeded(
      await stage.run({
        workflow: 'examples/prompt-file.yml',
        eventName: 'schedule',
        event: scheduled(),
        actor: 'stranger',
        files: { '.github/prompts/refresh-docs.md': 'Check every link of quickstart.mdx.\n' },
      }),
    );
    assert.deepEqual(promptsOf(stage), ['Check every link of quickstart.mdx.\n']);
    assert.match((await onlyPullOf(stage)).title, /Check every link/);
  },
};
