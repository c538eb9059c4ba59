import assert from 'node:assert/strict';
import { DOCS_REPOSITORY } from '../../sandbox/github/seed.ts';
import { LONGER_THAN_POLLS } from '../../sandbox/sandbox.ts';
import type { ActResult } from '../stage/act.ts';
import { dispatched } from '../stage/events.ts';
import {
  assertFailed,
  assertSucceeded,
  commentsOn,
  followUpsOf,
  onlyPullOf,
  promptsOf,
} from '../stage/results.ts';
import type { Stage } from '../stage/stage.ts';
import type { Scenario } from './scenario.ts';

const MEND = 'examples/mend.yml';

/** Runs the workflow. @param words for the stand-in of Mintlify */
async function ask(stage: Stage, words: string, attempt = 1): Promise<ActResult> {
  return await stage.run({
    workflow: MEND,
    repository: DOCS_REPOSITORY,
    eventName: 'workflow_dispatch',
    event: dispatched({ request: `Mention --quiet in quickstart.mdx. ${words}` }),
    actor: 'maintainer',
    runId: 41,
    attempt,
  });
}

/** One job was started, and these follow-ups were sent; the person who asked is asked for a review. */
function assertAsked(stage: Stage, followUps: number, { log }: ActResult): void {
  assert.equal(promptsOf(stage).length, 1, log);
  const sent = followUpsOf(stage);
  assert.equal(sent.length, followUps, log);
  for (const text of sent) {
    assert.match(text, /\n- quickstart\.mdx:\d+: .*Note/, 'The follow-up lacks what blocks');
    assert.doesNotMatch(text, /"severity"|"rule"/);
  }
  const reviewers = onlyPullOf(stage).requested_reviewers.map(({ login }) => login);
  assert.deepEqual(reviewers, ['maintainer'], log);
}

/** All rounds share one comment, which has the last verdict. */
function assertReport(stage: Stage, verdict: RegExp): void {
  const [comment, ...others] = commentsOn(onlyPullOf(stage).number, stage, DOCS_REPOSITORY);
  assert.deepEqual(others, []);
  assert.match(comment?.body ?? '', verdict);
}

/** The lines that GitHub would show as annotations of the run. */
const errorsIn = ({ log }: ActResult) =>
  log.split('\n').filter((line) => /(?:❗ {2}|🚧 {2})::(?:error|warning)/.test(line));

export const mended: Scenario = {
  workflows: [MEND],
  shows: 'What blocks is mended in the second round, and a re-run pays for nothing.',
  workMs: LONGER_THAN_POLLS,
  async run(stage) {
    const first = await ask(stage, '[sandbox: breaks 2]');
    assertSucceeded(first);
    assertAsked(stage, 2, first);
    assertReport(stage, /Passed/);
    assert.deepEqual(errorsIn(first), [], 'A mended round left annotations');

    const again = await ask(stage, '[sandbox: breaks 2]', 2);
    assertSucceeded(again);
    assertAsked(stage, 2, again);
  },
};

export const notMended: Scenario = {
  workflows: [MEND],
  shows: 'What is still blocked after two rounds turns the run red.',
  workMs: LONGER_THAN_POLLS,
  async run(stage) {
    const result = await ask(stage, '[sandbox: breaks 9]');
    assertFailed(result);
    assertAsked(stage, 2, result);
    assertReport(stage, /Blocked/);
    assert.match(errorsIn(result).join('\n'), /The pull request is still blocked/);
  },
};

export const unchanged: Scenario = {
  workflows: [MEND],
  shows: 'An agent that changes nothing is asked once, and the run is red.',
  workMs: LONGER_THAN_POLLS,
  async run(stage) {
    const result = await ask(stage, '[sandbox: breaks 1] [sandbox: stubborn]');
    assertFailed(result);
    assertAsked(stage, 1, result);
    assertReport(stage, /Blocked/);
    assert.match(errorsIn(result).join('\n'), /The pull request is still blocked/);
  },
};
