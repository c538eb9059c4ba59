import assert from 'node:assert/strict';
import * as v from 'valibot';
import { DOCS_REPOSITORY } from '../../sandbox/github/seed.ts';
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

const jobSchema = v.object({ id: v.string() });

/** A job that another run started is waited for, with a key that could start none. */
export const waitOn: Scenario = {
  workflows: ['examples/wait-on.yml'],
  async play(stage) {
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
    succeeded(result);
    assert.equal(promptsOf(stage).length, 1, 'A second job was started');
    assert.ok(looksOf(stage) > 1, 'Nobody waited');
    const { html_url: link } = await onlyPullOf(stage);
    assert.ok(result.log.includes(link), 'The run does not tell of the pull request');
  },
};

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
