import assert from 'node:assert/strict';
import * as v from 'valibot';
import { PRODUCT_REPOSITORY } from '../../sandbox/github/seed.ts';
import { repositoryFolder } from '../../scripts/bundle.ts';
import { person, pushed, released } from '../events.ts';
import { as, succeeded } from '../findings.ts';
import { commit } from '../history.ts';
import type { Scenario } from '../scenario.ts';
import type { Stage } from '../stage.ts';

const MOVE = '.github/workflows/move-major-tag.yml';
const CI = '.github/workflows/ci.yml';

const tagSchema = v.object({ object: v.object({ sha: v.string() }) });

async function tag(stage: Stage, name: string): Promise<string> {
  const sha = await commit(stage, name);
  const body = { ref: `refs/tags/${name}`, sha };
  const path = `/repos/${PRODUCT_REPOSITORY}/git/refs`;
  await as('owner', stage).request('POST', path, v.unknown(), body);
  return sha;
}

async function publish(stage: Stage, name: string): Promise<string> {
  const event = released(name, 'maintainer');
  succeeded(await stage.run({ workflow: MOVE, eventName: 'release', event, actor: 'maintainer' }));
  const path = `/repos/${PRODUCT_REPOSITORY}/git/ref/tags/v1`;
  return (await as('owner', stage).request('GET', path, tagSchema)).object.sha;
}

/** The major tag is made, follows, and never goes back. */
export const moveMajorTag: Scenario = {
  workflows: [MOVE],
  async play(stage) {
    const first = await tag(stage, 'v1.9.0');
    assert.equal(await publish(stage, 'v1.9.0'), first);
    const second = await tag(stage, 'v1.10.0');
    assert.equal(await publish(stage, 'v1.10.0'), second);
    await tag(stage, 'v1.9.1');
    assert.equal(await publish(stage, 'v1.9.1'), second, 'v1 went back');
  },
};

/** Both actions, with `uses: ./`; the jobs on other systems, or in a container, cannot run here. */
export const ci: Scenario = {
  workflows: [CI],
  async play(stage) {
    succeeded(
      await stage.run({
        workflow: CI,
        checkout: repositoryFolder,
        job: { name: 'action', matrix: { os: 'ubuntu-latest', container: '' } },
        eventName: 'push',
        event: pushed('0'.repeat(40), '1'.repeat(40), person('writer')),
        actor: 'writer',
      }),
    );
  },
};
