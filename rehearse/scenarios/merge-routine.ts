import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import * as v from 'valibot';
import { githubClient } from '../../sandbox/github/client.ts';
import { editPage, proposeSentence } from '../../sandbox/github/proposals.ts';
import { DOCS_REPOSITORY } from '../../sandbox/github/seed.ts';
import { createSeals, hiddenLine } from '../../src/text/seal.ts';
import type { ActResult } from '../stage/act.ts';
import { scheduled } from '../stage/events.ts';
import {
  agentClientOf,
  assertSucceeded,
  clientOf,
  labelsOf,
  promptsOf,
  pullsOf,
} from '../stage/results.ts';
import type { Stage } from '../stage/stage.ts';
import type { Scenario } from './scenario.ts';

const ROUTINE = 'docs: routine';

/** A `date` for the workflow's "24 hours ago", as if it ran 25 hours from now. */
const LATER = `#!/bin/sh
exec node -p 'new Date(Date.now() + 3600e3).toISOString().replace(/[.][0-9]+/, "")'
`;

/** @param programs a folder with programs that take precedence, if any */
async function runMerge(stage: Stage, programs?: string): Promise<ActResult> {
  return await stage.run({
    workflow: 'examples/merge-routine.yml',
    repository: DOCS_REPOSITORY,
    eventName: 'schedule',
    event: scheduled(DOCS_REPOSITORY),
    actor: 'maintainer',
    variables: { DOCS_AGENT_LOGIN: 'docs-agent[bot]' },
    ...(programs === undefined ? {} : { programs }),
  });
}

async function putLabel(stage: Stage, number: number): Promise<void> {
  const path = `/repos/${DOCS_REPOSITORY}/issues/${number}/labels`;
  await clientOf('owner', stage).request('POST', path, v.unknown(), { labels: [ROUTINE] });
}

async function review(stage: Stage, number: number, ...events: readonly string[]): Promise<void> {
  const path = `/repos/${DOCS_REPOSITORY}/pulls/${number}/reviews`;
  for (const event of events) {
    const body = { event, body: 'Say why.' };
    await clientOf('maintainer', stage).request('POST', path, v.unknown(), body);
  }
}

/** The comment that a step with `pr-label` leaves on the pull request that it asked for. */
async function sign(stage: Stage, number: number, place = number): Promise<void> {
  const where = { purpose: 'pull-request', place: `${DOCS_REPOSITORY}#${place}` };
  const seal = createSeals('a key that the workflow does not have').seal({}, where);
  const path = `/repos/${DOCS_REPOSITORY}/issues/${number}/comments`;
  const body = `The docs agent opened this.\n\n${hiddenLine(seal)}\n`;
  const { sandbox } = stage;
  const workflow = githubClient(sandbox.github.url, sandbox.github.tokens.actions);
  await workflow.request('POST', path, v.unknown(), { body });
}

/** Opens pull requests, all with the label. @returns Their numbers. */
async function openPulls(stage: Stage) {
  const agent = agentClientOf(stage);
  const merged = await proposeSentence(agent, 'merged');
  const refused = await proposeSentence(agent, 'refused', 'index.mdx');
  const pushed = await proposeSentence(agent, 'pushed', 'index.mdx');
  const blocked = await proposeSentence(agent, 'blocked', 'index.mdx');
  await editPage(agent, 'blocked', 'index.mdx', (text) => `${text}\n[More](/gone)\n`);
  const person = await proposeSentence(clientOf('writer', stage), 'person', 'index.mdx');
  const editor = await proposeSentence(agent, 'editor', 'index.mdx');
  const copied = await proposeSentence(agent, 'copied', 'index.mdx');
  const long = await proposeSentence(agent, 'long', 'index.mdx');
  await editPage(
    agent,
    'long',
    'index.mdx',
    (text) => `${text}${'\nIt takes a minute.\n'.repeat(75)}`,
  );
  const withPage = await proposeSentence(agent, 'new-page', 'index.mdx');
  await agent.writeFile(DOCS_REPOSITORY, 'guides/new.mdx', {
    text: '---\ntitle: New\ndescription: New.\n---\n\nA page.\n',
    message: 'Add a page',
    branch: 'new-page',
  });
  for (const number of [merged, refused, pushed, blocked, person, long, withPage]) {
    await sign(stage, number);
  }
  await sign(stage, copied, merged);
  // The API's times have no fractions of seconds, and a label has to be newer than the push.
  await setTimeout(1100);
  for (const number of [merged, refused, pushed, blocked, person, editor, copied, long, withPage]) {
    await putLabel(stage, number);
  }
  await review(stage, merged, 'REQUEST_CHANGES', 'APPROVE');
  await review(stage, refused, 'APPROVE', 'REQUEST_CHANGES');
  await setTimeout(1100);
  await editPage(agent, 'pushed', 'index.mdx', (text) => `${text}\nIt takes two.\n`);
  return { merged, refused, pushed, blocked, person, editor, copied, long, withPage };
}

/** The log says why a pull request is left to people. */
function assertLeft({ log }: ActResult, list: readonly (readonly [number, string])[]): void {
  for (const [number, reason] of list) {
    assert.ok(
      log.includes(`#${number} is left to people: ${reason}`),
      `${number}: ${reason}\n${log}`,
    );
  }
}

async function mergedNumbers(stage: Stage): Promise<number[]> {
  return (await pullsOf(stage)).filter((pull) => pull.merged).map(({ number }) => number);
}

/**
 * Nothing is merged before its time, after an objection, if it is not routine any more, if it is large, or
 * if no workflow asked for it.
 */
export const mergeRoutine: Scenario = {
  workflows: ['examples/merge-routine.yml'],
  shows: 'After a day without an objection, what is still routine is merged, and nothing else.',
  async run(stage) {
    assertSucceeded(await runMerge(stage));
    const numbers = await openPulls(stage);
    assertSucceeded(await runMerge(stage));
    assert.deepEqual(await mergedNumbers(stage), [], 'Something was merged before its time');
    assert.deepEqual(await labelsOf(numbers.blocked, stage), [ROUTINE]);

    const folder = mkdtempSync(join(tmpdir(), 'later-'));
    try {
      mkdirSync(join(folder, 'programs'));
      writeFileSync(join(folder, 'programs/date'), LATER);
      chmodSync(join(folder, 'programs/date'), 0o755);
      const later = await runMerge(stage, join(folder, 'programs'));
      assertSucceeded(later);
      assertLeft(later, [
        [numbers.refused, 'a reviewer requested changes'],
        [numbers.pushed, 'its last push at '],
        [numbers.editor, 'no workflow of this repository asked for it'],
        [numbers.copied, 'no workflow of this repository asked for it'],
        [numbers.long, 'it adds 152 lines and deletes 0'],
        [numbers.withPage, 'it changes more than text on existing pages'],
      ]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    assert.deepEqual(await mergedNumbers(stage), [numbers.merged]);
    assert.deepEqual(await labelsOf(numbers.blocked, stage), [], 'A blocked one has the label');
    assert.deepEqual(promptsOf(stage), [], 'A job was started');
  },
};
