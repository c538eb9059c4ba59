import assert from 'node:assert/strict';
import * as v from 'valibot';
import { type Comment, type GitHubClient, githubClient } from '../../sandbox/github/client.ts';
import {
  DOCS_REPOSITORY,
  type Person,
  PRODUCT_REPOSITORY,
  tokenOf,
} from '../../sandbox/github/seed.ts';
import type { ActResult } from './act.ts';
import type { Stage } from './stage.ts';

const promptSchema = v.object({ prompt: v.string() });

const pullSchema = v.looseObject({
  number: v.number(),
  html_url: v.string(),
  title: v.string(),
  merged: v.optional(v.boolean(), false),
  user: v.object({ login: v.string() }),
  head: v.looseObject({ ref: v.string(), sha: v.string() }),
  labels: v.optional(v.array(v.object({ name: v.string() })), []),
  requested_reviewers: v.optional(v.array(v.object({ login: v.string() })), []),
});

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

/** The pull requests of the docs repository, oldest first. */
export async function pullsOf(stage: Stage) {
  const path = `/repos/${DOCS_REPOSITORY}/pulls`;
  const listed = v.array(v.looseObject({ number: v.number() }));
  const pulls = await clientOf('owner', stage).request('GET', `${path}?state=all`, listed);
  const read = ({ number }: { number: number }) =>
    clientOf('owner', stage).request('GET', `${path}/${number}`, pullSchema);
  return await Promise.all(pulls.toSorted((a, b) => a.number - b.number).map(read));
}

/** The only pull request of the docs repository. @throws When there is none, or more than one. */
export async function onlyPullOf(stage: Stage) {
  const [pull, ...others] = await pullsOf(stage);
  assert.ok(pull !== undefined && others.length === 0, 'There should be exactly one pull request');
  return pull;
}

/** The comments on an issue or a pull request, by default of the product. */
export function commentsOn(
  issue: number,
  stage: Stage,
  repository = PRODUCT_REPOSITORY,
): Promise<Comment[]> {
  return clientOf('owner', stage).listComments(repository, issue);
}

export function assertSucceeded({ exitCode, log }: ActResult): void {
  assert.equal(exitCode, 0, `The workflow failed:\n${log}`);
}

export function assertFailed({ exitCode, log }: ActResult): void {
  assert.notEqual(exitCode, 0, `The workflow succeeded:\n${log}`);
}
