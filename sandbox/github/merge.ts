import * as v from 'valibot';
import type { Change } from './change.ts';
import type { ChangedFile, GitHubClient, Pull } from './client.ts';

const commitSchema = v.object({ sha: v.string(), tree: v.object({ sha: v.string() }) });
const treeSchema = v.object({ sha: v.string() });

/**
 * Makes the commit that merges a pull request: the base branch as it is now, with the files that
 * the pull request changed. The branch does not move before `publish` is called.
 *
 * @param client Whoever merges; refused with 403 if they may not write.
 * @param wishes What the request asks for: `merge_method` and `commit_title`.
 */
export async function buildMerge(
  client: GitHubClient,
  repository: string,
  { number, head, base }: Pull,
  { headSha, files }: Change,
  wishes: { merge_method?: string | undefined; commit_title?: string | undefined },
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
    message: wishes.commit_title ?? `Merge pull request #${number} from ${owner}/${head.ref}`,
    tree: tree.sha,
    parents: (wishes.merge_method ?? 'merge') === 'merge' ? [baseSha, headSha] : [baseSha],
  });
  return {
    mergeSha: commit.sha,
    // emulate has judged the branch's rules before; to it this is a push, which they may forbid.
    async publish(admin) {
      const body = { sha: commit.sha, force: true };
      await admin.request('PATCH', `${git}/refs/heads/${base.ref}`, v.unknown(), body);
    },
  };
}

function treeEntries({ filename, previous_filename, status, sha }: ChangedFile) {
  const file = { mode: '100644', type: 'blob' };
  const gone = status === 'removed' ? filename : previous_filename;
  return [
    ...(gone === undefined ? [] : [{ ...file, path: gone, sha: null }]),
    ...(status === 'removed' ? [] : [{ ...file, path: filename, sha }]),
  ];
}
