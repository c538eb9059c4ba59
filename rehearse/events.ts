import * as v from 'valibot';
import type { GitHubClient } from '../sandbox/github/client.ts';
import { PRODUCT_REPOSITORY } from '../sandbox/github/seed.ts';

/** Somebody who triggers an event. */
export interface Sender {
  readonly login: string;
  readonly type: 'User' | 'Bot';
}

const issueSchema = v.looseObject({
  number: v.number(),
  title: v.string(),
  labels: v.array(v.looseObject({ name: v.string() })),
});

const commentSchema = v.looseObject({ id: v.number(), body: v.string() });

/** A label was set on an issue of the product. */
export async function issueLabeled(
  github: GitHubClient,
  issue: number,
  label: string,
  login: string,
) {
  const path = `/repos/${PRODUCT_REPOSITORY}/issues/${issue}`;
  const found = await github.request('GET', path, issueSchema);
  const labels = found.labels.filter(({ name }) => name !== label);
  return {
    action: 'labeled',
    issue: { ...found, labels: [...labels, { name: label }] },
    label: { name: label },
    ...common(person(login)),
  };
}

/** Somebody commented on an issue of the product. */
export async function issueCommented(
  github: GitHubClient,
  issue: number,
  text: string,
  login: string,
) {
  const path = `/repos/${PRODUCT_REPOSITORY}/issues/${issue}`;
  const comment = await github.request('POST', `${path}/comments`, commentSchema, { body: text });
  const found = await github.request('GET', path, issueSchema);
  return { action: 'created', issue: found, comment, ...common(person(login)) };
}

/** A version was published. */
export function released(tag: string, login: string) {
  return {
    action: 'published',
    release: { tag_name: tag, body: 'Notes', author: person(login) },
    ...common(person(login)),
  };
}

/** Commits arrived on the main branch. */
export function pushed(before: string, after: string, sender: Sender) {
  return { ref: 'refs/heads/main', before, after, deleted: false, ...common(sender) };
}

/** Somebody started the workflow by hand. */
export function dispatched(inputs: Readonly<Record<string, string>>, login: string) {
  return { ref: 'refs/heads/main', inputs, ...common(person(login)) };
}

/** A pull request was opened. */
export function pullRequestOpened(pull: Readonly<Record<string, unknown>>, sender: Sender) {
  return { action: 'opened', pull_request: pull, ...common(sender) };
}

/** A cron line was due. */
export function scheduled() {
  return { schedule: '17 5 * * 1', repository: repositoryFacts };
}

export function person(login: string): Sender {
  return { login, type: 'User' };
}

export function bot(login: string): Sender {
  return { login, type: 'Bot' };
}

const repositoryFacts = {
  name: 'product',
  full_name: PRODUCT_REPOSITORY,
  owner: { login: 'acme' },
  default_branch: 'main',
};

/** What every event of a person's has. */
export function byHand(login: string) {
  return common(person(login));
}

function common(sender: Sender) {
  return { repository: repositoryFacts, sender };
}
