import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Page } from '../../../../src/check/docs/page.ts';
import { parsePage } from '../../../../src/check/docs/parse-page.ts';
import { heavyRuns } from '../../../helpers/heavy-runs.ts';

/** Blocks that stand for themselves, so that any row of them is a page. */
const blocks = [
  '# Roses',
  '## Roses {#roses}',
  'Water [them](/water) with ![a can](/can.png).',
  'See https://garden.example/a and <a href="/b">b</a>.',
  '<Card title="Soil" href="/soil" icon="rocket">\n  Text\n</Card>',
  "<Cards items={[{ href: '/c' }]} />",
  '- one\n- [two](two)\n  - three',
  '> quoted {name}',
  '| a | b |\n| - | - |\n| c | [d](/d) |',
  '```js\nlet a = "[x](/x)";\n```',
  '{/* a comment */}',
  '<Visibility for="agents">\n\nHello\n\n</Visibility>',
  '<iframe src="https://x.example" />',
  '$$\na{b}\n$$',
];

const someBlocks = fc.array(fc.constantFrom(...blocks), { maxLength: 12 });
const pageOf = (parts: readonly string[]) => `---\ntitle: Garden\n---\n\n${parts.join('\n\n')}\n`;

/** What breaks parsers: pieces of syntax in any order. */
const pieces = [
  '<',
  '>',
  '{',
  '}',
  '[',
  ']',
  '(',
  ')',
  '`',
  '```',
  '$',
  '$$',
  '*',
  '_',
  '~',
  '|',
  '-',
  '#',
];
const words = [
  '---',
  '\n',
  '\n\n',
  '    ',
  '\t',
  '\r',
  '&#x0;',
  '<!--',
  '-->',
  'a',
  '<a ',
  '/>',
  '</a>',
];
const scripts = [
  'import ',
  'export ',
  'const a = ',
  '=>',
  '"',
  "'",
  ': ',
  'href=',
  '\\',
  '/*',
  '*/',
  '\uFEFF',
  '\uD800',
];
const noise = fc
  .array(fc.oneof(fc.constantFrom(...pieces, ...words, ...scripts), fc.string({ maxLength: 4 })), {
    maxLength: 40,
  })
  .map((parts) => parts.join(''));

const paths = fc.constantFrom('a.mdx', 'a.md', 'README.md');

function linesOf(page: Page): readonly number[] {
  const { frontMatter, headings, links, imports, code, samples, forAgents, prose } = page;
  const listed = [frontMatter, headings, links, imports, code, samples, forAgents, prose].flat();
  return [...listed.map(({ line }) => line), page.problem?.line ?? 1];
}

describe('any text', () => {
  it('gives a page whose lines are in the text', () => {
    fc.assert(
      fc.property(noise, paths, (text, path) => {
        const last = text.split(/\r\n|\r|\n/).length;
        for (const line of linesOf(parsePage(text, path))) {
          expect(line).toBeGreaterThanOrEqual(1);
          expect(line).toBeLessThanOrEqual(last);
        }
      }),
      heavyRuns(400),
    );
  });

  it('gives the same page again', () => {
    fc.assert(
      fc.property(noise, paths, (text, path) => {
        expect(parsePage(text, path)).toEqual(parsePage(text, path));
      }),
      heavyRuns(100),
    );
  });

  it('gives plain data', () => {
    fc.assert(
      fc.property(noise, paths, (text, path) => {
        const page = parsePage(text, path);
        expect(structuredClone(page)).toEqual(page);
      }),
      heavyRuns(100),
    );
  });
});

describe('a page of blocks', () => {
  it('parses', () => {
    fc.assert(
      fc.property(someBlocks, (parts) => {
        expect(parsePage(pageOf(parts), 'a.mdx').problem).toBeUndefined();
      }),
    );
  });

  it('has the same links, code and samples when a paragraph comes before', () => {
    fc.assert(
      fc.property(someBlocks, (parts) => {
        const before = parsePage(pageOf(parts), 'a.mdx');
        const after = parsePage(pageOf(['A new paragraph.', ...parts]), 'a.mdx');
        for (const part of [
          'links',
          'code',
          'samples',
          'headings',
          'forAgents',
          'imports',
        ] as const) {
          expect(after[part]).toEqual(before[part].map((one) => ({ ...one, line: one.line + 2 })));
        }
        expect(after.anchors).toEqual(before.anchors);
      }),
    );
  });

  it('has the lines of its blocks', () => {
    fc.assert(
      fc.property(fc.nat(20), (blank) => {
        const { links } = parsePage(`${'\n'.repeat(blank)}[a](/a)\n`, 'a.mdx');
        expect(links).toEqual([{ target: '/a', kind: 'link', line: blank + 1 }]);
      }),
    );
  });
});
