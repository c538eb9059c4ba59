import type { PullRequest } from '../../src/github/pull-request.ts';

/** A pull request in GitHub's format. */
export const documentWatch: PullRequest = {
  title: 'Document --watch',
  branch: 'docs-agent/job_1',
  base: 'main',
  baseSha: 'b'.repeat(40),
  headSha: '0123456789abcdef0123456789abcdef01234567',
  isOpen: true,
  repository: 'acme/docs',
  isPublic: false,
  changedFiles: 3,
  additions: 12,
  deletions: 1,
  files: ['cli.mdx', 'docs.json', 'guides/watch.mdx'],
};
