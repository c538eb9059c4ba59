import { createRepository, type Files } from '../sandbox/github/git.ts';

/* A docs repository of a thousand pages, and a pull request that changes fifty of them. */

const pageCount = 1000;
const changedPages = 50;
const imageCount = 400;
const imageBytes = 500_000;

/** How much text a page has. */
const pageBytes = 10_000;

/** @returns the repository with the SHAs of the pull request's base and head */
export function docsRepository() {
  const git = createRepository();
  const first = git.commit({ files: filesOf(pagesOf(1)) });
  const base = git.commit({ files: filesOf(pagesOf(2)), parents: [first] });
  const head = git.commit({ files: filesOf(change(pagesOf(2))), parents: [base] });
  return { git, base, head };
}

/** @param version of the first fifty pages, so that they have a history */
function pagesOf(version: number): ReadonlyMap<string, string> {
  return new Map(
    Array.from({ length: pageCount }, (_, index) => [
      pathOf(index),
      page(index, index < changedPages ? version : 1),
    ]),
  );
}

function pathOf(index: number): string {
  return `guides/section-${index % 20}/page-${index}.mdx`;
}

function addressOf(index: number): string {
  return `/${pathOf(index % pageCount).replace(/\.mdx$/, '')}`;
}

function page(index: number, version: number): string {
  const head = `---
title: "Page ${index}"
description: "What page ${index} is about, in its version ${version}."
---

import Note from '/snippets/note.mdx';

Version ${version} begins here.
`;
  const sections: string[] = [head];
  let bytes = head.length;
  for (let section = 1; bytes < pageBytes; section += 1) {
    const text = `
## Part ${section} of page ${index}

<Note>Read [the page before](${addressOf(index + 999)}) and [the next one](${addressOf(index + section)}#part-1-of-page-${(index + section) % pageCount}).</Note>

Sentence ${section} says what to do, and [a page elsewhere](https://docs.acme.dev/${index}/${section}) says why.
The \`--flag-${section}\` takes a number. ${'It is explained at some length, so that the page has its size. '.repeat(6)}

![A picture](/images/picture-${(index + section) % imageCount}.png)

\`\`\`sh
acme run --flag-${section} ${index}
\`\`\`

| name | meaning |
|---|---|
| one | the first of ${section} |
| two | the second |
`;
    sections.push(text);
    bytes += text.length;
  }
  return sections.join('');
}

function filesOf(pages: ReadonlyMap<string, string>): Files {
  const names = [...pages.keys()].map((path) => path.replace(/\.mdx$/, ''));
  const groups = Array.from({ length: 20 }, (_, section) => ({
    group: `Section ${section}`,
    pages: names.filter((name) => name.includes(`/section-${section}/`)),
  }));
  const images = Array.from({ length: imageCount }, (_, index) => [
    `images/picture-${index}.png`,
    { bytes: imageBytes },
  ]);
  return {
    'docs.json': `${JSON.stringify({ name: 'Bench', navigation: { groups } }, null, 2)}\n`,
    'snippets/note.mdx': '<Info>{children}</Info>\n',
    ...Object.fromEntries(images),
    ...Object.fromEntries(pages),
  };
}

/** Deletes a page, takes a heading away, links to a new domain, and edits the other pages. */
function change(pages: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const changed = new Map(pages);
  changed.delete(pathOf(0));
  const edit = (index: number, from: string | RegExp, to: string) =>
    changed.set(pathOf(index), (pages.get(pathOf(index)) ?? '').replace(from, to));
  edit(1, '## Part 1 of page 1\n', 'A heading was here.\n');
  edit(2, 'docs.acme.dev', 'zenith.dev');
  for (let index = 3; index < changedPages; index += 1) {
    edit(index, /^Version .*$/m, 'Another sentence begins here.');
  }
  return changed;
}
