import assert from 'node:assert/strict';
import { DOCS_REPOSITORY } from '../../sandbox/github-seed.ts';
import { bot, dispatched, person, pullRequestOpened, type Sender } from '../events.ts';
import { looksOf, onlyPullOf, promptsOf, succeeded } from '../findings.ts';
import type { Scenario } from '../scenario.ts';
import type { Stage } from '../stage.ts';

async function takeOver(stage: Stage, sender: Sender): Promise<void> {
  const pull = { ...(await onlyPullOf(stage)), user: sender };
  succeeded(
    await stage.run({
      workflow: 'examples/take-over.yml',
      eventName: 'pull_request',
      event: pullRequestOpened(pull, sender),
      actor: sender.login,
      repository: DOCS_REPOSITORY,
      variables: { DOCS_AGENT_LOGIN: 'docs-agent[bot]', DOCS_REVIEWER: 'writer' },
    }),
  );
}

/** Nobody waits; the pull request itself starts what comes next. */
export const noWaiting: Scenario = {
  workflows: ['examples/start-only.yml', 'examples/take-over.yml'],
  async play(stage) {
    succeeded(
      await stage.run({
        workflow: 'examples/start-only.yml',
        eventName: 'workflow_dispatch',
        event: dispatched({ request: 'Explain $(id) and `id`.' }, 'maintainer'),
        actor: 'maintainer',
      }),
    );
    assert.deepEqual(promptsOf(stage), ['Explain $(id) and `id`.']);
    assert.equal(looksOf(stage), 0, 'Somebody waited');
    await stage.sandbox.settled();

    await takeOver(stage, person('stranger'));
    const untouched = await onlyPullOf(stage);
    assert.deepEqual([...untouched.labels, ...untouched.requested_reviewers], []);

    await takeOver(stage, bot('docs-agent[bot]'));
    const taken = await onlyPullOf(stage);
    assert.equal(taken.user.login, 'docs-agent[bot]');
    assert.deepEqual(
      taken.labels.map(({ name }) => name),
      ['docs-agent'],
    );
    assert.deepEqual(
      taken.requested_reviewers.map(({ login }) => login),
      ['writer'],
    );
  },
};
