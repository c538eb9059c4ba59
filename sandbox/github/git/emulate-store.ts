import * as v from 'valibot';
import { type GitHubClient, GitHubError } from '../client.ts';
import type { GitEntry, GitObjectName, GitStore } from './store.ts';

const treeSchema = v.object({
  sha: v.string(),
  tree: v.array(
    v.object({
      path: v.string(),
      mode: v.picklist(['100644', '100755', '120000', '160000', '040000']),
      sha: v.string(),
      size: v.optional(v.number()),
    }),
  ),
});

const person = v.object({ name: v.string(), email: v.string(), date: v.string() });

const commitSchema = v.object({
  sha: v.string(),
  tree: v.object({ sha: v.string() }),
  parents: v.array(v.object({ sha: v.string() })),
  message: v.string(),
  author: person,
  committer: person,
});

const blobSchema = v.object({ content: v.string() });
const listSchema = v.array(v.object({ sha: v.string() }));
const comparisonSchema = v.object({
  merge_base_commit: v.object({ sha: v.string() }),
  commits: listSchema,
  files: v.array(v.object({ additions: v.number(), deletions: v.number() })),
});

/**
 * Reads a repository of emulate by its REST API, since emulate has no GraphQL.
 * @param repository `owner/name`
 */
export function emulateStore(client: GitHubClient, repository: string): GitStore {
  async function get<T>(path: string, schema: v.GenericSchema<unknown, T>): Promise<T | undefined> {
    try {
      return await client.request('GET', `/repos/${repository}${path}`, schema);
    } catch (error) {
      // 422 for what is no SHA.
      if (error instanceof GitHubError && [404, 422].includes(error.status)) {
        return undefined;
      }
      throw error;
    }
  }
  const compare = (base: string, head: string) =>
    get(`/compare/${base}...${head}`, comparisonSchema);

  const store: GitStore = {
    async resolve(revision) {
      const [name = '', ...rest] = revision.split(':');
      const isSha = /^[0-9a-f]{40}$/.test(name);
      const sha = (isSha ? undefined : await client.branchHead(repository, name)) ?? name;
      return rest.length === 0 ? nameOf(sha, store) : findPath(sha, rest.join(':'), store);
    },
    async commit(sha) {
      const found = await get(`/git/commits/${sha}`, commitSchema);
      return (
        found && {
          sha: found.sha,
          treeSha: found.tree.sha,
          parents: found.parents.map((parent) => parent.sha),
          message: found.message,
          author: found.author,
          authoredAt: found.author.date,
          committedAt: found.committer.date,
        }
      );
    },
    async tree(sha) {
      const found = await get(`/git/trees/${sha}?recursive=1`, treeSchema);
      return found?.tree.map(
        ({ size, ...entry }): GitEntry => (size === undefined ? entry : { ...entry, bytes: size }),
      );
    },
    async blob(sha) {
      const found = await get(`/git/blobs/${sha}`, blobSchema);
      return found && Buffer.from(found.content, 'base64');
    },
    mergeBase: async (one, other) => (await compare(one, other))?.merge_base_commit.sha,
    commitsBetween: async (base, head) =>
      (await compare(base, head))?.commits.map(({ sha }) => sha) ?? [],
    async diffStat(base, head) {
      const files = (await compare(base, head))?.files ?? [];
      return {
        files: files.length,
        additions: files.reduce((sum, { additions }) => sum + additions, 0),
        deletions: files.reduce((sum, { deletions }) => sum + deletions, 0),
      };
    },
    close: async () => {},
  };
  return store;
}

async function nameOf(sha: string, store: GitStore): Promise<GitObjectName | undefined> {
  if ((await store.blob(sha)) !== undefined) {
    return { type: 'blob', sha };
  }
  if ((await store.commit(sha)) !== undefined) {
    return { type: 'commit', sha };
  }
  return (await store.tree(sha)) === undefined ? undefined : { type: 'tree', sha };
}

async function findPath(
  sha: string,
  path: string,
  store: GitStore,
): Promise<GitObjectName | undefined> {
  const entry = (await store.tree(sha))?.find((each) => each.path === path);
  return entry && { type: entry.mode === '040000' ? 'tree' : 'blob', sha: entry.sha };
}
