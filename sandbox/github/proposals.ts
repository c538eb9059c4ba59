import * as v from 'valibot';
import type { GitHubClient } from './client.ts';
import { DOCS_REPOSITORY } from './seed.ts';

/** Commits a new text of a page of the docs, which exists on the branch. */
export async function editPage(
  github: GitHubClient,
  branch: string,
  path: string,
  edit: (text: string) => string,
): Promise<void> {
  const { text, sha } = await github.readFile(DOCS_REPOSITORY, path, branch);
  const change = { text: edit(text), message: `Change ${path}`, branch, sha };
  await github.writeFile(DOCS_REPOSITORY, path, change);
}

/** Commits the end of a page, whose address leads nowhere then. */
export async function deletePage(
  github: GitHubClient,
  branch: string,
  path: string,
): Promise<void> {
  const { sha } = await github.readFile(DOCS_REPOSITORY, path, branch);
  const change = { message: `Delete ${path}`, branch, sha };
  const url = `/repos/${DOCS_REPOSITORY}/contents/${path}`;
  await github.request('DELETE', url, v.unknown(), change);
}

/** Opens a pull request that adds a sentence to a page of the docs. @returns Its number. */
export async function proposeSentence(
  github: GitHubClient,
  branch: string,
  path = 'quickstart.mdx',
): Promise<number> {
  const main = (await github.branchHead(DOCS_REPOSITORY, 'main')) ?? '';
  await github.createBranch(DOCS_REPOSITORY, branch, main);
  await editPage(github, branch, path, (text) => `${text}\nThe first build takes a minute.\n`);
  const opening = { title: `Say more in ${path}`, body: '', head: branch, base: 'main' };
  return (await github.openPull(DOCS_REPOSITORY, opening)).number;
}
