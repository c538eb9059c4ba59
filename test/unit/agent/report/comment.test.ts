import { expect, it } from 'vitest';
import { readAccessInputs } from '../../../../src/agent/inputs.ts';
import { createStepComment } from '../../../../src/agent/report/comment.ts';
import type { Ended } from '../../../../src/agent/stage.ts';
import { createGitHub } from '../../../../src/github/client.ts';
import { unreadEvent } from '../../../../src/github/event.ts';
import type { RequestLimits } from '../../../../src/github/request.ts';
import type { Clock } from '../../../../src/runner/clock.ts';
import { grantedTo, waitingStage } from '../../../helpers/agent.ts';
import { fakeClock, fakeRunner, passedInputs } from '../../../helpers/fake-runner.ts';

/** Rejects once the signal is aborted. */
const untilAborted = ({ signal }: Pick<RequestLimits, 'signal'>): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal.throwIfAborted();
    signal.addEventListener('abort', () => reject(signal.reason));
  });

/** A clock on which only one delay ever ends. */
function clockWith(endingMs: number): Clock {
  const sleep: Clock['sleep'] = async (durationMs, signal) =>
    durationMs === endingMs ? undefined : await untilAborted({ signal });
  return { ...fakeClock(), sleep };
}

const thread = { number: 7, isPullRequest: false };
const access = {
  ...grantedTo('octocat', { ...unreadEvent, thread }),
  inputs: readAccessInputs(passedInputs({ comment: 'true', 'github-token': 'ghs_token' })),
};

const ended: Ended = {
  at: 'ended',
  last: waitingStage({ access }),
  result: { result: 'cancelled' },
  saved: { kind: 'pending' },
  askedAtMs: 0,
  tookMs: 0,
};

it.each([
  ['after 10 s', 10_000, new AbortController().signal],
  ['at the deadline of a stopped step', Number.NaN, AbortSignal.abort()],
])('a comment that GitHub never writes is given up %s', async (_name, endingMs, deadline) => {
  const runner = { ...fakeRunner(), clock: clockWith(endingMs), deadline };
  const github = {
    ...createGitHub({ apiUrl: '', readProxy: runner.readProxy }),
    as: () => ({ open: untilAborted }),
  };
  const comment = createStepComment({ runner, github });
  await expect(comment.finish(ended)).resolves.toBeUndefined();
  expect(comment.saved).toMatchObject({ kind: 'failed' });
});
