import assert from 'node:assert/strict';
import { scheduled } from '../stage/events.ts';
import { assertSucceeded, commentsOn, onlyPullOf, promptsOf } from '../stage/results.ts';
import type { Stage } from '../stage/stage.ts';
import type { Scenario } from './scenario.ts';

const TRACKING_ISSUE = 2;

/** The prompt has the most-read pages, and the tracking issue gets a comment. */
async function runRefresh(stage: Stage, workflow: string): Promise<void> {
  assertSucceeded(
    await stage.run({
      workflow,
      eventName: 'schedule',
      event: scheduled(),
      actor: 'stranger', // GitHub names the last person who edited the schedule
      variables: { DOCS_TRACKING_ISSUE: String(TRACKING_ISSUE) },
    }),
  );
  const [first] = stage.sandbox.requests;
  assert.match(first?.path ?? '', /\/visitors\?.*dateFrom=/);
  const [prompt = ''] = promptsOf(stage);
  const pages: unknown = JSON.parse(/^\[.*\]$/m.exec(prompt)?.[0] ?? '');
  assert.ok(
    Array.isArray(pages) && pages.length === 10,
    `The prompt does not name ten pages:\n${prompt}`,
  );
  const pull = await onlyPullOf(stage);
  const [comment] = await commentsOn(TRACKING_ISSUE, stage);
  assert.ok(comment?.body.includes(pull.html_url), 'The comment does not name the pull request');
}

export const weeklyRefresh: Scenario = {
  workflows: ['examples/weekly-refresh.yml'],
  run: (stage) => runRefresh(stage, 'examples/weekly-refresh.yml'),
};

export const reuseWeeklyRefresh: Scenario = {
  workflows: ['examples/reuse-weekly-refresh.yml'],
  run: (stage) => runRefresh(stage, 'examples/reuse-weekly-refresh.yml'),
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
