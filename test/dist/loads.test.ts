import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type EventRun, runOnEvent, runOnIssue } from '../helpers/run.ts';
import {
  created,
  done,
  ended,
  permissions,
  type ScriptedGitHub,
  startBoth,
} from '../helpers/servers.ts';

const tellLoads = new URL('../helpers/tell-loads.mjs', import.meta.url).href;

/** Which of the bundle's files a run loads. */
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
  // A name that undici gives to its symbols, an error of @actions/http-client, one of @actions/exec, and a
  // word of the fetch of undici.
  const has = (text: string) => files.some((file) => file.includes(text));
  return {
    undici: has('undici:client:beforeConnect'),
    httpClient: has('Client has already been disposed'),
    exec: has("Parameter 'commandLine' cannot be null or empty."),
    fetch: has('opaqueredirect'),
    ...result.outputs,
  };
}

describe('undici', () => {
  it('is loaded for the first request', async () => {
    const step = { eventName: 'schedule', event: 'schedule' };
    expect(await loaded(step)).toMatchObject({ undici: true, result: 'pull-request' });
  });

  it('is not loaded if an input is invalid', async () => {
    const inputs = { 'wait-minutes': 'long' };
    const step = { eventName: 'workflow_dispatch', event: {}, inputs };
    expect(await loaded(step)).toMatchObject({ undici: false, reason: 'bad-input' });
  });
});

const leftOut = { httpClient: false, exec: false, fetch: false };

describe('@actions/http-client, @actions/exec and the fetch of undici', () => {
  it('are left out of a run that asks the API', async () => {
    const step = { eventName: 'schedule', event: 'schedule' };
    expect(await loaded(step)).toMatchObject({ ...leftOut, undici: true, result: 'pull-request' });
  });

  it('are left out of a run that also asks GitHub', async () => {
    const step = { eventName: 'issues', event: 'issues-labeled-by-owner' };
    expect(await loaded(step)).toMatchObject({ ...leftOut, undici: true, result: 'pull-request' });
  });
});

describe('an event file that cannot be read', () => {
  it.each([
    ['that does not exist', '/nowhere/event.json'],
    ['that is not JSON', import.meta.filename],
  ])('%s keeps nobody from reading the pull request', async (_name, eventFile) => {
    const linkOn = ({ url }: ScriptedGitHub) => `${url}/acme/docs/pull/12`;
    const { github, api } = await startBoth({}, (server) => [
      created,
      ended('completed', { prLink: linkOn(server) }),
    ]);
    const { outputs, stdout, stderr } = await runOnEvent({
      eventName: 'schedule',
      event: {},
      githubUrl: github.url,
      baseUrl: api.url,
      env: { GITHUB_EVENT_PATH: eventFile },
    });
    expect(outputs['result']).toBe('pull-request');
    expect(github.calls).toContain('GET /repos/acme/docs/pulls/12');
    expect(stdout + stderr).not.toContain(eventFile);
  });
});

describe('the parser of event text', () => {
  it('is left out if the text cannot hide anything', async () => {
    const nodeArguments = ['--import', tellLoads];
    const plain = await runOnIssue({ title: 'A', body: 'Text, *just* text.' }, { nodeArguments });
    expect(plain.sent).toEqual({ prompt: 'Title: A\n\nText, *just* text.' });
    expect(loadsParser(plain.stderr)).toBe(false);
    const other = await runOnIssue({ title: 'A', body: '[a](/b)' }, { nodeArguments });
    expect(other.sent).toEqual({ prompt: 'Title: A\n\n[a](/b)' });
    expect(loadsParser(other.stderr)).toBe(true);
  });
});

function loadsParser(stderr: string): boolean {
  const files = [...stderr.matchAll(/^loads (file:.*\/dist\/agent\/.*)$/gm)];
  // The name of a token.
  return files.some(([, url = '']) =>
    readFileSync(new URL(url), 'utf8').includes('codeFencedFenceMeta'),
  );
}
