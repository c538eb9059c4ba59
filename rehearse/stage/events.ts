import { DOCS_REPOSITORY, PRODUCT_REPOSITORY } from '../../sandbox/github/seed.ts';
import {
  addComment,
  addLabels,
  addRelease,
  labelOf,
  pullOf,
  repositoryOf,
  threadOf,
} from '../../sandbox/github/state.ts';
import type { Stage } from './stage.ts';

/** Sets a label on an issue, by default of the product, and returns the event. */
export function issueLabeled(
  { sandbox: { github } }: Stage,
  issue: number,
  label: string,
  repository: string = PRODUCT_REPOSITORY,
) {
  const thread = threadOf(github, repository, issue);
  addLabels(github, thread, [label]);
  const set = labelOf(github, repository, label);
  return {
    action: 'labeled',
    issue: github.show.issue(thread),
    label: set && github.show.label(set),
  };
}

/** Comments on an issue or a pull request, by default of the product, and returns the event. */
export function issueCommented(
  { sandbox: { github } }: Stage,
  issue: number,
  text: string,
  login: string,
  repository: string = PRODUCT_REPOSITORY,
) {
  const thread = threadOf(github, repository, issue);
  const comment = addComment(github, thread, login, text);
  return {
    action: 'created',
    issue: github.show.issue(thread),
    comment: github.show.comment(comment),
  };
}

/** Publishes a release of the newest commit, by default of the product, and returns the event. */
export function released(
  { sandbox: { github } }: Stage,
  tag: string,
  login: string,
  repository: string = PRODUCT_REPOSITORY,
) {
  const release = addRelease(github, repositoryOf(github, repository), {
    ...{ login, tag, name: `Acme ${tag}`, target: 'main' },
    body: '- `acme build --watch` rebuilds on every change.\n- `acme deploy` works on Windows.',
  });
  return { action: 'published', release: github.show.release(release) };
}

/** The event: a commit was pushed to the main branch, by default of the product. */
export function pushed(
  { sandbox: { github } }: Stage,
  before: string,
  after: string,
  login: string,
  repository: string = PRODUCT_REPOSITORY,
) {
  const { git } = repositoryOf(github, repository);
  const found = git.find(after);
  const range = [before, after].map((sha) => sha.slice(0, 12)).join('...');
  const names = (status: string) =>
    git
      .diff(found?.parents[0] ?? after, after)
      .filter((file) => file.status === status)
      .map(({ filename }) => filename);
  const commit = found && {
    ...{ id: found.sha, tree_id: found.treeSha, distinct: true, message: found.message },
    timestamp: found.author.date,
    url: `${github.url}/${repository}/commit/${found.sha}`,
    author: { ...found.author, username: found.author.name },
    committer: { ...found.committer, username: found.committer.name },
    ...{ added: names('added'), removed: names('removed'), modified: names('modified') },
  };
  return {
    ...{ ref: 'refs/heads/main', base_ref: null, before, after },
    ...{ created: false, deleted: false, forced: false },
    compare: `${github.url}/${repository}/compare/${range}`,
    commits: commit === undefined ? [] : [commit],
    head_commit: commit ?? null,
    pusher: { name: login, email: `${login}@example.com` },
  };
}

/** The event: a person started the workflow by hand. */
export function dispatched(inputs: Readonly<Record<string, string>>) {
  return { ref: 'refs/heads/main', inputs };
}

/** The event: something happened to a pull request, by default of the docs. */
export function pullChanged(
  { sandbox: { github } }: Stage,
  action: string,
  number: number,
  repository: string = DOCS_REPOSITORY,
) {
  const pull = github.show.pullDetails(pullOf(github, repository, number));
  return { action, number, pull_request: pull };
}

/** The event: the schedule's time has come. */
export const scheduled = { schedule: '17 5 * * 1' };
