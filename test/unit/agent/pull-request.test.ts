import { expect, it } from 'vitest';
import type { Known } from '../../../src/agent/known.ts';
import { learnPullRequest } from '../../../src/agent/pull-request.ts';
import type { GitHub } from '../../../src/github/client.ts';
import { readEnvironment } from '../../../src/runner/environment.ts';
import type { Runner } from '../../../src/runner/step.ts';
import { fakeClock } from '../../helpers/fake-clock.ts';
import { answered, fakeSession } from '../../helpers/fake-github.ts';
import { pullRequest } from '../../helpers/jobs.ts';

/** Reads the pull request of a GitHub with a fault; the pause before the second try goes wrong. */
async function learn(breakPause: (cancel: AbortController) => void) {
  const lines: string[] = [];
  const cancel = new AbortController();
  const session = fakeSession(() => answered(503));
  const github: GitHub = { graphqlUrl: '', as: () => session, close: async () => {} };
  const runner: Runner = {
    inputs: { read: () => '', isPassed: () => false, readSecret: () => '' },
    environment: readEnvironment({ GITHUB_SERVER_URL: new URL(pullRequest.url).origin }),
    readProxy: () => ({ httpProxy: '', httpsProxy: '', noProxy: '' }),
    clock: { ...fakeClock(), sleep: async () => breakPause(cancel) },
    log: { info: (line) => lines.push(line), debug() {}, notice() {}, warning() {} },
    cancelled: cancel.signal,
    broken: new AbortController().signal,
    setOutput() {},
  };
  const known: Known = {};
  await learnPullRequest(pullRequest, 'token', github, runner, known);
  expect(known).toEqual({});
  expect(session.seen).toHaveLength(1);
  return lines;
}

const unknown = 'The title and size of pull request acme/docs#12 are not known, because';

it('is given up without a failure when the run is cancelled in a pause', async () => {
  const lines = await learn((cancel) => {
    cancel.abort(new Error('cancelled'));
    cancel.signal.throwIfAborted();
  });
  expect(lines).toEqual([`${unknown} GitHub did not answer in time.`]);
});

it('is given up without a failure after a mistake of our own', async () => {
  const lines = await learn(() => {
    throw new TypeError('no such thing');
  });
  expect(lines).toEqual([`${unknown} TypeError: no such thing.`]);
});
