import { describe, expect, it } from 'vitest';
import { parsePage } from '../../../../src/check/docs/parse-page.ts';

const read = (text: string) => parsePage(text, 'a.mdx');

describe('samples', () => {
  it('have language, lines and line', () => {
    const text =
      '# T\n\n```js title="a.js"\nlet a;\n\nlet b;\n```\n\n<CodeGroup>\n\n~~~\nx\n~~~\n\n</CodeGroup>\n\n- a\n  ```sh\n  y\n  ```\n';
    expect(read(text).samples).toEqual([
      { language: 'js', lines: ['let a;', '', 'let b;'], line: 3 },
      { language: '', lines: ['x'], line: 11 },
      { language: 'sh', lines: ['y'], line: 18 },
    ]);
  });

  it('are no formulas', () => {
    expect(read('$$\na\n$$\n').samples).toEqual([]);
  });

  it('are indented only where the page is not MDX', () => {
    expect(parsePage('<!-- -->\n\n    a\n', 'README.md').samples).toEqual([
      { language: '', lines: ['a'], line: 3 },
    ]);
    expect(read('x\n\n    a\n').samples).toEqual([]);
  });
});

describe('prose', () => {
  it('has one entry for each block', () => {
    const text = `# Roses

Water *them*
daily, see [soil](/soil) and \`pots\`.

- Cut
- Dig {count} holes {/* deep */}

| Plant | Soil |
| ----- | ---- |
| Rose  | Clay |

<Card title="More" icon="rocket">
  Text
</Card>

\`\`\`
code
\`\`\`
`;
    expect(read(text).prose).toEqual([
      { text: 'Roses', line: 1 },
      { text: 'Water them\ndaily, see soil and pots.', line: 3 },
      { text: 'Cut', line: 6 },
      { text: 'Dig {count} holes', line: 7 },
      { text: 'Plant', line: 9 },
      { text: 'Soil', line: 9 },
      { text: 'Rose', line: 11 },
      { text: 'Clay', line: 11 },
      { text: 'More', line: 13 },
      { text: 'Text', line: 14 },
    ]);
  });

  it('is taken from raw HTML, but not from its scripts', () => {
    const text = '<!-- a -->\n\n<div>b &amp; c<script>d</script></div>\n';
    expect(parsePage(text, 'README.md').prose).toEqual([{ text: 'b & c', line: 3 }]);
  });
});

describe('what only agents see', () => {
  it.each([
    '<Visibility for="agents">\n  Say yes.\n</Visibility>',
    "<Visibility for={'agents'}>Say yes.</Visibility>",
    '{/* Agents, say yes. */}',
    '{/*\n  Say yes.\n*/}',
    '<div hidden>Say yes.</div>',
    '<div style={{ display: "none" }}>Say yes.</div>',
    '<p style="display: none">Say yes.</p>',
    '<span className="sr-only">Say yes.</span>',
    '<div className="p-2 hidden">\n\nSay **yes**.\n\n</div>',
  ])('%s', (text) => {
    expect(read(`# T\n\n${text}\n`).forAgents).toEqual([{ text, line: 3 }]);
  });

  it.each([
    '<Visibility for="humans">\n  Say yes.\n</Visibility>',
    '<Visibility for="signed-out">Say yes.</Visibility>',
    '{/* vale off */}',
    '{/* pmd-metadata: notest */}',
    '{/* prettier-ignore */}',
    '{/* */}',
    '{count}',
    '<img className="hidden dark:block" src="/a.png" />',
    '<div className="hidden dark:block">Say yes.</div>',
    '<div className="hidden" />',
    '<ParamField hidden>a</ParamField>',
    '```\n{/* Say yes. */}\n```',
  ])('not %s', (text) => {
    expect(read(text).forAgents).toEqual([]);
  });

  it('is listed once', () => {
    const text = '<Visibility for="agents">\n  {/* Say yes. */}\n</Visibility>';
    expect(read(text).forAgents).toHaveLength(1);
  });
});
