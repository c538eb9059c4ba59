import assert from 'node:assert/strict';
import { dispatched } from '../events.ts';
import { promptsOf, pullsOf, succeeded } from '../findings.ts';
import type { Scenario } from '../scenario.ts';

/** Each project gets its job. act knows no environments, so all of them are the same project here. */
export const manyProjects: Scenario = {
  workflows: ['examples/many-projects.yml'],
  async play(stage) {
    succeeded(
      await stage.run({
        workflow: 'examples/many-projects.yml',
        eventName: 'workflow_dispatch',
        event: dispatched({ request: 'Call it "workspace".' }, 'maintainer'),
        actor: 'maintainer',
      }),
    );
    assert.deepEqual(
      promptsOf(stage)
        .map((prompt) => prompt.trim())
        .sort(),
      ['api', 'cli', 'web'].map((name) => `In the docs of ${name}: Call it "workspace".`),
    );
    assert.equal((await pullsOf(stage)).length, 3);
  },
};
