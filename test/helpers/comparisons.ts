/* What GitHub returns about the history of acme/product. */

export const startSha = 'f95f852bd8fca8fcc58a9a2d6c842781e32a215e';
export const headSha = '1f7a7a472abf3dd9643fd615f6da379c4acb3e3a';

export function listedCommit(index: number, message = `Commit ${index}`) {
  return {
    sha: String(index).padStart(40, '0'),
    commit: { message },
    author: { login: 'writer', type: 'User' },
    parents: [{ sha: startSha }],
  };
}

export function listedFile(filename: string, fields: object = {}) {
  const patch = `@@ -0,0 +1 @@\n+${filename}`;
  return { sha: 'b1', filename, status: 'added', additions: 1, deletions: 0, patch, ...fields };
}

/** The body of "Compare two commits", with one commit and one file. */
export function comparison(fields: object = {}) {
  const commits = [listedCommit(1, 'Add --watch\n\nIt rebuilds.')];
  return {
    status: 'ahead',
    base_commit: { sha: startSha },
    merge_base_commit: { sha: startSha },
    total_commits: commits.length,
    commits,
    files: [listedFile('src/watch.ts')],
    ...fields,
  };
}

export const identical = { status: 'identical', total_commits: 0, commits: [], files: [] };

/** The commit that two histories have in common. */
export const mergeBase = 'abcdef0123456789abcdef0123456789abcdef01';

export const diverged = { status: 'diverged', merge_base_commit: { sha: mergeBase } };

export function listedRun(head_sha: string, fields: object = {}) {
  return { head_sha, event: 'push', head_repository: { full_name: 'acme/product' }, ...fields };
}

export function listedRelease(tag_name: string, day: number, fields: object = {}) {
  const published_at = `2026-01-${String(day).padStart(2, '0')}T08:00:00Z`;
  return { tag_name, draft: false, prerelease: false, published_at, ...fields };
}
