import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { startBoth } from '../helpers/both-servers.ts';
import { type EventRun, runOnEvent } from '../helpers/run-on-event.ts';
import { created, done, ended } from '../helpers/scripted-api.ts';
import { permissions, type ScriptedGitHub } from '../helpers/scripted-github.ts';

const tellLoads = new URL('../helpers/tell-loads.mjs', import.meta.url).href;

/** Which of the bundle's files a run loads, recognised by their content. */
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
  // An error of @actions/github, and Octokit's own name.
  const isLoaded = ['context.repo requires', 'octokit-core.js/'].map((text) =>
    files.some((file) => file.includes(text)),
  );
  return { isLoaded, files: files.length, ...result.outputs };
}

describe('@actions/github', () => {
  it('is loaded for a run that sends GitHub a request', async () => {
    const step = { eventName: 'issues', event: 'issues-labeled-by-owner' };
    expect(await loaded(step)).toMatchObject({ isLoaded: [true, true], result: 'pull-request' });
  });

  it.each([
    ['a schedule', { eventName: 'schedule', event: 'schedule' }],
    ['a push by a person', { eventName: 'push', event: 'push-by-writer' }],
  ])('is not loaded for %s', async (_name, step) => {
    expect(await loaded(step)).toMatchObject({ isLoaded: [false, false], result: 'pull-request' });
  });

  it('is not loaded if an input is invalid, like everything except the entry', async () => {
    const inputs = { 'wait-minutes': 'long' };
    const step = { eventName: 'workflow_dispatch', event: {}, inputs };
    expect(await loaded(step)).toMatchObject({ files: 1, reason: 'bad-input' });
  });

  /** Ends with a pull request on this workflow's server, so its title is read. */
  async function runWith(eventFile: string) {
    const linkOn = ({ url }: ScriptedGitHub) => `${url}/acme/docs/pull/12`;
    const { github, api } = await startBoth({}, (server) => [
      created,
      ended('completed', { prLink: linkOn(server) }),
    ]);
    const result = await runOnEvent({
      eventName: 'schedule',
      event: {},
      githubUrl: github.url,
      baseUrl: api.url,
      env: { GITHUB_EVENT_PATH: eventFile },
    });
    return { ...result, calls: github.calls };
  }

  // It would print the path of the first file, and throw for the others.
  it.each([
    ['that does not exist', '/nowhere/event.json'],
    ['that is not JSON', import.meta.filename],
    ['that is a folder', import.meta.dirname],
  ])('is not loaded if the event file %s is not read', async (_name, eventFile) => {
    const { exitCode, stdout, stderr, outputs, calls } = await runWith(eventFile);
    expect(outputs['result']).toBe('pull-request');
    expect(exitCode).toBe(0);
    expect(stdout).toContain("could not be read, because the event's file cannot be read.");
    expect(stdout + stderr).not.toContain(eventFile);
    expect(calls).toEqual([]);
  });

  it('is loaded if the runner names no event file', async () => {
    const { outputs, calls } = await runWith('');
    expect(outputs['result']).toBe('pull-request');
    expect(calls).toContain('GET /repos/acme/docs/pulls/12');
  });
});
