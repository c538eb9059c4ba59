import { describe, expect, it } from 'vitest';
import { makeEvent } from '../../rehearse/try-event.ts';
import { readWorkflow } from '../../rehearse/workflow-text.ts';
import type { GitHubClient } from '../../sandbox/github-client.ts';
import { githubClient } from '../../sandbox/github-client.ts';

/** Nobody listens there: only what needs no GitHub can be made. */
const github: GitHubClient = githubClient('http://127.0.0.1:9', 'none');
const wishes = { login: 'writer', issue: 2, label: undefined };

function make(on: string) {
  return makeEvent(readWorkflow(`on: ${on}`, 'acme/action'), wishes, github);
}

describe('the event that a workflow is tried with', () => {
  it.each([
    ['release', 'release', { action: 'published', sender: { login: 'writer' } }],
    ['[merge_group, schedule]', 'schedule', { schedule: '17 5 * * 1' }],
    ['{ issues: { types: [opened] }, workflow_dispatch: }', 'workflow_dispatch', { inputs: {} }],
    ['push', 'push', { ref: 'refs/heads/main', sender: { login: 'writer', type: 'User' } }],
  ])('of %s is %s', async (on, name, payload) => {
    expect(await make(on)).toMatchObject({ name, payload });
  });

  it('cannot be made up for every workflow', async () => {
    await expect(make('{ merge_group: , issues: { types: [opened] } }')).rejects.toThrow(
      'it starts on merge_group, issues, and what can be played is issues, release, schedule, workflow_dispatch, push, of issues the type labeled: give the payload yourself',
    );
  });
});
