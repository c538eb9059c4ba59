import assert from 'node:assert/strict';
import * as v from 'valibot';
import { DOCS_REPOSITORIES } from '../../sandbox/github/seed.ts';
import { PROJECTS } from '../../sandbox/sandbox.ts';
import { dispatched } from '../stage/events.ts';
import { agentClientOf, assertSucceeded, promptsOf } from '../stage/results.ts';
import type { Scenario } from './scenario.ts';

/** One key starts a job for each project. */
export const manyProjects: Scenario = {
  workflows: ['examples/many-projects.yml'],
  shows: 'One request starts a job in each of three projects.',
  async run(stage) {
    assertSucceeded(
      await stage.run({
        workflow: 'examples/many-projects.yml',
        eventName: 'workflow_dispatch',
        event: dispatched({ request: 'Call it "workspace".' }),
        actor: 'maintainer',
        variables: {
          DOCS_WEB_PROJECT_ID: 'sandbox-docs',
          DOCS_CLI_PROJECT_ID: 'sandbox-cli',
          DOCS_API_PROJECT_ID: 'sandbox-api',
        },
      }),
    );
    assert.deepEqual(
      promptsOf(stage)
        .map((prompt) => prompt.trim())
        .sort(),
      ['api', 'cli', 'web'].map((name) => `In the docs of ${name}: Call it "workspace".`),
    );
    assert.deepEqual(
      new Set(stage.sandbox.requests.map(({ path }) => path.split('/')[3])),
      new Set(PROJECTS),
    );
    for (const id of PROJECTS) {
      const path = `/repos/${DOCS_REPOSITORIES[id]}/pulls`;
      const pulls = await agentClientOf(stage).request('GET', path, v.array(v.unknown()));
      assert.equal(pulls.length, 1, `${path} has ${pulls.length} pull requests`);
    }
  },
};
