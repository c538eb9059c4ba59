import assert from 'node:assert/strict';
import * as v from 'valibot';
import { type GitHubClient, githubClient } from '../../sandbox/github/client.ts';
import {
  DOCS_REPOSITORY,
  type Person,
  PRODUCT_REPOSITORY,
  tokenOf,
} from '../../sandbox/github/seed.ts';
import { isPull } from '../../sandbox/github/state.ts';
import type { ActResult } from './act.ts';
import type { Stage } from './stage.ts';

const promptSchema = v.object({ prompt: v.string() });

/** A client of the local GitHub that uses the token of a person. */
export function clientOf(login: Person, { sandbox }: Stage): GitHubClient {
  return githubClient(sandbox.github.url, tokenOf(login));
}

/** A client of the local GitHub that uses the token of the docs agent. */
export function agentClientOf({ sandbox }: Stage): GitHubClient {
  return githubClient(sandbox.github.url, sandbox.github.tokens.docsAgent);
}

/** The prompts of all jobs that were started, oldest first. */
export function promptsOf({ sandbox }: Stage): string[] {
  return sandbox.requests
    .filter(
      ({ method, path, status }) => `${method} ${status}` === 'POST 201' && path.endsWith('/job'),
    )
    .map(({ body }) => v.parse(promptSchema, body).prompt);
}

/** The follow-ups that were sent to jobs, oldest first. */
export function followUpsOf({ sandbox }: Stage): string[] {
  return sandbox.requests
    .filter(
      ({ method, path, status }) =>
        `${method} ${status}` === 'POST 200' && path.endsWith('/message'),
    )
    .map(({ body }) => v.parse(promptSchema, body).prompt);
}

/** How often jobs were polled. */
export function pollCountOf({ sandbox }: Stage): number {
  return sandbox.requests.filter(({ method, path }) => method === 'GET' && path.includes('/job/'))
    .length;
}

/** The pull requests of the docs repository, oldest first, as GitHub's API shows them now. */
export function pullsOf({ sandbox: { github } }: Stage) {
  return github.threads
    .filter(isPull)
    .filter(({ repository }) => repository === DOCS_REPOSITORY)
    .map(github.show.pullDetails);
}

/** The only pull request of the docs repository. @throws When there is none, or more than one. */
export function onlyPullOf(stage: Stage) {
  const [pull, ...others] = pullsOf(stage);
  assert.ok(pull !== undefined && others.length === 0, 'There should be exactly one pull request');
  return pull;
}

/** The comments on an issue or a pull request, by default of the product. */
export function commentsOn(
  issue: number,
  { sandbox: { github } }: Stage,
  repository: string = PRODUCT_REPOSITORY,
) {
  return github.comments.filter(
    ({ number, repository: name }) => number === issue && name === repository,
  );
}

export function assertSucceeded({ exitCode, log }: ActResult): void {
  assert.equal(exitCode, 0, `The workflow failed:\n${log}`);
}

export function assertFailed({ exitCode, log }: ActResult): void {
  assert.notEqual(exitCode, 0, `The workflow succeeded:\n${log}`);
}
