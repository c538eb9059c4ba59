import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { visibleMarkdown } from '../../../../src/agent/prompt/visible-markdown.ts';
import { heavyRuns } from '../../../helpers/heavy-runs.ts';
import { hiddenCases, honestBodies } from '../../../helpers/hidden-cases.ts';
import { readRendered } from '../../../helpers/rendered-text.ts';

describe('what a reader of rendered Markdown is not known to see', () => {
  it.each(hiddenCases)('is left out: %s', (_name, markdown, left) => {
    const { text, hidden } = visibleMarkdown(markdown);
    expect(text).toBe(left);
    expect(text).not.toContain('HID');
    expect(hidden).not.toEqual([]);
  });

  it.each(honestBodies)('nothing, in %s', (_name, markdown) => {
    expect(visibleMarkdown(markdown)).toEqual({ text: markdown, hidden: [] });
  });
});

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
  ...['<!DOCTYPE W>', '<![CDATA[ W ]]>', '<![CDATA[', ']]>', '<', '>', '"', "'", '='],
  ...['<b>', '</b>', '<b title="W">', '<b title="', '<div>', '<div>\n', '</div>', '<div W="'],
  ...['<div ', '<W>', '</W>', '<custom-W>', '<pre>', '</pre>', '<details>', '<p>', '<br/>'],
  ...['<script>', '</script>', '<textarea>', '</textarea>', '<title>', '<table>', '<td>'],
  ...['<center>', '</center>', '<a href="/u">', '</a>', '<img src="/i" alt="W">'],
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
  ...[
    '<center>\nW\n</center>',
    '<center>\n\nW\n\n</center>',
    'W <script>W</script> <textarea>W</textarea>',
  ],
];

describe('against a renderer that shares no code with ours', () => {
  it('nothing is left that is not seen, whatever the text is made of', async () => {
    await fc.assert(
      fc.asyncProperty(brokenDocuments(), async (markdown) => {
        const { text, addresses } = await readRendered(markdown);
        const seen = wordsOf(text + addresses);
        const left = wordsOf(visibleMarkdown(markdown).text);
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
        expect(wordsOf((await readRendered(text)).text)).toEqual(whole);
      }),
      heavyRuns(500),
    );
  });
});
