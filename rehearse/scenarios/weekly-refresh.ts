import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { DOCS_REPOSITORY } from '../../sandbox/github/seed.ts';
import { LONGER_THAN_POLLS } from '../../sandbox/sandbox.ts';
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
import type { Scenario } from './scenario.ts';

const WEEKLY = 'examples/weekly-refresh.yml';

/** Runs a workflow of the docs repository, as its schedule does. */
export async function runOnSchedule(stage: Stage, workflow: string): Promise<ActResult> {
  const result = await stage.run({
    workflow,
    repository: DOCS_REPOSITORY,
    eventName: 'schedule',
    event: scheduled,
    actor: 'stranger', // GitHub names the last person who edited the schedule
  });
  assertSucceeded(result);
  return result;
}

const pagesSchema = v.array(v.object({ path: v.string() }));

/** The first week opens a pull request, and the second continues it, each with the docs' own pages. */
async function runTwoWeeks(stage: Stage): Promise<void> {
  await runOnSchedule(stage, WEEKLY);
  const [first] = stage.sandbox.requests;
  assert.match(first?.path ?? '', /\/visitors\?.*dateFrom=/);
  const opened = onlyPullOf(stage);
  assert.deepEqual(
    opened.labels.map(({ name }) => name),
    ['docs-refresh'],
  );

  await runOnSchedule(stage, WEEKLY);
  const continued = onlyPullOf(stage);
  assert.notEqual(continued.head.sha, opened.head.sha, 'The second week changed nothing');
  const prompts = [...promptsOf(stage), ...followUpsOf(stage)];
  assert.equal(prompts.length, 2);
  for (const prompt of prompts) {
    const pages = v.parse(pagesSchema, JSON.parse(/^\[.*\]$/m.exec(prompt)?.[0] ?? ''));
    assert.deepEqual(pages.map(({ path }) => path).sort(), [
      '/',
      '/api/authentication',
      '/guides/deploy',
      '/quickstart',
    ]);
  }
  const [comment, ...others] = commentsOn(opened.number, stage, DOCS_REPOSITORY);
  assert.match(comment?.body ?? '', /continued this pull request/);
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
  shows: 'The second week continues the pull request of the first, and with skip nothing starts.',
  workMs: LONGER_THAN_POLLS,
  async run(stage) {
    await runTwoWeeks(stage);
    await runWithSkip(stage);
  },
};

/** The visitors alone, with a read-only key. */
export const visitorsReport: Scenario = {
  workflows: ['examples/visitors-report.yml'],
  shows: 'The most-read pages are exported without asking the agent.',
  async run(stage) {
    const { readKey } = stage.sandbox;
    const workflow = 'examples/visitors-report.yml';
    const text = readFileSync(inRepository(workflow), 'utf8');
    const [uses = ''] = /actions\/upload-artifact@\w+/.exec(text) ?? [];
    const result = await stage.run({
      workflow,
      eventName: 'schedule',
      event: scheduled,
      actor: 'stranger',
      secrets: { DOCS_READ_KEY: readKey },
      thirdParty: [uses],
    });
    assertSucceeded(result);
    assert.match(result.log, /Exported 3,000 rows to "visitors-\d{4}-\d\d-01-to-[\d-]+\.csv"/);
  },
};

/** The prompt is read from a file of the repository. */
export const promptFile: Scenario = {
  workflows: ['examples/prompt-file.yml'],
  shows: 'The prompt comes from a file of the repository.',
  async run(stage) {
    assertSucceeded(
      await stage.run({
        workflow: 'examples/prompt-file.yml',
        eventName: 'schedule',
        event: scheduled,
        actor: 'stranger',
        files: { '.github/prompts/refresh-docs.md': 'Check every link of quickstart.mdx.\n' },
      }),
    );
    assert.deepEqual(promptsOf(stage), ['Check every link of quickstart.mdx.\n']);
    assert.match(onlyPullOf(stage).title, /Check every link/);
  },
};
