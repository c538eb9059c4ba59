import { expect, onTestFinished, test } from 'vitest';
import { folderStore } from '../../../../sandbox/github/git/folder-store.ts';
import { memoryStore } from '../../../../sandbox/github/git/memory-store.ts';
import type { GitStore } from '../../../../sandbox/github/git/store.ts';
import { startStandIn } from '../../../../sandbox/github/stand-in/stand-in.ts';
import { importIntoGit } from '../../../helpers/git-import.ts';

/* The same repository in memory and in git must look the same, down to each SHA. */

const repository = memoryStore();
const first = repository.add({
  files: {
    'docs.json': '{}\n',
    'guides/a.mdx': 'one\n',
    'guides.mdx': 'sorted before the folder\n',
    'guides-b/b.mdx': 'and after it\n',
  },
  message: 'Begin\n\nWith a body.\n',
});
const second = repository.add({
  files: {
    'docs.json': '{ "name": "Ä" }\n',
    'guides/a.mdx': 'one\ntwo\n',
    'guides.mdx': 'sorted before the folder\n',
    'images/ä ö.png': Buffer.from([137, 80, 0, 1]),
    'run.sh': { mode: '100755', content: '#!/bin/sh\n' },
    link: { mode: '120000', content: 'guides/a.mdx' },
    module: { mode: '160000', content: first },
    'large.mdx': `${'x'.repeat(511_999)}éé`,
  },
  parents: [first],
});
const side = repository.add({
  files: { 'docs.json': '{}\n', 'guides/moved.mdx': 'one\n' },
  parents: [first],
});
const merge = repository.add({
  files: { 'docs.json': '{ "name": "Ä" }\n', 'guides/moved.mdx': 'one\n' },
  parents: [second, side],
});
const pulls = [
  { number: 1, base: second, head: side },
  { number: 2, base: first, head: merge },
];

async function serve(store: GitStore) {
  const standIn = await startStandIn({
    repositories: [{ name: 'acme/docs', store, pulls }],
    serverUrl: 'https://github.example',
  });
  onTestFinished(async () => {
    await standIn.close();
    await store.close();
  });
  return async (path: string, query?: string) => {
    const response = await fetch(standIn.url + path, {
      headers: { Authorization: 'Bearer token' },
      ...(query === undefined ? {} : { method: 'POST', body: JSON.stringify({ query }) }),
    });
    return { status: response.status, body: await response.json() };
  };
}

const graphqlQueries = [
  `{ object(oid: "${merge}") { __typename oid } }`,
  `{ object(expression: "${second}:guides/a.mdx") { ... on Blob { text byteSize isBinary isTruncated } } }`,
  `{ object(expression: "${second}:images/ä ö.png") { ... on Blob { text byteSize isBinary } } }`,
  `{ object(expression: "${second}:guides") { __typename oid } }`,
  `{ object(expression: "${second}:large.mdx") { ... on Blob { text byteSize isTruncated } } }`,
  `{ object(expression: "${second}:nowhere.mdx") { oid } }`,
  `{ object(oid: "${'0'.repeat(40)}") { oid } }`,
].map((query) => query.replace('{', '{ repository(owner: "acme", name: "docs") {').concat('}'));

const paths = [
  `/repos/acme/docs/git/trees/${second}?recursive=1`,
  `/repos/acme/docs/git/trees/${second}`,
  `/repos/acme/docs/git/trees/${merge}?recursive=1`,
  `/repos/acme/docs/git/trees/${'0'.repeat(40)}?recursive=1`,
  `/repos/acme/docs/compare/${second}...${side}?page=2&per_page=1`,
  `/repos/acme/docs/compare/${side}...${merge}?page=2&per_page=1`,
  `/repos/acme/docs/compare/${merge}...${first}?page=2&per_page=1`,
  `/repos/acme/docs/compare/${first}...${'0'.repeat(40)}?page=2&per_page=1`,
  '/repos/acme/docs/pulls/1',
  '/repos/acme/docs/pulls/2',
  '/repos/acme/docs/pulls/3',
  '/repos/acme/docs/pulls/1?x=1',
];

test('a repository in memory and one of git look the same', async () => {
  const memory = await serve(repository);
  const git = await serve(folderStore(await importIntoGit(repository)));
  const entries = (await repository.tree(second)) ?? [];
  const blobs = entries.map(({ sha }) => `/repos/acme/docs/git/blobs/${sha}`);
  for (const path of [...paths, ...blobs]) {
    expect(await memory(path), path).toEqual(await git(path));
  }
  for (const query of graphqlQueries) {
    const found = await memory('/graphql', query);
    expect(found.body, query).toHaveProperty('data.repository');
    expect(found, query).toEqual(await git('/graphql', query));
  }
});
