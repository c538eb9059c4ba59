import assert from 'node:assert/strict';
import * as v from 'valibot';
import { DOCS_REPOSITORY } from '../../sandbox/github/seed.ts';
import { bot, dispatched, person, pullRequestOpened, type Sender } from '../stage/events.ts';
import { assertSucceeded, onlyPullOf, pollCountOf, promptsOf } from '../stage/results.ts';
import type { Stage } from '../stage/stage.ts';
import type { Scenario } from './scenario.ts';

async function runTakeOver(stage: Stage, sender: Sender): Promise<void> {
  const pull = { ...(await onlyPullOf(stage)), user: sender };
  assertSucceeded(
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

const jobSchema = v.object({ id: v.string() });

/** Waits for a job that another run started, with a read-only key. */
export const waitOn: Scenario = {
  workflows: ['examples/wait-on.yml'],
  async run(stage) {
    const { url, projectId, apiKey, readKey } = stage.sandbox;
    const response = await fetch(`${url}/v2/agent/${projectId}/job`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ prompt: 'Mention --watch. [sandbox: slow 3s]' }),
    });
    const { id } = v.parse(jobSchema, await response.json());
    const result = await stage.run({
      workflow: 'examples/wait-on.yml',
      eventName: 'workflow_dispatch',
      event: dispatched({ 'job-id': id }, 'writer'),
      actor: 'writer',
      secrets: { DOCS_READ_KEY: readKey },
    });
    assertSucceeded(result);
    assert.equal(promptsOf(stage).length, 1, 'A second job was started');
    assert.ok(pollCountOf(stage) > 1, 'The step did not wait');
    const { html_url: link } = await onlyPullOf(stage);
    assert.ok(result.log.includes(link), 'The log does not name the pull request');
  },
};

/** The step does not wait. The pull request triggers the next workflow. */
export const noWaiting: Scenario = {
  workflows: ['examples/start-only.yml', 'examples/take-over.yml'],
  async run(stage) {
    assertSucceeded(
      await stage.run({
        workflow: 'examples/start-only.yml',
        eventName: 'workflow_dispatch',
        event: dispatched({ request: 'Explain $(id) and `id`.' }, 'maintainer'),
        actor: 'maintainer',
      }),
    );
    assert.deepEqual(promptsOf(stage), ['Explain $(id) and `id`.']);
    assert.equal(pollCountOf(stage), 0, 'The step waited');
    await stage.sandbox.settled();

    await runTakeOver(stage, person('stranger'));
    const untouched = await onlyPullOf(stage);
    assert.deepEqual([...untouched.labels, ...untouched.requested_reviewers], []);

    await runTakeOver(stage, bot('docs-agent[bot]'));
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
