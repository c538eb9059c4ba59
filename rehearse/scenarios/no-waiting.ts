import assert from 'node:assert/strict';
import * as v from 'valibot';
import { DOCS_REPOSITORY } from '../../sandbox/github/seed.ts';
import { dispatched, pullChanged, scheduled } from '../stage/events.ts';
import { assertSucceeded, onlyPullOf, pollCountOf, promptsOf } from '../stage/results.ts';
import type { Stage } from '../stage/stage.ts';
import type { Scenario } from './scenario.ts';

async function runTakeOver(stage: Stage, login: string): Promise<void> {
  const event = pullChanged(stage, 'opened', onlyPullOf(stage).number);
  const user = stage.sandbox.github.show.account(login);
  assertSucceeded(
    await stage.run({
      workflow: 'examples/take-over.yml',
      eventName: 'pull_request',
      event: { ...event, pull_request: { ...event.pull_request, user } },
      actor: login,
      repository: DOCS_REPOSITORY,
      variables: { DOCS_AGENT_LOGIN: 'docs-agent[bot]', DOCS_REVIEWER: 'writer' },
    }),
  );
}

const jobSchema = v.object({ id: v.string() });

/** Waits for a job that another run started, with a read-only key. */
export const waitOn: Scenario = {
  workflows: ['examples/wait-on.yml'],
  shows: 'A read-only key waits for a job that another run started.',
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
      event: dispatched({ 'job-id': id }),
      actor: 'writer',
      secrets: { DOCS_READ_KEY: readKey },
    });
    assertSucceeded(result);
    assert.equal(promptsOf(stage).length, 1, 'A second job was started');
    assert.ok(pollCountOf(stage) > 1, 'The step did not wait');
    const { html_url: link } = onlyPullOf(stage);
    assert.ok(result.log.includes(link), 'The log does not name the pull request');
  },
};

/** A re-run of a step without a comment continues with its job, which it finds in act's cache service. */
export const rerun: Scenario = {
  workflows: ['examples/start-only.yml'],
  shows: 'A re-run finds its job in the cache, and starts no second one.',
  async run(stage) {
    for (const attempt of [1, 2]) {
      const result = await stage.run({
        workflow: 'examples/start-only.yml',
        eventName: 'workflow_dispatch',
        event: dispatched({ request: 'Mention --watch.' }),
        actor: 'maintainer',
        runId: 77,
        attempt,
      });
      assertSucceeded(result);
      const words = attempt === 1 ? 'Docs agent: started job' : 'Docs agent: resumed job';
      assert.ok(result.log.includes(words), `Attempt ${attempt} does not say "${words}"`);
      await stage.sandbox.settled();
    }
    assert.equal(promptsOf(stage).length, 1, 'The re-run started a second job');
  },
};

/** A dry run is green with a good key and red with a dead one, and starts nothing. */
export const checkSetup: Scenario = {
  workflows: ['examples/check-setup.yml'],
  shows: 'A dry run is green with a good key, red with a dead one, and starts nothing.',
  async run(stage) {
    const step = {
      workflow: 'examples/check-setup.yml',
      eventName: 'schedule',
      event: scheduled,
      actor: 'maintainer',
    };
    assertSucceeded(await stage.run(step));
    const red = await stage.run({ ...step, secrets: { DOCS_API_KEY: 'mint_dead' } });
    assert.notEqual(red.exitCode, 0, 'A dead key should turn the run red');
    assert.ok(red.log.includes('does not accept the API key'), 'The log does not say why');
    assert.deepEqual(promptsOf(stage), [], 'A dry run started a job');
  },
};

/** The step does not wait. The pull request triggers the next workflow. */
export const noWaiting: Scenario = {
  workflows: ['examples/start-only.yml', 'examples/take-over.yml'],
  shows: 'The step does not wait, and the pull request of the agent starts the next workflow.',
  async run(stage) {
    assertSucceeded(
      await stage.run({
        workflow: 'examples/start-only.yml',
        eventName: 'workflow_dispatch',
        event: dispatched({ request: 'Explain $(id) and `id`.' }),
        actor: 'maintainer',
      }),
    );
    assert.deepEqual(promptsOf(stage), ['Explain $(id) and `id`.']);
    assert.equal(pollCountOf(stage), 0, 'The step waited');
    await stage.sandbox.settled();

    await runTakeOver(stage, 'stranger');
    const untouched = onlyPullOf(stage);
    assert.deepEqual([...untouched.labels, ...untouched.requested_reviewers], []);

    await runTakeOver(stage, 'docs-agent[bot]');
    const taken = onlyPullOf(stage);
    assert.equal(taken.user?.login, 'docs-agent[bot]');
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
