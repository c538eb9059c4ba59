import fc from 'fast-check';
import { decodeString } from 'micromark-util-decode-string';
import { describe, expect, it } from 'vitest';
import { readEventField } from '../../../../src/agent/prompt/event-text.ts';
import { visibleMarkdown } from '../../../../src/agent/prompt/visible-text.ts';
import { heavyRuns } from '../../../helpers/heavy-runs.ts';
import {
  hiddenByGitHub,
  hiddenCases,
  honestBodies,
  knownDifferences,
} from '../../../helpers/hidden-cases.ts';
import { readRendered, renderMarkdown } from '../../../helpers/rendered-text.ts';

function countSeen(text: string): number {
  return text.match(/SEEN/g)?.length ?? 0;
}

describe('what readers of rendered Markdown do not see', () => {
  it.each([...hiddenCases, ...hiddenByGitHub])(
    'is left out, and nothing else: %s',
    async (_name, body) => {
      const event = { kind: 'payload', payload: { body } } as const;
      const { text } = await readEventField(['body'], 'prompt', event);
      expect(text).not.toMatch(/HID/i);
      const visible = body.replace(/\u200b|\ue000|\ufe01|\u{e0100}/gu, '');
      expect(countSeen(text)).toBe(countSeen(visible));
    },
  );

  it.each(knownDifferences)('is known to come through: %s', (_name, markdown) => {
    expect(visibleMarkdown(markdown).text).toContain('HID');
  });
});

describe('what people write', () => {
  it.each(honestBodies)(
    'keeps its words, addresses and lines of code: %s',
    async (_name, markdown) => {
      const { text } = visibleMarkdown(markdown);
      const seen = await readRendered(markdown);
      expect(text).not.toContain('(left out: ');
      expect(isSubsequence(lettersOf(decodeString(seen.text)), lettersOf(text))).toBe(true);
      for (const address of seen.addresses.split(' ').filter((each) => each !== '')) {
        expect(text).toContain(address.replace(/^(?:http:\/\/|mailto:)/, ''));
      }
      const lines = text.split('\n');
      for (const line of codeLinesOf(renderMarkdown(markdown))) {
        expect(lines.filter((each) => each.endsWith(line))).not.toEqual([]);
      }
    },
  );

  it('reads as it is shown, without backslashes', () => {
    const { text, leftOut } = visibleMarkdown(
      'Our \\*page\\* "www.example.com" at https://a.example/b_c or http://d.example is **broken**&nbsp;& _slow_: `1  < 2`\\\nSee [it](/x "y").',
    );
    expect(text).toBe(
      'Our *page* "www.example.com" at https://a.example/b_c or http://d.example is **broken**\u00a0& *slow*: `1  < 2`\nSee [it](/x).',
    );
    expect(leftOut).toBe(1);
  });

  it.each([
    '<h1><div>a</div><div>b</div></h1>',
    '<table><tr><td><p>a</p><p>b</p></td></tr></table>',
    '<details><summary><p>a</p><p>b</p></summary></details>',
    '<div><b><p>a</p><p>b</p></b></div>',
    '<pre>a<br>b</pre>',
    '- x\n  <div>\n  a\n  b\n  </div>',
    '- x\n  ```\n  a\n  b\n  ```',
  ])('keeps words apart: %s', (markdown) => {
    expect(visibleMarkdown(markdown).text).toMatch(/a\W+b/);
  });

  it.each([
    ['<!todo: the port\n\nif a > b', '<!todo: the port\n\nif a > b'],
    ['a <!x b> c', 'a <!x b> c'],
    ['`<!x`\n\n    <!y z>', '`<!x`\n\n```\n<!y z>\n```'],
    ['<!TODO a> b', 'b'],
    ['<div>\n<!x a> b\n</div>', 'b'],
    ['\uFDD3b>a</b>', 'b>a'],
    ['a <!TODO: b> c <!Important> <!A> <!TODO\nd> e', 'a <!TODO: b> c <!Important> <!A> e'],
    ['- a\n  <!Important b> c', '- a\n  c'],
  ])('has a declaration only where one is for GitHub: %s', (markdown, text) => {
    expect(visibleMarkdown(markdown).text).toBe(text);
  });

  it.each([
    ['[a]: /b\n| c |\n|---|', '[a]: /b\n\n| c |\n| - |'],
    [
      '> [a]: /b\r\n> [c]: /d "e\r\n> f"\r\n> g|h\r\n> -|-',
      '> [a]: /b\n> [c]: /d "e\n> f"\n>\n> | g | h |\n> | - | - |',
    ],
    ['[^a]: b\n| c |\n|---|\n\nd[^a]', 'd[^1]\n\n## Footnotes\n\n1. b\n   | c |\n   |---|'],
    ['[a]: /b\n\n| c |\n|---|', '| c |\n| - |'],
    ['[a]: /b\nc\n---', '## c'],
  ])('has no definition directly above a table: %s', (markdown, text) => {
    expect(visibleMarkdown(markdown).text).toBe(text);
  });

  it.each([
    [false, 'sub sup code samp tt h6'],
    [true, 'small h5 b'],
  ])('shows small text in small text (%s): %s', (isShown, tags) => {
    for (const tag of tags.split(' ')) {
      const { text } = visibleMarkdown(`<${tag}>a <kbd>HID</kbd></${tag}>`);
      expect(text.includes('HID')).toBe(isShown);
    }
  });

  it('keeps the query of an address of 200 characters', () => {
    const place = `https://a.example/${'x'.repeat(180)}`;
    const shown = ['?', '?q', '?qq'].map((rest) => visibleMarkdown(`[a](${place}${rest})`).text);
    expect(shown).toEqual([`[a](${place}?)`, `[a](${place}?q)`, `[a](${place})`]);
  });

  it('keeps a cell in one line', () => {
    const { text } = visibleMarkdown('<table><tr><td>a\nb\nc | d</td></tr></table>');
    expect(text).toContain('| a b c \\| d |');
  });

  it('is read whole, however long it is', () => {
    const items = '- [ ] Check `this` page, and **that** [one](/a)\n  - [x] with_an_item below\n';
    const { text } = visibleMarkdown(items.repeat(850));
    expect(text.length).toBeGreaterThan(63_000);
    expect(text.match(/with_an_item/g)).toHaveLength(850);
  });

  it('is written in one go, however deep it is nested', () => {
    const { text } = visibleMarkdown('<b>a<i>b'.repeat(30));
    expect(text.match(/[ab]/g)).toHaveLength(60);
  });

  it('keeps its structure', () => {
    const markdown =
      '# a\n\n- [x] b\n- c[^n]\n\n3. d\n\n> e\n\n```js x\nf\n```\n\n| g | h |\n|---|---|\n| i \\| j | `k` |\n\n[^n]: l ~~m~~\n';
    expect(visibleMarkdown(markdown).text).toBe(
      '# a\n\n- [x] b\n- c[^1]\n\n3. d\n\n> e\n\n```js\nf\n```\n\n| g | h |\n| - | - |\n| i \\| j | `k` |\n\n## Footnotes\n\n1. l ~~m~~',
    );
  });
});

it.each([
  ['a diagram', '```mermaid\na\n```', '(left out: a drawing)', 1],
  ['a formula', 'a $x % y$ b', 'a (left out: a formula) b', 1],
  ['what browsers do not show', 'a <video>b</video> c', 'a (left out: <video>) c', 1],
  ['tiny text', 'a <sub><sup>b</sup></sub> c', 'a (left out: tiny text) c', 1],
  ['turned text and its mark', 'a \u202eb\nc', 'a (left out: text that runs backwards)\nc', 1],
  [
    'a closed part',
    '<details><summary></summary>a</details>',
    '(left out: details without a summary)',
    1,
  ],
  ['a far text', `    a${' '.repeat(80)}b`, '```\na (left out: text far to the right)\n```', 1],
  ['comments', 'a<!-- b --><!-- c -->', 'a', 2],
  ['an attribute', '<p onclick="a">b</p>', 'b', 1],
  ['a title', '[a](/b "c")', '[a](/b)', 1],
  ['a description', '![a](/b)', '![](/b)', 1],
  ['no empty description', '![](/b)', '![](/b)', 0],
  ['an unknown tag', '<T>a', 'a', 1],
  ['a link without text', 'a[](/b)', 'a', 1],
  ['no way back from a footnote', 'a[^1]\n\n[^1]: b', 'a[^1]\n\n## Footnotes\n\n1. b', 0],
  ['a part of an address', '[a](https://b:c@d.example)', '[a](https://d.example)', 1],
  ['a language', '```abcd\ne\n```', '```\ne\n```', 1],
  ['no known language', '```js\ne\n```', '```js\ne\n```', 0],
  ['the invisible characters of a text', 'a\u200b\u200bb\u200b', 'ab', 1],
])('%s is counted, with a note where some may see it', (_name, markdown, text, count) => {
  const visible = visibleMarkdown(markdown);
  expect(visible.text).toBe(text);
  expect(visible.leftOut).toBe(count);
});

it.each([
  ['<i title=a/b>c', true],
  ['[a](b c "d")', true],
  ['[a[b](/c)][d', true],
  ['[^[a]: b', true],
  ['`<b title=a/c>` and\n\n    [a](b c)', false],
  ['1 < 2 [a], a[0] and <b>c</b>', false],
  ['- [ ] [//]: # (a)', true],
  ['- [x] [a]: /b', true],
  ["1. [ ] [`a`]: /b 'c'", true],
  ['- [ ] [^1]: a', true],
  ['* [ ] a\n\n* [ ] [b *c*\n  d]: /e', true],
  ['- [ ] [a](/b) c[0]: d', false],
  ['- [ ] [a](/b): c\n- [x] a, [b] and c', false],
  ['<!todo a', true],
  ['-\n    \n    <!-- a -->', true],
  ['1.\r\n   \r\n     ```\r\n     a\r\n', true],
  ['> -\n>   \n>     <!-- a -->', true],
  ['- -\n\t\t\n      <!-- a -->', true],
  ['-\n  \n   \n\t<!-- a -->', true],
  ['- \n- \n\n    a\n\n1.\n  \n\nb', false],
  ['[//]: # (a)\n---\n    b</w>', true],
  ["[a]: /b\r\n'c'\r\n===\r\n\td</w>", true],
  ['[a]: /b\n\n---\n\n    c', false],
  ['a\n- 2) [^a]: b', true],
  ['a\n1. 2. [b]: /u', true],
  ['a\n> 2) [^a]: b', true],
  ['a\n- 2) > [^a]: b', true],
  ['    a\n\n2) [^a]: b', true],
  ['a\n- 2) ~~~ b', true],
  ['a\n> 2) ```b', true],
  ['<p title="a\n\n- - [ ] b', true],
  ['<p title="a < b">c</p>\n\n![1 < 2](/d) [e](/f "> g")', false],
  ['a <!B"c" <b title=">d">e', true],
  ['a <!-- b---> c', true],
  ['a <?b??> c', true],
  ['a <!-- b --> ---> c', false],
  ['a <code><![cdata[b]]></code> c', true],
  ['a `<![CDATA[b]]>` c', false],
  ['> 1. a\n> 2. b', false],
  ['a\n> 2. b', true],
  ['<![CDATA[]]]>\n```a\nb\n```', true],
  ['<![CDATA[a]]>\n```b\nc\n```', false],
  ['<code><![cdata[a]]></code>', true],
  ['a <pre><![Cdata[b]]></pre>', true],
  ['`<![CDATA[a]]>` <![CDATA[b]]>', false],
  ['<code><i title=a/b>c</i></code>', true],
  ['<details><pre>\na\n\n[b](/c(d "e")', true],
  ['<pre>a</pre> <code>b</code> `c`', false],
  ['a <b\ftitle="b">c</b>', true],
  ['|a|\n|-\f|\n|b|c|', true],
  ['a\n- 2. b\n\n      <!-- c -->', true],
  ['a\n1. 20. b\n\n         <!-- c -->', true],
  ['a\n> 2. b\n>\n>    <!-- c -->', true],
  ['    a\n2) <!-- b\n\n-->', true],
  ['a\n- -\n      ```b', true],
  ['a\n- 1.\n      ```b', true],
  ['a\n1. b\n2. c\n10. d\n   - e\n- f', false],
  ['> a\n> - b\n>   - c\n\n2. e', false],
  ['<![CDATA[]]]>\n```a', true],
  ['<!-- a ---->\n```b', false],
  ['> [^A]: a\n>\n>     [^a]', true],
  ['> [^1]:\n>\n>     a', true],
  ['- a\n\n  [^1]: b', true],
  ['[^a]: b\n \n    [^a]', true],
  ['[^1]:\r\n \r\n    a', true],
  ['a[^1]\n\n[^1]: b\n\n    c', false],
  ['a\n\n    b\n\n2. c\n\n    <!-- d -->', true],
  ['- \n      a\n  2) b\n\n      <!-- c -->', true],
  ['a\n\n    b\n\n1. c\n\n    <!-- d -->', false],
  ['2. a\n\n   b\n3. c', false],
])('marks that GitHub may read differently: %s', (markdown, isUnclear) => {
  expect(visibleMarkdown(markdown).isUnclear).toBe(isUnclear);
});

function lettersOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, '');
}

function isSubsequence(part: string, whole: string): boolean {
  let index = 0;
  for (const character of whole) {
    index += part.startsWith(character, index) ? character.length : 0;
  }
  return index === part.length;
}

function codeLinesOf(html: string): readonly string[] {
  const blocks = html.matchAll(/<pre[^>]*><code[^>]*>([\s\S]*?)<\/code><\/pre>/g);
  return [...blocks].flatMap(([, code = '']) => decodeString(code).split('\n'));
}

/** Every `W` of a document as a word of its own. */
function withWords(markdown: string): string {
  let count = 0;
  return markdown.replaceAll('W', () => {
    count += 1;
    return `w${count}w`;
  });
}

function wordsOf(text: string): readonly string[] {
  return [...new Set(text.match(/w\d+w/g))].sort();
}

/** Documents of pieces in a row, and documents of blocks, each once: labels are defined once. */
const brokenDocuments = () =>
  fc
    .array(fc.constantFrom(...fragments), { minLength: 1, maxLength: 14 })
    .map((chosen) => withWords(chosen.join('')));
const soundDocuments = () =>
  fc
    .shuffledSubarray([...blocks], { minLength: 1, maxLength: 14 })
    .map((chosen) => withWords(chosen.join('\n\n')));

/** Pieces of everything that Markdown and HTML are made of, whole and broken. */
const fragments: readonly string[] = [
  ...['W', 'W', 'W', ' ', '  ', '    ', '\t', '\n', '\n\n', '\r\n', '\\', '&amp;', '&#x200B;'],
  ...[
    '- ',
    '1. ',
    '> ',
    '# ',
    '---\n',
    '===\n',
    '```',
    '~~~',
    '```js W',
    '`',
    '*',
    '**',
    '_',
    '~~',
  ],
  ...['[', '](', '](/u "W")', '[W]', '[W](/u)', '![W](/i)', ']', '(', ')', '!', '[W][a]', '[a]'],
  ...['[a]: /u "W"\n', '[b]: /u\n', '[//]: # (W)\n', '[^1]', '[^2]', '\n[^1]: W\n', '\n[^2]: W'],
  ...['<!--', '-->', '<!-- W -->', '<!-- W', '--!>', '<!-->', '--', '<?W?>', '<?', '?>', '<!W'],
  ...['<!TODO: W>', '<!Important>', '<p title="W\n\n', '- - [ ] W', '<!-- W--->'],
  ...['<!DOCTYPE W>', '<![CDATA[ W ]]>', '<![CDATA[', ']]>', '<', '>', '"', "'", '='],
  ...['<b>', '</b>', '<b title="W">', '<b title="', '<div>', '<div>\n', '</div>', '<div W="'],
  ...['<div ', '<W>', '</W>', '<custom-W>', '<pre>', '</pre>', '<details>', '<p>', '<br/>'],
  ...['<script>', '</script>', '<textarea>', '</textarea>', '<title>', '<table>', '<td>'],
  ...['<center>', '</center>', '<a href="/u">', '</a>', '<img src="/i" alt="W">'],
  ...[
    '2) ',
    '\uFEFF',
    '\r',
    '`'.repeat(12),
    '*'.repeat(40),
    '['.repeat(30),
    '\\<',
    '\\<b title="W">',
  ],
  ...['<sub>', '</sub>', '<summary>', '</summary>', '</details>', '<ul><li>', '<ruby>', '<h1>'],
  ...['- [ ] ', '- [x] [W]: /u', '-\n    \n    ', '\n    \n', '\f', '[^1]:<!x', '<!todo: '],
  ...['|', '| W ', '|W|W|\n|-|-|\n', '|-|-|\n', '|W|W|W|\n', 'http://W.org ', '<http://W.org>'],
];

/** Blocks as people write them. */
const blocks: readonly string[] = [
  ...['W W W', '# W', '- W\n- W\n  W', '1. W\n2. W', '> W\n> W', '    W W', '***', 'W  \nW'],
  ...[
    '```js W\nW <!-- W -->\n```',
    '- W\n\n  ```\n  W\n  ```\n  <!-- W -->',
    '~~~\n[//]: # (W)\n~~~',
  ],
  ...['W `W` *W* **W** ~~W~~ `<!-- W -->`', '[W](/u) [W](/u "W") ![W](/i "W") <http://W.org>'],
  ...['[W][a] and [W][b b], [W]', '[a]: /u "W"', "[b B]: /u\n'W'", '[//]: # (W)'],
  ...['W[^1] W', 'W[^n]. W', '[^1]: W', '[^n]: W\n\n    W', 'W<!-- W -->W <!-- W --> W'],
  ...[
    '<!-- W -->',
    '<!--\nW\n\nW\n-->',
    '> <!-- W\n> W -->\n> W',
    '- <!-- W -->\n  W',
    'W\n<!-- W -->\nW',
  ],
  ...[
    '<b title="W">W</b> <custom-W>W</custom-W>',
    '<img src="/i" alt="W"> <a href="/u" title="W">W</a>',
  ],
  ...['<details>\n<summary>W</summary>\n\nW\n\n</details>', '<div align="W">\n  <p>W</p>\n</div>'],
  ...['|W|W|\n|-|-|\n|W|W|\n|W|W|W|', '<?W?>', '<!DOCTYPE W>'],
  ...['- W\n  ```\n  W\n  W\n  ```\n- W', '1. W\n   - W\n     <div>\n     W\n     W\n     </div>'],
  ...[
    'W "www.W.org" & W',
    '<h1><p>W</p><p>W</p></h1>',
    '<table><tr><td><p>W</p><p>W</p></td></tr></table>',
  ],
  ...[
    '<center>\nW\n</center>',
    '<center>\n\nW\n\n</center>',
    'W <script>W</script> <textarea>W</textarea>',
  ],
];

/** Where a tag stands alone below a line, GitHub may begin HTML: one of the known differences. */
const loneTag =
  /^[ \t>]*<\/?(?!div|p>|pre|details|summary|center|table|td|h1|ul)[a-z][^\n]*>[ \t]*$/im;

describe('against a renderer that shares no code with ours', () => {
  it('nothing is left that is not seen, whatever the text is made of, unless it is warned of', async () => {
    await fc.assert(
      fc.asyncProperty(brokenDocuments(), async (markdown) => {
        fc.pre(!loneTag.test(markdown));
        const { text, addresses } = await readRendered(markdown);
        const seen = wordsOf(text + addresses);
        const visible = visibleMarkdown(markdown);
        const left = visible.isUnclear ? [] : wordsOf(visible.text);
        expect(left.filter((word) => !seen.includes(word))).toEqual([]);
      }),
      heavyRuns(1000),
    );
  });

  it('what people see is left, and looks the same', async () => {
    await fc.assert(
      fc.asyncProperty(soundDocuments(), async (markdown) => {
        const whole = wordsOf((await readRendered(markdown)).text);
        const { text } = visibleMarkdown(markdown);
        expect(wordsOf(text)).toEqual(whole);
      }),
      heavyRuns(500),
    );
  });
});
