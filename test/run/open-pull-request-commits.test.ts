import { describe, expect, it } from 'vitest';
import {
  forcePush,
  gone,
  marked,
  newHead,
  none,
  oldHead,
  open,
  pullBody,
  routes,
  runLiving,
} from '../helpers/open-pull-request.ts';
import { annotations } from '../helpers/run.ts';
import type { Routes } from '../helpers/servers.ts';

/** What a person pushed while the agent worked. */
const pushed = 'c'.repeat(40);

const command = (sha: string) => `git fetch origin ${sha} && git merge FETCH_HEAD && git push`;

describe('commits that people pushed during a run', () => {
  it('and that the agent force-pushed over are named, with the way back', async () => {
    const run = await runLiving({
      ...open,
      [routes.activity]: { status: 200, body: [forcePush(pushed)] },
      ...gone(pushed, 'writer'),
    });
    expect(run.exitCode).toBe(0);
    expect(annotations(run, 'warning')).toEqual([
      `The branch of acme/docs#12 has lost commit ${pushed}, over which mintlify[bot] has force-pushed: to have it back, run "${command(pushed)}" on that branch.`,
    ]);
    const [edit] = run.sent(routes.edit);
    for (const text of [run.summary, edit?.['body']]) {
      expect(text).toMatch(/^⚠️ The branch of .* has lost commit .*git fetch .*git push/m);
    }
    const [call] = run.github.calls.filter((each) => each.startsWith(routes.activity));
    expect(call).toContain('ref=refs%2Fheads%2Fdocs-agent%2Fjob_8f2&activity_type=force_push');
  });

  it('are named by the run that waits on after a time-out', async () => {
    const run = await runLiving(
      {
        ...open,
        [routes.pull]: { status: 200, body: pullBody(newHead) },
        [routes.activity]: { status: 200, body: [forcePush(pushed), forcePush(oldHead, 90)] },
        ...gone(pushed, 'writer'),
      },
      { prompt: '', 'job-id': 'job_8f2' },
    );
    expect(run.outputs['job-source']).toBe('attached');
    expect(annotations(run, 'warning')).toEqual([
      expect.stringContaining(`has lost commit ${pushed}`),
    ]);
  });

  it('are named even if no comment of ours tells what an earlier run has checked', async () => {
    const comment = marked({ author: 'stranger', signedWith: 'mint_another-key' });
    const run = await runLiving({
      ...open,
      [routes.comments]: { status: 200, body: [comment] },
      [routes.activity]: { status: 200, body: [forcePush(pushed, -1), forcePush(oldHead)] },
      ...gone(pushed, 'writer'),
    });
    expect(annotations(run, 'warning')).toEqual([
      expect.stringContaining(`has lost commit ${pushed}`),
    ]);
  });

  it('in the dashboard are lost, too: there the app is the author of what a person wrote', async () => {
    const message = 'Fix a typo\n\nCo-authored-by: Ada <ada@acme.example>';
    const run = await runLiving({
      ...open,
      [routes.activity]: { status: 200, body: [forcePush(pushed)] },
      ...gone(pushed, 'mintlify[bot]', pushed, 'diverged', message),
    });
    expect(annotations(run, 'warning')).toEqual([
      expect.stringContaining(`has lost commit ${pushed}`),
    ]);
  });

  it.each([
    ['that is still a part of the branch', gone(pushed, 'writer', pushed, 'behind'), 5],
    ['of whoever pushed', gone(pushed, 'mintlify[bot]', oldHead), 5],
    ['that an earlier run has named', {}, 90],
  ])('are not lost if a force-push left out a commit %s', async (_name, changes, minutesAgo) => {
    const run = await runLiving({
      ...open,
      [routes.activity]: { status: 200, body: [forcePush(pushed, minutesAgo)] },
      ...changes,
    });
    expect(annotations(run, 'warning')).toEqual([]);
    expect(run.outputs['result']).toBe('pull-request');
  });
});

describe('a list of force-pushes', () => {
  const refused = { status: 403, body: { message: 'Resource not accessible by integration' } };
  const unknown =
    'Whether force-pushes took commits from the branch of acme/docs#12 is not known, because';

  it.each<[string, Routes, string]>([
    [
      'that is refused',
      { [routes.activity]: refused },
      `${unknown} GitHub responded with 403 ("Resource not accessible by integration"): give docs-token the permission "contents: read" on acme/docs, and look for force-pushes in the pull request.`,
    ],
    [
      'that an older server does not have',
      { [routes.activity]: { status: 404, body: { message: 'Not Found' } } },
      `${unknown} GitHub responded with 404 ("Not Found"): give docs-token the permission "contents: read" on acme/docs, and look for force-pushes in the pull request.`,
    ],
    [
      'that is a fault',
      { [routes.activity]: { status: 500 } },
      `${unknown} GitHub responded with 500: look for force-pushes in the pull request.`,
    ],
    [
      'of a commit that is gone for good',
      { [routes.activity]: { status: 200, body: [forcePush(pushed)] } },
      `${unknown} GitHub responded with 404 ("Not Found"): give docs-token the permission "contents: read" on acme/docs, and look for force-pushes in the pull request.`,
    ],
    [
      'that is too long',
      {
        [routes.activity]: {
          status: 200,
          body: Array.from({ length: 11 }, () => forcePush(pushed)),
        },
        ...gone(pushed, 'writer', pushed, 'behind'),
      },
      `${unknown} there were 11 force-pushes: look for force-pushes in the pull request.`,
    ],
  ])('%s is a warning', async (_name, changes, sentence) => {
    const run = await runLiving({ ...open, ...changes });
    expect(annotations(run, 'warning')).toEqual([sentence]);
    expect(run.exitCode).toBe(0);
  });

  it('does not matter to the run that opens the pull request', async () => {
    const run = await runLiving({ ...none, [routes.activity]: refused });
    expect(annotations(run, 'warning')).toEqual([]);
    expect(run.count(routes.comment)).toBe(1);
  });
});
