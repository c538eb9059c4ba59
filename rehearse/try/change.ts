import { folderStore } from '../../sandbox/github/git/folder-store.ts';
import type { Identity } from '../../sandbox/github/route.ts';
import { DOCS_REPOSITORY } from '../../sandbox/github/seed.ts';
import { type StandIn, startStandIn } from '../../sandbox/github/stand-in/stand-in.ts';
import { bot, docsPullChanged } from '../stage/events.ts';
import { plainGit } from '../stage/repository.ts';
import type { StageOptions } from '../stage/stage.ts';
import type { TriedEvent } from './event.ts';
import type { Thread } from './report.ts';
import type { Workflow } from './workflow.ts';

const author = bot('docs-agent[bot]');

/** A GitHub on which a change of the user's own docs is a pull request of the agent. */
export interface Change extends AsyncDisposable {
  readonly github: NonNullable<StageOptions['github']>;
  /** @throws Error when the workflow has no event about pull requests */
  eventFor(workflow: Workflow): Promise<TriedEvent>;
  /** The pull request as it is now. */
  thread(): Thread;
}

/**
 * Takes what the checked-out commit of a git folder has beyond its main branch as a pull request; on
 * the main branch itself, the last commit. Nothing in the folder is changed.
 *
 * @throws Error when the folder is not a git checkout
 */
export async function openChange(folder: string): Promise<Change> {
  const { base, head, title } = readRange(folder);
  const store = folderStore(folder);
  const identities = new Map<string, Identity>();
  const standIn = await startStandIn({
    repositories: [{ name: DOCS_REPOSITORY, store, pulls: [{ number: 1, base, head, title }] }],
    identities,
  });
  return {
    github: {
      url: standIn.url,
      async workflowToken(access) {
        const token = `workflow-token-${identities.size + 1}`;
        identities.set(token, { login: 'github-actions[bot]', isApp: true, access });
        return token;
      },
    },
    async eventFor({ events }) {
      const event = events.find(({ name }) => /^pull_request(?:_target)?$/.test(name));
      if (event === undefined) {
        throw new Error('it has no event about pull requests, and --change is one');
      }
      const response = await fetch(`${standIn.url}/repos/${DOCS_REPOSITORY}/pulls/1`);
      const pull: object = Object(await response.json());
      return {
        name: event.name,
        payload: docsPullChanged('opened', { ...pull, number: 1 }, author),
        actor: author.login,
        description: `${author.login} opens a pull request with ${head.slice(0, 7)}, ${title}`,
      };
    },
    thread: () => threadOf(standIn, title),
    async [Symbol.asyncDispose]() {
      await standIn.close();
      await store.close();
    },
  };
}

function threadOf({ comments, labels }: StandIn, title: string): Thread {
  const name = `${DOCS_REPOSITORY}#1`;
  const shown = comments.map(({ login, body }) => ({ user: { login }, body }));
  return { name, title, state: 'open', labels: labels.get(name) ?? [], comments: shown };
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
