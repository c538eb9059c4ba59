import * as v from 'valibot';

/** GitHub responded with an error. */
export class GitHubError extends Error {
  readonly status: number;

  constructor(request: string, status: number, body: string) {
    super(`${request} failed with ${status}: ${body.slice(0, 300)}`);
    this.name = 'GitHubError';
    this.status = status;
  }
}

/** The fields of a pull request that the sandbox reads. */
export const pullSchema = v.object({
  number: v.number(),
  html_url: v.string(),
  title: v.string(),
  state: v.string(),
  head: v.object({ ref: v.string(), sha: v.string() }),
  base: v.object({ ref: v.string(), sha: v.string() }),
});

const changedFile = v.object({
  filename: v.string(),
  previous_filename: v.optional(v.string()),
  status: v.string(),
  sha: v.string(),
  additions: v.number(),
  deletions: v.number(),
  patch: v.optional(v.string()),
});

const comparison = v.object({ files: v.array(changedFile), total_commits: v.number() });
const reference = v.object({ object: v.object({ sha: v.string() }) });
const tree = v.object({ tree: v.array(v.object({ path: v.string(), type: v.string() })) });
const file = v.object({ content: v.string(), sha: v.string() });
const merge = v.object({ sha: v.string(), merged: v.literal(true) });
const comment = v.object({ body: v.string(), user: v.object({ login: v.string() }) });

export type Pull = v.InferOutput<typeof pullSchema>;
export type ChangedFile = v.InferOutput<typeof changedFile>;
type Comparison = v.InferOutput<typeof comparison>;
export type Comment = v.InferOutput<typeof comment>;

interface PageFile {
  readonly text: string;
  readonly sha: string;
}

/** A client of the parts of GitHub's REST API that the sandbox needs. Repositories are `owner/name`. */
export type GitHubClient = ReturnType<typeof githubClient>;

/**
 * @param url Base URL of the API.
 * @param token Its owner is the author of everything that is written.
 */
export function githubClient(url: string, token: string) {
  /** @throws {GitHubError} For any status that is not a success. */
  async function request<T>(
    method: string,
    path: string,
    schema: v.GenericSchema<unknown, T>,
    body?: unknown,
  ): Promise<T> {
    const response = await fetch(url + path, {
      method,
      headers: { Authorization: `Bearer ${token}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) {
      throw new GitHubError(`${method} ${path}`, response.status, text);
    }
    return v.parse(schema, text === '' ? undefined : JSON.parse(text));
  }

  return {
    request,

    /** The commit that a branch points at; undefined if there is no such branch. */
    async branchHead(repository: string, branch: string): Promise<string | undefined> {
      try {
        const path = `/repos/${repository}/git/ref/heads/${branch}`;
        return (await request('GET', path, reference)).object.sha;
      } catch (error) {
        if (error instanceof GitHubError && error.status === 404) {
          return undefined;
        }
        throw error;
      }
    },

    async createBranch(repository: string, branch: string, sha: string): Promise<void> {
      const body = { ref: `refs/heads/${branch}`, sha };
      await request('POST', `/repos/${repository}/git/refs`, v.unknown(), body);
    },

    /** The paths of all files in a commit. */
    async listFiles(repository: string, sha: string): Promise<string[]> {
      const path = `/repos/${repository}/git/trees/${sha}?recursive=1`;
      const { tree: entries } = await request('GET', path, tree);
      return entries.filter(({ type }) => type === 'blob').map((entry) => entry.path);
    },

    async readFile(repository: string, path: string, ref: string): Promise<PageFile> {
      const query = `ref=${encodeURIComponent(ref)}`;
      const { content, sha } = await request('GET', `${contents(repository, path)}?${query}`, file);
      return { text: Buffer.from(content, 'base64').toString('utf8'), sha };
    },

    /** Commits one file. `sha` is the blob that it replaces, if any. */
    async writeFile(
      repository: string,
      path: string,
      change: { text: string; message: string; branch: string; sha?: string },
    ): Promise<void> {
      const { text, ...rest } = change;
      const body = { content: Buffer.from(text).toString('base64'), ...rest };
      await request('PUT', contents(repository, path), v.unknown(), body);
    },

    async findOpenPull(repository: string, branch: string): Promise<Pull | undefined> {
      const head = encodeURIComponent(`${repository.split('/')[0]}:${branch}`);
      const path = `/repos/${repository}/pulls?state=open&head=${head}`;
      return (await request('GET', path, v.array(pullSchema)))[0];
    },

    openPull(
      repository: string,
      opening: { title: string; body: string; head: string; base: string },
    ): Promise<Pull> {
      return request('POST', `/repos/${repository}/pulls`, pullSchema, opening);
    },

    getPull(repository: string, number: number): Promise<Pull> {
      return request('GET', `/repos/${repository}/pulls/${number}`, pullSchema);
    },

    /** The changes of `head` since it branched off `base`. */
    compare(repository: string, base: string, head: string): Promise<Comparison> {
      return request('GET', `/repos/${repository}/compare/${base}...${head}`, comparison);
    },

    /** @returns The merge commit. */
    async mergePull(repository: string, number: number): Promise<string> {
      const path = `/repos/${repository}/pulls/${number}/merge`;
      return (await request('PUT', path, merge, {})).sha;
    },

    listComments(repository: string, issue: number): Promise<Comment[]> {
      return request('GET', `/repos/${repository}/issues/${issue}/comments`, v.array(comment));
    },
  };
}

function contents(repository: string, path: string): string {
  return `/repos/${repository}/contents/${path.split('/').map(encodeURIComponent).join('/')}`;
}
