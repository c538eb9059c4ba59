import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { runOnEvent, runOnIssue } from '../helpers/run.ts';
import { created, ended, type ScriptedGitHub, startBoth } from '../helpers/servers.ts';

const tellLoads = new URL('../helpers/tell-loads.mjs', import.meta.url).href;

describe('an event file that cannot be read, in a run that needs none', () => {
  it.each([
    ['that does not exist', '/nowhere/event.json', 'GitHub responded with 404'],
    ['that is not JSON', import.meta.filename, "GitHub's client cannot read the event's file"],
  ])('%s keeps nobody from the pull request', async (_name, eventFile, warning) => {
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
    expect(result.outputs).toMatchObject({ result: 'pull-request', 'pr-link': linkOn(github) });
    expect(result.stdout).toContain(warning);
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
