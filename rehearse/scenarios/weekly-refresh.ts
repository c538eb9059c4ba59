import assert from 'node:assert/strict';
import { scheduled } from '../events.ts';
import { commentsOn, onlyPullOf, promptsOf, succeeded } from '../findings.ts';
import type { Scenario } from '../scenario.ts';
import type { Stage } from '../stage.ts';

const TRACKING_ISSUE = 2;

/** The pages come from the figures, and the tracking issue is told. */
async function play(stage: Stage, workflow: string): Promise<void> {
  succeeded(
    await stage.run({
      workflow,
      eventName: 'schedule',
      event: scheduled(),
      actor: 'stranger', // whoever once touched the cron line
      variables: { DOCS_TRACKING_ISSUE: String(TRACKING_ISSUE) },
    }),
  );
  const [first] = stage.sandbox.requests;
  assert.match(first?.path ?? '', /\/visitors\?.*dateFrom=/);
  const [prompt = ''] = promptsOf(stage);
  const pages: unknown = JSON.parse(/^\[.*\]$/m.exec(prompt)?.[0] ?? '');
  assert.ok(
    Array.isArray(pages) && pages.length === 10,
    `The prompt names no ten pages:\n${prompt}`,
  );
  const pull = await onlyPullOf(stage);
  const [comment] = await commentsOn(TRACKING_ISSUE, stage);
  assert.ok(comment?.body.includes(pull.html_url), 'The tracking issue is not told');
}

export const weeklyRefresh: Scenario = {
  workflows: ['examples/weekly-refresh.yml'],
  play: (stage) => play(stage, 'examples/weekly-refresh.yml'),
};

export const reuseWeeklyRefresh: Scenario = {
  workflows: ['examples/reuse-weekly-refresh.yml'],
  play: (stage) => play(stage, 'examples/reuse-weekly-refresh.yml'),
};

/** The prompt comes from a file of the repository. */
export const promptFile: Scenario = {
  workflows: ['examples/prompt-file.yml'],
  async play(stage) {
    succeeded(
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
