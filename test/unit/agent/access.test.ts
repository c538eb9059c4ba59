import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { checkAccess } from '../../../src/agent/access.ts';
import { fakeRunner } from '../../helpers/fake-runner.ts';
import { githubSession } from '../../helpers/servers.ts';

/** The user who requested a run, for an event that anyone can trigger. */
async function askedBy(
  eventName: string,
  event: string,
  { actor = 'actor', triggeringActor = 'rerunner' } = {},
): Promise<string> {
  const runner = fakeRunner(
    {
      GITHUB_EVENT_NAME: eventName,
      GITHUB_EVENT_PATH: fileURLToPath(new URL(`../../fixtures/events/${event}`, import.meta.url)),
      GITHUB_ACTOR: actor,
      GITHUB_TRIGGERING_ACTOR: triggeringActor,
    },
    { 'required-permission': 'none' },
  );
  const { server, github } = await githubSession({});
  const access = await checkAccess({ runner, github });
  expect(server.calls).toEqual([]);
  return access.kind === 'granted' ? access.askedBy : 'denied';
}

describe('the user who requested a run', () => {
  it.each([
    ['the sender of the event', 'issues', 'issues-labeled-by-owner.json', 'owner'],
    ['the sender of a push', 'push', 'push-by-writer.json', 'writer'],
    ['nobody on a schedule', 'schedule', 'schedule.json', ''],
    [
      'nobody where the run before it was on a schedule',
      'workflow_run',
      'workflow-run-after-schedule.json',
      '',
    ],
    [
      'whoever started this attempt, of an event that is not read',
      'workflow_dispatch',
      'schedule.json',
      'rerunner',
    ],
  ])('is %s', async (_name, eventName, event, login) => {
    await expect(askedBy(eventName, event)).resolves.toBe(login);
  });

  it('is the actor if the runner names no one else', async () => {
    await expect(askedBy('release', 'schedule.json', { triggeringActor: '' })).resolves.toBe(
      'actor',
    );
  });
});
