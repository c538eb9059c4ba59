import { complete } from '../../sandbox/github/event.ts';
import { createRepository, type GitRepository, plainGit } from '../../sandbox/github/git.ts';
import { DOCS_REPOSITORY } from '../../sandbox/github/seed.ts';
import { pullChanged } from '../stage/events.ts';
import { agentClientOf } from '../stage/results.ts';
import type { Stage } from '../stage/stage.ts';
import type { TriedEvent } from './event.ts';
import type { Workflow } from './workflow.ts';

const author = 'docs-agent[bot]';
const branch = 'change';

/** A change of the user's own docs, as a branch of a repository on the local GitHub. */
export interface Change {
  readonly docs: GitRepository;
  /** Such as `1a2b3c4, Shorten the docs`. */
  readonly name: string;
  readonly title: string;
  /** Says that files of the folder are not committed, and so are not in the change. */
  readonly warnings: readonly string[];
}

/**
 * Takes what the checked-out commit of a git folder has beyond its main branch, as far as that is pushed, as
 * a change; if there is nothing, the last commit. Nothing in the folder is changed.
 *
 * @throws Error when the folder is not a git checkout
 */
export function readChange(folder: string): Change {
  const { base, head, title } = readRange(folder);
  const docs = createRepository(folder);
  docs.setRef('refs/heads/main', base);
  docs.setRef(`refs/heads/${branch}`, head);
  return { docs, title, name: `${head.slice(0, 7)}, ${title}`, warnings: uncommittedIn(folder) };
}

function uncommittedIn(folder: string): readonly string[] {
  // Without this option, git writes its index.
  const listed = plainGit(folder, '--no-optional-locks', 'status', '--porcelain', '-z');
  const [first = ''] = listed.split('\0');
  return first === ''
    ? []
    : [
        `What is not committed is left out, such as ${first.slice(3)}: commit what the check should see`,
      ];
}

/**
 * Opens the change's pull request, as the agent does.
 *
 * @throws Error when the workflow has no event about pull requests
 */
export async function openChange(
  { title, name }: Change,
  { events }: Workflow,
  stage: Stage,
): Promise<TriedEvent> {
  const event = events.find((each) => /^pull_request(?:_target)?$/.test(each.name));
  if (event === undefined) {
    throw new Error('it has no event about pull requests, and --change is one');
  }
  const agent = agentClientOf(stage);
  const { number } =
    (await agent.findOpenPull(DOCS_REPOSITORY, branch)) ??
    (await agent.openPull(DOCS_REPOSITORY, { title, body: '', head: branch, base: 'main' }));
  return {
    name: event.name,
    payload: complete(pullChanged(stage, 'opened', number), stage.sandbox.github, {
      login: author,
      repository: DOCS_REPOSITORY,
    }),
    actor: author,
    description: `${author} opens a pull request with ${name}`,
  };
}

function readRange(folder: string) {
  const git = (...args: readonly string[]) => plainGit(folder, ...args).trim();
  const find = (...args: readonly string[]) => {
    try {
      return git(...args);
    } catch {
      return undefined;
    }
  };
  const head = find('rev-parse', '--verify', '--quiet', 'HEAD');
  if (head === undefined) {
    throw new Error(`--change is "${folder}": give the folder of a git checkout of your docs`);
  }
  const main = ['origin/HEAD', 'origin/main', 'main', 'origin/master', 'master']
    .map((name) => find('rev-parse', '--verify', '--quiet', `${name}^{commit}`))
    .find((sha) => sha !== undefined);
  const fork = main === undefined ? undefined : find('merge-base', main, head);
  const base = fork === undefined || fork === head ? find('rev-parse', `${head}^`) : fork;
  if (base === undefined) {
    throw new Error(`--change is "${folder}", which has only one commit: commit a change to try`);
  }
  return { base, head, title: git('log', '-1', '--format=%s', head) };
}
