import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createRepository, type Files } from '../../sandbox/github/git.ts';
import { inRepository } from '../../scripts/actions.ts';
import { findDocsRoot, listChanges } from '../../scripts/history/changes.ts';
import { describeJudged } from '../../scripts/history/figures.ts';
import { type Judged, judgePulls } from '../../scripts/history/judge-pulls.ts';

/** A commit of the branch that is checked out; with `side`, the merge of a branch that changed `files`. */
interface Commit {
  readonly files: Files;
  readonly message?: string;
  readonly side?: string;
  readonly at?: string;
}

/** The changes of a repository below `docs`, newest first. */
async function changesOf(commits: readonly Commit[]) {
  const git = createRepository();
  onTestFinished(() => git.close());
  let tip = git.commit({ files: { 'docs/docs.json': '{}', 'docs/a.mdx': 'one' } });
  for (const { side, files, ...commit } of commits) {
    const parents = [tip];
    if (side !== undefined) {
      parents.push(git.commit({ files, parents: [tip], message: side }));
    }
    tip = git.commit({ files, parents, ...commit });
  }
  const { folder } = git;
  git.setRef('refs/heads/main', tip);
  return { folder, ...(await listChanges(folder, 'docs', '2039-01-01')) };
}

const docs = (a: string, others: Files = {}): Files => ({
  'docs/docs.json': '{}',
  'docs/a.mdx': a,
  ...others,
});

describe('listChanges', () => {
  test('finds the merges that touch a page and only the docs, newest first', async () => {
    const { folder, changes, leftOut } = await changesOf([
      { files: docs('two'), message: 'Edit a' },
      { files: docs('two', { 'src.ts': 'x' }), message: 'No docs' },
      { files: docs('three', { 'src.ts': 'y' }), message: 'Both' },
      { files: docs('three', { 'src.ts': 'y', 'docs/b.png': 'z' }), message: 'No page' },
      { files: docs('four', { 'src.ts': 'y', 'docs/b.png': 'z' }), message: 'Merge', side: 'One' },
      { files: docs('five', { 'src.ts': 'y' }), message: 'Later', at: '2040-01-01T00:00:00Z' },
    ]);
    expect(await findDocsRoot(folder)).toBe('docs');
    expect(changes).toMatchObject([
      { subject: 'Merge', files: ['docs/a.mdx'] },
      { subject: 'Edit a', files: ['docs/a.mdx'] },
    ]);
    expect(leftOut).toBe(
      'of 4 commits that touch the docs, 1 also touch files outside of them, and 1 touch no page',
    );
  });
});

test("judgePulls judges the sandbox's docs, whose settings the check can read", async () => {
  const git = createRepository();
  onTestFinished(() => git.close());
  const folder = inRepository('sandbox/docs');
  const paths = globSync('**/*.*', { cwd: folder });
  const files = Object.fromEntries(
    paths.map((path) => [path.replaceAll('\\', '/'), readFileSync(join(folder, path), 'utf8')]),
  );
  const base = git.commit({ files });
  const { 'guides/deploy.mdx': _, ...others } = files;
  const head = git.commit({ files: others, parents: [base] });
  const found: Judged[] = [];
  await judgePulls([{ base, head }], { folder: git.folder, root: '.' }, (_pull, judged) => {
    found.push(judged);
  });
  const [judged] = found;
  expect(judged?.verdict).toBe('blocked');
  expect(judged?.findings.map(({ rule }) => rule)).not.toContain('not-judged');
});

describe('a repository with nothing to judge', () => {
  const text = { 'docs/docs.json': '{}', 'docs/a.mdx': 'one' };

  test.each([
    [
      'of 2 commits that touch the docs, 1 also touch files outside of them, and 1 touch no page; only changes of pages, with nothing outside of the docs, are judged',
      [
        { files: { ...text, 'docs/a.mdx': 'two', 'a.js': '' } },
        { files: { ...text, 'docs/a.mdx': 'two', 'a.js': '', 'docs/b.png': '' } },
      ],
    ],
    [
      'only its first commit touches the docs, or all others are later than --until',
      [
        { files: { ...text, 'a.js': '' } },
        { files: { ...text, 'docs/a.mdx': 'two', 'a.js': '' }, at: '2040-01-01T00:00:00Z' },
      ],
    ],
  ])('has a reason: %s', async (reason, commits) => {
    await expect(changesOf(commits)).rejects.toThrow(` has nothing to judge: ${reason}`);
  });

  test('may be a shallow clone', async () => {
    const { folder } = await changesOf([{ files: docs('two') }]);
    const clone = mkdtempSync(join(tmpdir(), 'shallow-'));
    onTestFinished(() => rmSync(clone, { recursive: true }));
    spawnSync('git', ['clone', '--quiet', '--depth=1', '--branch=main', `file://${folder}`, clone]);
    await expect(listChanges(clone, 'docs', 'now')).rejects.toThrow(
      ' has nothing to judge: its clone is shallow, so run "git fetch --unshallow" in it',
    );
  });
});

describe('npm run judge:history', () => {
  const judge = (...args: readonly string[]) =>
    spawnSync(process.execPath, [inRepository('scripts/judge-history.ts'), ...args], {
      encoding: 'utf8',
    });

  test('says in one sentence what is missing', () => {
    const git = createRepository();
    onTestFinished(() => git.close());
    git.setRef('refs/heads/main', git.commit({ files: { 'a.md': 'one' } }));
    const folder = mkdtempSync(join(tmpdir(), 'no-git-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const said = (...args: readonly string[]) => judge(...args).stderr;
    expect(said(folder)).toMatch(/^Not judged: \S+ cannot be read: git says "not a git rep.*\.\n$/);
    expect(said(git.folder)).toMatch(/^Not judged: \S+ has no docs\.json: give the folder .*\.\n$/);
    expect(said(folder, '--last', 'x')).toMatch(/^Not judged: --last is "x": give .*\.\n$/);
  });

  test('names the first finding that decided', () => {
    const place = { file: 'a.mdx', line: 3 };
    const findings = [
      { ...place, rule: 'gone', severity: 'review', what: 'A code block is gone.' },
      { ...place, rule: 'broken-link', severity: 'block', what: '/b leads nowhere.' },
    ] as const;
    const judged = { verdict: 'blocked', message: '', findings, tookMs: 1 } as const;
    expect(describeJudged(judged)).toBe('blocked (gone, broken-link; a.mdx:3: /b leads nowhere)');
    expect(describeJudged({ ...judged, verdict: 'passed', findings: [] })).toBe('passed');
  });
});
