import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  listText,
  maxListBytes,
  maxPatchBytes,
  patchText,
  type Range,
} from '../../../../src/agent/prompt/changes.ts';
import type { ChangedFile, Commit } from '../../../../src/github/compare.ts';

const commit: Commit = {
  sha: '5d6e7f8000000000000000000000000000000000',
  message: 'Add --watch\n\nIt rebuilds.',
  author: 'writer',
};

const file: ChangedFile = {
  status: 'modified',
  name: 'src/watch.ts',
  previousName: undefined,
  additions: 3,
  deletions: 1,
  patch: '@@ -1 +1,3 @@\n-a\n+b',
};

function range(fields: Partial<Range> = {}): Range {
  const { commits = [commit], files = [file] } = fields;
  return {
    repository: 'acme/product',
    start: '1a2b3c4',
    end: '5d6e7f8',
    totalCommits: commits.length,
    commits,
    files,
    ...fields,
  };
}

/** The lines of a text's blocks, as a Markdown reader finds them: by the fence that each begins with. */
function blocksOf(text: string): readonly (readonly string[])[] {
  const blocks: string[][] = [];
  let fence = '';
  for (const line of text.split('\n')) {
    if (fence === '') {
      fence = /^(`{3,})(?:text|diff)$/.exec(line)?.[1] ?? '';
      if (fence !== '') {
        blocks.push([]);
      }
    } else if (/^ {0,3}`+ *$/.test(line) && line.trim().length >= fence.length) {
      fence = '';
    } else {
      blocks.at(-1)?.push(line);
    }
  }
  expect(fence).toBe('');
  return blocks;
}

const leftOutOf = (text: string, what: RegExp): number =>
  Number(
    new RegExp(`^\\(Left out: ([\\d,]+) ${what.source}\\.\\)$`, 'm')
      .exec(text)?.[1]
      ?.replaceAll(',', '') ?? 0,
  );

describe('the list', () => {
  it('has the commits and the files', () => {
    const second = { ...commit, sha: '9'.repeat(40), author: '', message: '  Fix it' };
    const renamed: ChangedFile = {
      ...file,
      status: 'renamed',
      previousName: 'old.ts',
      name: 'new.ts',
    };
    const text = listText(
      range({ start: 'v1.2.0 (1a2b3c4)', commits: [commit, second], files: [file, renamed] }),
    );
    expect(text).toBe(`Changes in acme/product since v1.2.0 (1a2b3c4), up to commit 5d6e7f8.

2 commits, newest first:

\`\`\`text
5d6e7f8 (writer) Add --watch
9999999 (no login) Fix it
\`\`\`

2 changed files:

\`\`\`text
modified src/watch.ts (+3 -1)
renamed old.ts → new.ts (+3 -1)
\`\`\``);
  });

  it('says that the files may be incomplete from GitHub’s limit on', () => {
    const files = Array.from({ length: 300 }, (_, index) => ({ ...file, name: `${index}.ts` }));
    const text = listText(range({ files }));
    expect(text).toContain('\n\nAt least 300 changed files:\n\n');
    expect(text).toContain(
      '(GitHub lists no more than 300 files, so this list may be incomplete.)',
    );
    expect(listText(range({ files: files.slice(1) }))).not.toContain('incomplete');
  });

  it('takes out what readers do not see, and line ends', () => {
    const text = listText(
      range({
        commits: [{ ...commit, message: 'Fix\u200B \u202Eit\u2028now\rLater line' }],
        files: [{ ...file, name: 'a\nb\u{E0041}.ts' }],
      }),
    );
    expect(blocksOf(text)).toEqual([['5d6e7f8 (writer) Fix it now'], ['modified a b .ts (+3 -1)']]);
  });

  it('counts what its limit leaves out', () => {
    const commits = Array.from({ length: 300 }, () => ({ ...commit, message: 'x'.repeat(500) }));
    const files = Array.from({ length: 200 }, () => ({ ...file, name: 'y'.repeat(120) }));
    const text = listText(range({ commits, files, totalCommits: 1000 }));
    const [commitLines = [], fileLines = []] = blocksOf(text);
    expect(commitLines.length).toBeGreaterThan(50);
    expect(commitLines.length).toBeLessThan(100);
    expect(fileLines.length).toBeGreaterThan(100);
    expect(fileLines.length).toBeLessThan(200);
    expect(text).toContain(`(Left out: ${1000 - commitLines.length} older commits.)`);
    expect(text).toContain(`(Left out: ${200 - fileLines.length} more files.)`);
  });
});

describe('the patches', () => {
  it('come with their names, the smallest first', () => {
    const long = { ...file, name: 'src/watch-long.ts', patch: `${file.patch}\n+c` };
    const binary = { ...file, name: 'logo.png', patch: undefined };
    expect(patchText([long, binary, file])).toBe(`Patches, the shortest first:

\`\`\`diff
modified src/watch.ts (+3 -1)
@@ -1 +1,3 @@
-a
+b

modified src/watch-long.ts (+3 -1)
@@ -1 +1,3 @@
-a
+b
+c

\`\`\`

(GitHub has no patch for 1 file: binary, very large, or only renamed.)`);
  });

  it('that are too long are counted', () => {
    const huge = { ...file, patch: `+${'x'.repeat(maxPatchBytes)}` };
    expect(patchText([huge, file, huge])).toMatch(/\n\n\(Left out: 2 longer patches\.\)$/);
    expect(patchText([huge])).toBe('No patches.\n\n(Left out: 1 longer patch.)');
  });
});

/** Text that was made to break out of a block, or to be longer than it seems. */
const nasty = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.constantFrom('\n```\n', '````', '\n~~~\n', '`', '😀', '{{changes}}', '\u200B', '\uD800'),
      fc.nat(400).map((length) => '`'.repeat(length)),
      fc.nat(9000).map((length) => 'é'.repeat(length)),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''));

const commits = fc
  .array(
    fc.record({ sha: fc.constant(commit.sha), message: nasty, author: fc.constant('writer') }),
    {
      minLength: 1,
      maxLength: 60,
    },
  )
  .chain((some) => fc.integer({ min: 1, max: 5 }).map((times) => Array(times).fill(some).flat()));

const files = fc
  .array(
    fc.record({
      status: fc.constantFrom('added', 'renamed'),
      name: nasty,
      previousName: fc.option(nasty, { nil: undefined }),
      additions: fc.nat(),
      deletions: fc.nat(),
      patch: fc.option(nasty, { nil: undefined }),
    }),
    { minLength: 1, maxLength: 60 },
  )
  .chain((some) =>
    fc.integer({ min: 1, max: 5 }).map((times): ChangedFile[] => Array(times).fill(some).flat()),
  );

describe('for every range', () => {
  const options = { numRuns: 60 };

  it('the lists keep their limit, their fences hold, and what is left out is counted', () => {
    fc.assert(
      fc.property(commits, files, fc.nat(5000), (some, changed, more) => {
        const totalCommits = some.length + more;
        const text = listText(range({ commits: some, files: changed, totalCommits }));
        const blocks = blocksOf(text);
        expect(blocks).toHaveLength(2);
        for (const lines of blocks) {
          expect(Buffer.byteLength(lines.join('\n'))).toBeLessThan(maxListBytes);
        }
        const [commitLines = [], fileLines = []] = blocks;
        expect(commitLines.length + leftOutOf(text, /older commits?/)).toBe(totalCommits);
        expect(fileLines.length + leftOutOf(text, /more files?/)).toBe(changed.length);
      }),
      options,
    );
  });

  it('the patches keep their limit, their fence holds, and what is left out is counted', () => {
    fc.assert(
      fc.property(files, (changed) => {
        const text = patchText(changed);
        const [block = []] = blocksOf(text);
        expect(Buffer.byteLength(block.join('\n'))).toBeLessThan(maxPatchBytes);
        expect(blocksOf(text).length).toBeLessThanOrEqual(1);
        const withPatch = changed.filter(({ patch }) => patch !== undefined).length;
        const shown = block.filter((line) => /^(?:added|renamed) .*\(\+\d+ -\d+\)$/.test(line));
        expect(shown.length + leftOutOf(text, /longer patch(?:es)?/)).toBe(withPatch);
      }),
      options,
    );
  });
});
