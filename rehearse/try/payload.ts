import * as v from 'valibot';
import type { Person } from '../../sandbox/github/seed.ts';
import { clientOf } from '../stage/results.ts';
import type { Stage } from '../stage/stage.ts';
import { userOf } from '../stage/user.ts';
import type { RunOptions } from './options.ts';

/** What an event carries. */
export type Payload = Readonly<Record<string, unknown>>;

const text = v.string();

const botSchema = v.object({ type: v.literal('Bot') });

/**
 * Adds what GitHub sends with every event of a repository that an organization owns. Only a schedule
 * has no sender.
 */
export async function complete(
  payload: Payload,
  { login, repository }: Pick<RunOptions, 'login' | 'repository'>,
  stage: Stage,
): Promise<Payload> {
  const owner = clientOf('owner', stage);
  const path = `/repos/${repository}`;
  const { sender } = payload;
  const isBot = v.is(botSchema, sender);
  return {
    ...payload,
    repository: await owner.request('GET', path, v.looseObject({})),
    organization: await owner.request('GET', `/orgs/${repository.split('/')[0]}`, v.unknown()),
    ...(sender === undefined || isBot ? {} : { sender: await userOf(login, stage) }),
  };
}

/** Publishes a release of the newest commit on the local GitHub. */
export async function createRelease(
  tag: string,
  login: Person,
  repository: string,
  stage: Stage,
): Promise<Payload> {
  const path = `/repos/${repository}`;
  const content = {
    tag_name: tag,
    name: `Acme ${tag}`,
    body: '- `acme build --watch` rebuilds on every change.\n- `acme deploy` works on Windows.',
    target_commitish: 'main',
  };
  // A stranger is played here, too, whom GitHub would not let publish anything.
  const owner = clientOf('owner', stage);
  const created = await owner.request('POST', `${path}/releases`, v.looseObject({}), content);
  return { ...created, author: await userOf(login, stage) };
}

const personSchema = v.object({ name: text, email: text, date: text });
const commitSchema = v.object({
  sha: text,
  html_url: text,
  commit: v.object({
    message: text,
    tree: v.object({ sha: text }),
    author: personSchema,
    committer: personSchema,
  }),
  author: v.object({ login: text }),
  committer: v.object({ login: text }),
  files: v.array(v.object({ filename: text, status: text })),
});

/** What a push of one commit has, beside its `ref`. */
export async function pushOf(
  before: string,
  after: string,
  login: Person,
  repository: string,
  stage: Stage,
) {
  const path = `/repos/${repository}/commits/${after}`;
  const head = await clientOf('owner', stage).request('GET', path, commitSchema);
  const { commit, files } = head;
  const filesWith = (status: string) =>
    files.filter((file) => file.status === status).map(({ filename }) => filename);
  const pushed = {
    id: head.sha,
    tree_id: commit.tree.sha,
    distinct: true,
    message: commit.message,
    timestamp: commit.author.date,
    url: head.html_url,
    author: { ...commit.author, username: head.author.login },
    committer: { ...commit.committer, username: head.committer.login },
    added: filesWith('added'),
    removed: filesWith('removed'),
    modified: filesWith('modified'),
  };
  const range = [before, after].map((sha) => sha.slice(0, 12)).join('...');
  return {
    created: false,
    forced: false,
    base_ref: null,
    compare: `${stage.sandbox.github.url}/${repository}/compare/${range}`,
    commits: [pushed],
    head_commit: pushed,
    pusher: { name: login, email: `${login}@example.com` },
  };
}
