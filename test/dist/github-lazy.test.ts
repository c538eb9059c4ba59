import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { startBoth } from '../helpers/both-servers.ts';
import { type EventRun, runOnEvent } from '../helpers/run-on-event.ts';
import { created, done } from '../helpers/scripted-api.ts';
import { permissions } from '../helpers/scripted-github.ts';

const tellLoads = new URL('../helpers/tell-loads.mjs', import.meta.url).href;

/** Which of the bundle's files a run loads, by what they hold. */
async function loaded(step: Omit<EventRun, 'githubUrl'>) {
  const { github, api } = await startBoth(permissions({ owner: 'admin' }), () => [created, done]);
  const result = await runOnEvent({
    githubUrl: github.url,
    baseUrl: api.url,
    ...step,
    inputs: { comment: 'false', ...step.inputs },
    nodeArguments: ['--import', tellLoads],
  });
  const files = [...result.stderr.matchAll(/^loads (file:.*\/dist\/.*)$/gm)].map(([, url = '']) =>
    readFileSync(fileURLToPath(url), 'utf8'),
  );
  const octokit = files.some((text) => text.includes('octokit-core.js/'));
  return { octokit, files: files.length, ...result.outputs };
}

it('loads Octokit for a run that asks GitHub something', async () => {
  const step = { eventName: 'issues', event: 'issues-labeled-by-owner' };
  expect(await loaded(step)).toMatchObject({ octokit: true, result: 'pull-request' });
});

it.each([
  ['a schedule', { eventName: 'schedule', event: 'schedule' }],
  ['a push by a person', { eventName: 'push', event: 'push-by-writer' }],
])('does without Octokit: %s', async (_name, step) => {
  expect(await loaded(step)).toMatchObject({ octokit: false, result: 'pull-request' });
});

it('loads nothing but the entry where an input is refused at once', async () => {
  const inputs = { 'wait-minutes': 'long' };
  const step = { eventName: 'workflow_dispatch', event: {}, inputs };
  expect(await loaded(step)).toMatchObject({ files: 1, reason: 'bad-input' });
});
