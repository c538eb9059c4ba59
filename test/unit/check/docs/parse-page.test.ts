import { describe, expect, it } from 'vitest';
import { parsePage } from '../../../../src/check/docs/parse-page.ts';

const problemOf = (text: string, path = 'a.mdx') => parsePage(text, path).problem;

describe('a page that parses', () => {
  it.each([
    ['an empty one', ''],
    ['front matter alone', '---\ntitle: Roses\n---\n'],
    ['a byte order mark', '\uFEFF---\ntitle: Roses\n---\n# Roses'],
    ['Windows line ends', '---\r\ntitle: Roses\r\n---\r\n\r\n# Roses\r\n'],
    ['an id on a heading', '## Water the roses {#water}\n'],
    ['a formula with braces', 'Growth is $\\frac{d}{t}$ and $$a{b}$$.\n\n$$\nx{\n\n<y\n$$\n'],
    ['prices', 'It costs $5, or $6 with {name}.'],
    ['a comment', '{/* not yet */}\n\nText {/* here */} too.'],
    ['code that is not MDX', '```html\n<!-- a --> { <b\n```\n\n`{`'],
  ])('has no problem: %s', (_name, text) => {
    expect(problemOf(text)).toBeUndefined();
  });
});

describe('a page that does not parse', () => {
  it.each([
    ['an HTML comment', 'Text\n\n<!-- later -->\n', 3],
    ['a tag that is not closed', '---\na: 1\n---\n\n<Note>\n\nText\n', 5],
    ['a wrong closing tag', 'a\n\n<Note>\n  b\n</Tip>\n', 5],
    ['a brace', 'Type { to open.', 1],
    ['JavaScript with a mistake', 'a\n\n{1 +}\n', 3],
    ['an import with a mistake', 'a\n\nimport x frm "y"\n', 3],
    ['a conflict', 'a\n\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> x\n', 3],
  ])('says where: %s', (_name, text, line) => {
    expect(problemOf(text)).toEqual({ what: expect.stringMatching(/^is not valid MDX: ./), line });
  });

  it('is still read as Markdown', () => {
    const page = parsePage(
      '---\ntitle: A\n---\n\n# B\n\n<!-- x -->\n\n[c](/c) <a href="/d">d</a>',
      'a.mdx',
    );
    expect(page).toMatchObject({
      frontMatter: [{ name: 'title', json: '"A"', line: 2 }],
      headings: [{ text: 'B', line: 5 }],
      links: [
        { target: '/c', kind: 'link', line: 9 },
        { target: '/d', kind: 'link', line: 9 },
      ],
    });
  });
});

describe('a .md file', () => {
  it('is MDX for Mintlify', () => {
    expect(problemOf('<!-- x -->', 'guide.md')).toMatchObject({ line: 1 });
    expect(parsePage('<Card href="/x" />', 'guide.md').links).toMatchObject([{ target: '/x' }]);
  });

  it.each(['README.md', 'docs/readme.md', 'AGENTS.md', '.github/template.md', 'a/CONTRIBUTING.md'])(
    'may be any Markdown when it is for GitHub: %s',
    (path) => {
      expect(problemOf('<!-- x --> {', path)).toBeUndefined();
    },
  );

  it('is judged by its HTML when it is for GitHub', () => {
    const text = '<!-- x -->\n\n<p\n  onclick="go()">a</p>\n\n<script>\nlet a = 1;\n</script>\n';
    expect(parsePage(text, 'README.md').code).toMatchObject([
      { kind: 'handler', text: 'onclick="go()"', line: 4 },
      { kind: 'script', text: '<script>\nlet a = 1;\n</script>', line: 6 },
    ]);
  });

  it('has no code where a browser sees text', () => {
    const text = '<!-- <script>a</script> -->\n\n<textarea><script>b</script></textarea>\n';
    expect(parsePage(text, 'README.md').code).toEqual([]);
  });
});

describe('limits', () => {
  it('refuses a text above 2 MB', () => {
    expect(problemOf('a'.repeat(2_000_001))).toEqual({
      what: 'is larger than 2 MB',
      line: undefined,
    });
  });

  it.each([
    ['quotes', `a\n${'>'.repeat(10_000)}`, 2],
    ['lists', `${'- '.repeat(10_000)}a`, 1],
    [
      'lists below each other',
      Array.from({ length: 300 }, (_, i) => `${' '.repeat(2 * i)}- a`).join('\n'),
      76,
    ],
  ])('refuses deep nesting: %s', (_name, text, line) => {
    expect(problemOf(text)).toEqual({ what: 'is nested too deeply', line });
  });

  it.each([
    ['a rule of hyphens', `a\n\n${'- '.repeat(40)}\n`],
    ['deep code', `\`\`\`\n${' '.repeat(500)}x\n\`\`\``],
    ['many elements', `${'<b>'.repeat(1000)}a${'</b>'.repeat(1000)}`],
  ])('accepts %s', (_name, text) => {
    expect(problemOf(text)).toBeUndefined();
  });

  it.each([
    ['parentheses', `{${'('.repeat(10_000)}${')'.repeat(10_000)}}`],
    ['elements', '<div>'.repeat(2000)],
    ['braces', '{'.repeat(2000)],
    ['sequences', `---\na: ${'['.repeat(5000)}${']'.repeat(5000)}\n---\n`],
  ])('survives deep %s', (_name, text) => {
    expect(problemOf(text)?.what).toMatch(/^(?:is|has) /);
  });
});
