import * as v from 'valibot';
import type { ChangedFile, GitHubClient, Pull } from './client.ts';
import type { PullDiff } from './pull-diff.ts';

const commitSchema = v.object({ sha: v.string(), tree: v.object({ sha: v.string() }) });
const treeSchema = v.object({ sha: v.string() });

/**
 * Creates the commit that merges a pull request: the current base branch, with the files that the pull
 * request changed. The base branch does not move until `publish` is called.
 *
 * @param client A client with the token of the person who merges. It gets 403 without write access.
 * @param options Fields of the request's body.
 */
export async function buildMerge(
  client: GitHubClient,
  repository: string,
  { number, head, base }: Pull,
  { headSha, files }: PullDiff,
  options: { merge_method?: string | undefined; commit_title?: string | undefined },
): Promise<{ mergeSha: string; publish: (admin: GitHubClient) => Promise<void> }> {
  const git = `/repos/${repository}/git`;
  const baseSha = (await client.branchHead(repository, base.ref)) ?? base.sha;
  const baseCommit = await client.request('GET', `${git}/commits/${baseSha}`, commitSchema);
  const tree = await client.request('POST', `${git}/trees`, treeSchema, {
    base_tree: baseCommit.tree.sha,
    tree: files.flatMap(treeEntries),
  });
  const owner = repository.split('/')[0];
  const commit = await client.request('POST', `${git}/commits`, commitSchema, {
    message: options.commit_title ?? `Merge pull request #${number} from ${owner}/${head.ref}`,
    tree: tree.sha,
    parents: (options.merge_method ?? 'merge') === 'merge' ? [baseSha, headSha] : [baseSha],
  });
  return {
    mergeSha: commit.sha,
    // emulate has already checked the branch's rules for the merge. They may forbid this push, so it
    // needs an admin.
    async publish(admin) {
      const body = { sha: commit.sha, force: true };
      await admin.request('PATCH', `${git}/refs/heads/${base.ref}`, v.unknown(), body);
    },
  };
}

function treeEntries({ filename, previous_filename, status, sha }: ChangedFile) {
  const file = { mode: '100644', type: 'blob' };
  const removed = status === 'removed' ? filename : previous_filename;
  return [
    ...(removed === undefined ? [] : [{ ...file, path: removed, sha: null }]),
    ...(status === 'removed' ? [] : [{ ...file, path: filename, sha }]),
  ];
}
