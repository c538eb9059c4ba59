import assert from 'node:assert/strict';
import { chmodSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { pullSchema } from '../../sandbox/github/client.ts';
import { PRODUCT_REPOSITORY } from '../../sandbox/github/seed.ts';
import { inRepository, repositoryFolder } from '../../scripts/actions.ts';
import type { ActResult } from '../stage/act.ts';
import { dispatched, pushed, released } from '../stage/events.ts';
import { commit } from '../stage/history.ts';
import { assertFailed, assertSucceeded, clientOf } from '../stage/results.ts';
import type { Stage } from '../stage/stage.ts';
import { type Attestations, createAttestations } from './attestations.ts';
import type { Scenario } from './scenario.ts';

const MOVE = '.github/workflows/move-major-tag.yml';
const CI = '.github/workflows/ci.yml';
const TRY = '.github/workflows/try-on-github.yml';

const tagSchema = v.object({ object: v.object({ sha: v.string() }) });

/** Commits and tags a version on the local GitHub. @returns The commit. */
async function tag(stage: Stage, name: string): Promise<string> {
  const sha = commit(stage, `dist/${name}.js`);
  const body = { ref: `refs/tags/${name}`, sha };
  const path = `/repos/${PRODUCT_REPOSITORY}/git/refs`;
  await clientOf('owner', stage).request('POST', path, v.unknown(), body);
  return sha;
}

/** Attests the files of `dist` in a commit, as release.yml does for a tag. */
async function attest(
  stage: Stage,
  attestations: Attestations,
  sha: string,
  name: string,
  isWanted: (path: string) => boolean = () => true,
): Promise<void> {
  const files = await clientOf('owner', stage).listFiles(PRODUCT_REPOSITORY, sha);
  for (const path of files.filter((file) => file.startsWith('dist/')).filter(isWanted)) {
    attestations.attest(`${path}\n`, {
      repo: PRODUCT_REPOSITORY,
      signerWorkflow: `${PRODUCT_REPOSITORY}/.github/workflows/release.yml`,
      sourceDigest: sha,
      sourceRef: `refs/tags/${name}`,
    });
  }
}

/** Publishes a release, and checks the result of the run. @returns The commit of the tag v1. */
async function publish(
  stage: Stage,
  { programs }: Attestations,
  name: string,
  check: (result: ActResult) => void,
): Promise<string> {
  const event = released(stage, name, 'maintainer');
  check(
    await stage.run({
      workflow: MOVE,
      eventName: 'release',
      event,
      actor: 'maintainer',
      programs,
    }),
  );
  const path = `/repos/${PRODUCT_REPOSITORY}/git/ref/tags/v1`;
  return (await clientOf('owner', stage).request('GET', path, tagSchema)).object.sha;
}

/** Commits a manifest to the product's main branch. */
async function writeManifest(stage: Stage, text: string, path = 'action.yml'): Promise<void> {
  const owner = clientOf('owner', stage);
  const old = await owner.readFile(PRODUCT_REPOSITORY, path, 'main').catch(() => undefined);
  const change = { text, message: `Change ${path}`, branch: 'main' };
  const replaced = old === undefined ? {} : { sha: old.sha };
  await owner.writeFile(PRODUCT_REPOSITORY, path, { ...change, ...replaced });
}

const manifest = (main: string, more = '') =>
  `name: Docs agent\n${more}inputs:\n  a:\n    default: x\n\nruns:\n  using: node24\n  main: ${main}\n`;
const goodManifest = manifest('dist/agent/index.js');

/** Manifests that run, or may run, something else than a file of dist. */
const badManifests = [
  manifest('src/agent/index.js'),
  manifest('/dist/agent/index.js'),
  manifest('dist/../src/index.js'),
  manifest('../dist/agent/index.js'),
  manifest('dist/missing/index.js'),
  manifest('dist/agent/index.js').replace('runs:', '"runs":'),
  manifest('dist/agent/index.js', 'runs:\n  using: composite\n  steps: []\n'),
  manifest('dist/agent/index.js', '---\n'),
  manifest('dist/agent/index.js').replace('  main', '  pre: setup.js\n  main'),
  goodManifest.replace(/runs:[\s\S]*/, 'runs:\n  using: composite\n  steps: []\n'),
  `${goodManifest}  post: src/after.js\n`,
];

async function runMoves(stage: Stage, attestations: Attestations): Promise<void> {
  commit(stage, 'dist/agent/index.js');
  await writeManifest(stage, goodManifest);
  await writeManifest(stage, manifest('../dist/agent/index.js'), 'check/action.yml');
  const release = async (name: string) => {
    const sha = await tag(stage, name);
    await attest(stage, attestations, sha, name);
    return sha;
  };
  const first = await release('v1.9.0');
  assert.equal(await publish(stage, attestations, 'v1.9.0', assertSucceeded), first);
  const second = await release('v1.10.0');
  assert.equal(await publish(stage, attestations, 'v1.10.0', assertSucceeded), second);
  await release('v1.9.1');
  assert.equal(
    await publish(stage, attestations, 'v1.9.1', assertSucceeded),
    second,
    'v1 moved to an older version',
  );

  const assertRefused = async (name: string, why: string) => {
    const before = attestations.refusals();
    assert.equal(await publish(stage, attestations, name, assertFailed), second, why);
    assert.ok(attestations.refusals() > before, `Nothing of ${name} was refused`);
  };
  await tag(stage, 'v1.11.0');
  await assertRefused('v1.11.0', 'v1 moved to a commit without attestations');
  const partly = await tag(stage, 'v1.12.0');
  await attest(stage, attestations, partly, 'v1.12.0', (path) => path !== 'dist/v1.12.0.js');
  await assertRefused('v1.12.0', 'v1 moved to a commit with a file that is not attested');
  const other = await tag(stage, 'v1.13.0');
  await attest(stage, attestations, other, 'v1.12.0');
  await assertRefused('v1.13.0', 'v1 moved to a commit that was attested for another tag');

  for (const [index, bad] of badManifests.entries()) {
    await writeManifest(stage, bad);
    const name = `v1.14.${index}`;
    await release(name);
    const moved = await publish(stage, attestations, name, assertFailed);
    assert.equal(moved, second, `v1 moved to a commit with the manifest\n${bad}`);
  }
  await writeManifest(stage, goodManifest);
  const last = await release('v1.15.0');
  assert.equal(await publish(stage, attestations, 'v1.15.0', assertSucceeded), last);
}

/** The major tag is created, only moves to attested commits, and never to an older version. */
export const moveMajorTag: Scenario = {
  workflows: [MOVE],
  shows: 'v1 only moves to attested commits whose manifests run dist, and never back.',
  async run(stage) {
    const folder = mkdtempSync(join(tmpdir(), 'attestations-'));
    try {
      await runMoves(stage, createAttestations(folder));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

/**
 * A folder with an `npm` that installs the packages of this checkout by a link, and whose programs stay
 * when a step of act ends, as they do on a runner.
 */
function createNpm(folder: string): string {
  const path = join(folder, 'npm');
  writeFileSync(
    path,
    `#!/bin/sh
PATH="\${PATH#'${folder}':}"
case $1 in
  ci) exec ln -s '${inRepository('node_modules')}' node_modules ;;
  *) exec setsid npm "$@" ;;
esac
`,
  );
  chmodSync(path, 0o755);
  return folder;
}

/** What a workflow uses to install Node, which is here already. */
function setupNodeIn(workflow: string): readonly string[] {
  return readFileSync(inRepository(workflow), 'utf8').match(/actions\/setup-node@\w+/g) ?? [];
}

/** Runs both actions with `uses: ./`. The jobs on other systems and in a container cannot run here. */
export const ci: Scenario = {
  workflows: [CI],
  shows: 'Two actions run with uses: ./ against the sandbox.',
  async run(stage) {
    const folder = mkdtempSync(join(tmpdir(), 'npm-'));
    try {
      assertSucceeded(
        await stage.run({
          workflow: CI,
          checkout: repositoryFolder,
          job: { name: 'action', matrix: { os: 'ubuntu-latest', container: '' } },
          eventName: 'push',
          event: pushed(stage, '0'.repeat(40), '1'.repeat(40), 'writer'),
          actor: 'writer',
          thirdParty: setupNodeIn(CI),
          programs: createNpm(folder),
        }),
      );
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

/** The smoke test of any fork, with the local GitHub as GitHub. */
export const tryOnGitHub: Scenario = {
  workflows: [TRY],
  shows:
    'The smoke test opens a pull request in sandbox/docs, continues and checks it, and cleans up.',
  async run(stage) {
    const folder = mkdtempSync(join(tmpdir(), 'npm-'));
    const owner = clientOf('owner', stage);
    try {
      for (const path of globSync('sandbox/docs/**/*.*', { cwd: repositoryFolder })) {
        const text = readFileSync(inRepository(path), 'utf8');
        const change = { text, message: `Add ${path}`, branch: 'main' };
        await owner.writeFile(PRODUCT_REPOSITORY, path, change);
      }
      const result = await stage.run({
        workflow: TRY,
        checkout: repositoryFolder,
        eventName: 'workflow_dispatch',
        event: dispatched({}),
        actor: 'owner',
        thirdParty: setupNodeIn(TRY),
        programs: createNpm(folder),
      });
      assertSucceeded(result);
      assert.equal(result.log.match(/- ✅ /g)?.length, 12, result.log);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    const path = `/repos/${PRODUCT_REPOSITORY}/pulls?state=all`;
    const [pull, ...others] = await owner.request('GET', path, v.array(pullSchema));
    assert.deepEqual(others, []);
    assert.equal(pull?.state, 'closed');
    assert.equal(await owner.branchHead(PRODUCT_REPOSITORY, pull.head.ref), undefined);
  },
};
