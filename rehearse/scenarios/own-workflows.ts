import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { PRODUCT_REPOSITORY } from '../../sandbox/github/seed.ts';
import { repositoryFolder } from '../../scripts/bundle.ts';
import type { ActResult } from '../act.ts';
import { type Attestations, standInForAttestations } from '../attestations.ts';
import { person, pushed, released } from '../events.ts';
import { as, failed, succeeded } from '../findings.ts';
import { commit } from '../history.ts';
import type { Scenario } from '../scenario.ts';
import type { Stage } from '../stage.ts';

const MOVE = '.github/workflows/move-major-tag.yml';
const CI = '.github/workflows/ci.yml';

const tagSchema = v.object({ object: v.object({ sha: v.string() }) });

/** A version, tagged on the local GitHub. */
async function tag(stage: Stage, name: string): Promise<string> {
  const sha = await commit(stage, `dist/${name}.js`);
  const body = { ref: `refs/tags/${name}`, sha };
  const path = `/repos/${PRODUCT_REPOSITORY}/git/refs`;
  await as('owner', stage).request('POST', path, v.unknown(), body);
  return sha;
}

/** Attests what lies in a commit, as release.yml would for a tag. */
async function attest(
  stage: Stage,
  attestations: Attestations,
  sha: string,
  name: string,
  isWanted: (path: string) => boolean = () => true,
): Promise<void> {
  const files = await as('owner', stage).listFiles(PRODUCT_REPOSITORY, sha);
  for (const path of files.filter((file) => file.startsWith('dist/')).filter(isWanted)) {
    attestations.attest(`${path}\n`, {
      repo: PRODUCT_REPOSITORY,
      signerWorkflow: `${PRODUCT_REPOSITORY}/.github/workflows/release.yml`,
      sourceDigest: sha,
      sourceRef: `refs/tags/${name}`,
    });
  }
}

/** @returns Where v1 points afterwards. */
async function publish(
  stage: Stage,
  { programs }: Attestations,
  name: string,
  judge: (result: ActResult) => void,
): Promise<string> {
  const event = released(name, 'maintainer');
  judge(
    await stage.run({
      workflow: MOVE,
      eventName: 'release',
      event,
      actor: 'maintainer',
      programs,
    }),
  );
  const path = `/repos/${PRODUCT_REPOSITORY}/git/ref/tags/v1`;
  return (await as('owner', stage).request('GET', path, tagSchema)).object.sha;
}

function unattested(result: ActResult): void {
  failed(result);
  assert.match(result.log, /Error: no attestation matches/);
}

async function playMoves(stage: Stage, attestations: Attestations): Promise<void> {
  const release = async (name: string) => {
    const sha = await tag(stage, name);
    await attest(stage, attestations, sha, name);
    return sha;
  };
  const first = await release('v1.9.0');
  assert.equal(await publish(stage, attestations, 'v1.9.0', succeeded), first);
  const second = await release('v1.10.0');
  assert.equal(await publish(stage, attestations, 'v1.10.0', succeeded), second);
  await release('v1.9.1');
  assert.equal(await publish(stage, attestations, 'v1.9.1', succeeded), second, 'v1 went back');

  const refuses = async (name: string, why: string) =>
    assert.equal(await publish(stage, attestations, name, unattested), second, why);
  await tag(stage, 'v1.11.0');
  await refuses('v1.11.0', 'v1 went to a commit of which nothing is attested');
  const partly = await tag(stage, 'v1.12.0');
  await attest(stage, attestations, partly, 'v1.12.0', (path) => path !== 'dist/v1.12.0.js');
  await refuses('v1.12.0', 'v1 went to a commit with a file that is not attested');
  const other = await tag(stage, 'v1.13.0');
  await attest(stage, attestations, other, 'v1.12.0');
  await refuses('v1.13.0', "v1 went to a commit with another tag's attestation");
  const last = await release('v1.14.0');
  assert.equal(await publish(stage, attestations, 'v1.14.0', succeeded), last);
}

/** The major tag is made, follows what is attested, and never goes back. */
export const moveMajorTag: Scenario = {
  workflows: [MOVE],
  async play(stage) {
    const folder = mkdtempSync(join(tmpdir(), 'attestations-'));
    try {
      await playMoves(stage, standInForAttestations(folder));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
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
