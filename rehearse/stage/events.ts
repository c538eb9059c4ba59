import * as v from 'valibot';
import type { GitHubClient } from '../../sandbox/github/client.ts';
import { DOCS_REPOSITORY, PRODUCT_REPOSITORY } from '../../sandbox/github/seed.ts';

/** The person or bot that triggers an event. */
export interface Sender {
  readonly login: string;
  readonly type: 'User' | 'Bot';
}

const issueSchema = v.looseObject({
  number: v.number(),
  labels: v.array(v.looseObject({ name: v.string() })),
});

const commentSchema = v.looseObject({ id: v.number(), body: v.string() });

/** Sets a label on an issue, by default of the product, and returns the event. */
export async function issueLabeled(
  github: GitHubClient,
  issue: number,
  label: string,
  login: string,
  repository = PRODUCT_REPOSITORY,
) {
  const path = `/repos/${repository}/issues/${issue}`;
  await github.request('POST', `${path}/labels`, v.unknown(), { labels: [label] });
  const found = await github.request('GET', path, issueSchema);
  return {
    action: 'labeled',
    issue: found,
    label: found.labels.find(({ name }) => name === label),
    ...common(person(login), repository),
  };
}

/** Comments on an issue or a pull request, by default of the product, and returns the event. */
export async function issueCommented(
  github: GitHubClient,
  issue: number,
  text: string,
  login: string,
  repository = PRODUCT_REPOSITORY,
) {
  const path = `/repos/${repository}/issues/${issue}`;
  const comment = await github.request('POST', `${path}/comments`, commentSchema, { body: text });
  const found = await github.request('GET', path, issueSchema);
  return { action: 'created', issue: found, comment, ...common(person(login), repository) };
}

/** The event: a release was published. */
export function released(tag: string, login: string) {
  return {
    action: 'published',
    release: { tag_name: tag, body: 'Notes', author: person(login) },
    ...common(person(login)),
  };
}

/** The event: commits were pushed to the main branch. */
export function pushed(before: string, after: string, sender: Sender) {
  return { ref: 'refs/heads/main', before, after, deleted: false, ...common(sender) };
}

/** The event: a person started the workflow by hand, by default in the product. */
export function dispatched(
  inputs: Readonly<Record<string, string>>,
  login: string,
  repository = PRODUCT_REPOSITORY,
) {
  return { ref: 'refs/heads/main', inputs, ...common(person(login), repository) };
}

/** The event: a pull request was opened. */
export function pullRequestOpened(pull: Readonly<Record<string, unknown>>, sender: Sender) {
  return { action: 'opened', pull_request: pull, ...common(sender) };
}

/** The event: a pull request of the docs was opened, pushed to, or a label was taken off. */
export function docsPullChanged(
  action: 'opened' | 'synchronize' | 'unlabeled',
  pull: Readonly<Record<string, unknown>> & { readonly number: number },
  sender: Sender,
) {
  return {
    action,
    number: pull.number,
    pull_request: pull,
    ...common(sender, DOCS_REPOSITORY),
  };
}

/** The event: the schedule's time has come, by default in the product. */
export function scheduled(repository = PRODUCT_REPOSITORY) {
  return { schedule: '17 5 * * 1', repository: repositoryOf(repository) };
}

export function person(login: string): Sender {
  return { login, type: 'User' };
}

export function bot(login: string): Sender {
  return { login, type: 'Bot' };
}

/** @param fullName `owner/name` */
function repositoryOf(fullName: string) {
  const [login = '', name = ''] = fullName.split('/');
  return { name, full_name: fullName, owner: { login }, default_branch: 'main' };
}

/** The fields that every event of a person or a bot has. */
export function common(sender: Sender, repository = PRODUCT_REPOSITORY) {
  return { repository: repositoryOf(repository), sender };
}
