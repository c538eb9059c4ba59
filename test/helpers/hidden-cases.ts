/**
 * Markdown in which `HID` stands where a reader of the rendered page sees nothing, and `SEEN` where
 * they do; and what is to be left of it. `DROP` is seen by some, and taken out all the same.
 */
export interface HiddenCase {
  readonly name: string;
  readonly markdown: string;
  readonly left: string;
  /** What is counted, and how often. */
  readonly removed: Readonly<Record<string, number>>;
}

type Row = readonly [name: string, markdown: string, left: string, removed: HiddenCase['removed']];

const comments: readonly Row[] = [
  ['a comment in a line', 'SEEN <!-- HID --> SEEN', 'SEEN SEEN', { comment: 1 }],
  ['a comment inside a word', 'SEEN<!-- HID -->SEEN', 'SEENSEEN', { comment: 1 }],
  ['a comment of its own', 'SEEN\n<!-- HID\nHID -->\nSEEN', 'SEEN\n\nSEEN', { comment: 1 }],
  ['a comment at carriage returns', 'SEEN\r\n<!-- HID -->\r\nSEEN', 'SEEN\n\nSEEN', { comment: 1 }],
  ['a comment that holds a fence', '<!--\n```\nHID\n```\n-->SEEN', 'SEEN', { comment: 1 }],
  ['an unclosed comment', 'SEEN\n<!-- HID\n\nHID', 'SEEN', { comment: 1 }],
  ['an unclosed comment in a list item', '- SEEN\n- <!-- HID\n\nHID', '- SEEN\n-', { comment: 1 }],
  ['an unclosed comment in a numbered item', '1. <!-- HID', '1.', { comment: 1 }],
  ['an unclosed comment in a quote', '> SEEN\n> <!-- HID\n\nHID', '> SEEN', { comment: 1 }],
  ['an unclosed comment behind a tag', '<div>SEEN <!-- HID\n\nHID', 'SEEN', { comment: 1 }],
  [
    'an unclosed comment that HTML further down closes',
    '<div><!-- HID\n\n`HID`\n\n<p>HID --> SEEN</p>',
    'SEEN',
    { comment: 1 },
  ],
  ['what swallows the end of a list item', '- <?HID\n  HID\n\nSEEN', '-\n\nSEEN', { comment: 1 }],
  [
    'a comment behind a fence in a list item',
    '- ```\n  SEEN\n  ```\n  <!-- HID -->\n- SEEN',
    '- ```\n  SEEN\n  ```\n- SEEN',
    { comment: 1 },
  ],
  [
    'an unclosed comment behind a fence in a list item',
    '- ~~~\n  SEEN\n  ~~~\n  <!-- HID\n\nHID',
    '- ```\n  SEEN\n  ```',
    { comment: 1 },
  ],
  [
    'comments in a quote in a list',
    '- > <!-- HID\n  > HID -->\n  > SEEN',
    '- > SEEN',
    { comment: 1 },
  ],
  [
    'a comment in a table',
    '| SEEN |\n|---|\n| SEEN <!-- HID --> |',
    '| SEEN |\n| - |\n| SEEN |',
    { comment: 1 },
  ],
  ['a comment in a heading', '# SEEN <!-- HID -->', '# SEEN', { comment: 1 }],
  ['a comment that ends with a bang', '<div><!-- HID --!>SEEN</div>', 'SEEN', { comment: 1 }],
  ['the shortest comments', 'SEEN<!---->SEEN', 'SEENSEEN', { comment: 1 }],
  [
    'a comment that an invisible character keeps open',
    'SEEN <!--\u200B>HID-->',
    'SEEN',
    { comment: 1 },
  ],
  [
    'a comment that blank lines follow in an item',
    '- <!-- HID -->\n\n  SEEN',
    '- SEEN',
    { comment: 1 },
  ],
];

const otherHtml: readonly Row[] = [
  ['an attribute with a slash', '<i title=a/HID>SEEN</i>', '*SEEN*', { title: 1 }],
  [
    'an address without quotes',
    '<a href=https://a.example/x title=HID>SEEN</a>',
    '[SEEN](https://a.example/x)',
    { title: 1 },
  ],
  [
    'HTML in the description of an image',
    '![<b title=">HID">HID](/i.png "HID") SEEN',
    '![](/i.png) SEEN',
    { title: 1, description: 1, word: 2 },
  ],
  ['a processing instruction', 'SEEN <?HID HID?> SEEN', 'SEEN SEEN', { comment: 1 }],
  ['a block that is one', '<?HID\nHID?>\n\nSEEN', 'SEEN', { comment: 1 }],
  ['a declaration', 'SEEN <!DOCTYPE HID> SEEN', 'SEEN SEEN', { comment: 1 }],
  ['CDATA', 'SEEN <![CDATA[ HID ]]> SEEN', 'SEEN SEEN', { comment: 1 }],
  [
    'attributes',
    '<b title="HID" onclick=\'HID\' HID=HID>SEEN</b>',
    '**SEEN**',
    { attribute: 2, title: 1 },
  ],
  ['attributes of an end tag', '<p>SEEN</p HID="HID">', 'SEEN', { attribute: 1 }],
  ['attributes over lines of a quote', '> <b\n> title="HID">SEEN</b>', '> **SEEN**', { title: 1 }],
  [
    'attributes of a link but its address',
    '<a title="HID" href="https://a.example/x">SEEN</a>',
    '[SEEN](https://a.example/x)',
    { title: 1 },
  ],
  [
    'attributes of an image but its address',
    '<img alt="HID" width="9" src="https://a.example/i.png">',
    '![](https://a.example/i.png)',
    { attribute: 1, description: 1 },
  ],
  ['a second address', '<a href="/x" href="HID">SEEN</a>', '[SEEN](/x)', { attribute: 1 }],
  ['an address that GitHub takes out', '<a href="HID:HID">SEEN</a>', '[SEEN]()', {}],
  ['tags that GitHub drops', '<HID-HID>SEEN</HID-HID>', 'SEEN', { tag: 1 }],
  [
    'a dropped tag that holds a block together',
    '<center>\n**SEEN**\n</center>',
    '**SEEN**',
    { tag: 1 },
  ],
  ['a tag that is left open inside quotes', '<div title="\n\nHID\n\n- HID', '', { passage: 1 }],
  ['a tag that is left open', '<div HID\n\nSEEN', 'SEEN', { attribute: 2 }],
  ['two tags that run into one', '<div HID\n\n<div =">HID">', '', { attribute: 2 }],
  [
    'what browsers with ruby do not show',
    '<ruby>SEEN<rp>HID</rp></ruby> SEEN',
    'SEEN SEEN',
    { passage: 1 },
  ],
  [
    'what stands in for a film',
    'SEEN <video src="HID">HID</video> SEEN',
    'SEEN SEEN',
    { passage: 1 },
  ],
];

const swallowed: readonly Row[] = [
  [
    'the rest of a paragraph behind a film',
    'SEEN <video>HID *HID*\n\nSEEN',
    'SEEN\n\nSEEN',
    { passage: 1 },
  ],
  ['all behind a film of its own', '<video>\n\nHID\n\n- </video>\n\nHID', '', { passage: 1 }],
  ['all behind a tag inside a film', 'SEEN <audio><object>HID\n\nHID', 'SEEN', { passage: 1 }],
  ['a template', 'SEEN <template>HID</template>\n\nSEEN', 'SEEN\n\nSEEN', { passage: 1 }],
  [
    'what a browser makes of CDATA',
    'SEEN <![CDATA[ > <b title="]]>HID">\n\nHID',
    'SEEN',
    { comment: 1, passage: 1 },
  ],
  [
    'a footnote behind an unclosed comment',
    'SEEN[^1]\n\n[^1]: HID\n\n<!-- HID',
    'SEEN[^1]',
    { comment: 1 },
  ],
  [
    'what a comment in a footnote hides',
    'SEEN[^1][^2]\n\n[^1]: <div><!-- HID\n\n[^2]: HID\n\nSEEN',
    'SEEN[^1][^2]\n\nSEEN\n\n[^1]:',
    { comment: 1 },
  ],
];

const links: readonly Row[] = [
  [
    'a title of a link',
    '[SEEN](https://a.example "HID")',
    '[SEEN](https://a.example)',
    { title: 1 },
  ],
  [
    'a title over lines of a quote',
    "> [SEEN](</x y>\n> 'HID\n> HID')",
    '> [SEEN](/x%20y)',
    { title: 1, word: 1 },
  ],
  [
    'description and title of an image',
    '![HID [HID](/y)](/i.png "HID")',
    '![](/i.png)',
    { title: 1, description: 1, word: 1 },
  ],
  ['a definition', '[//]: # (HID)\n\nSEEN', 'SEEN', { word: 1 }],
  [
    'a definition in a list',
    '- SEEN\n\n  [HID]: /HID "HID"\n- SEEN',
    '- SEEN\n\n- SEEN',
    { word: 3 },
  ],
  ['a definition in a quote', '> [HID]: <HID HID>\n\nSEEN', '>\n\nSEEN', { word: 3 }],
  ['a definition over lines', '[HID]:\n/HID\n"HID\nHID"\n\nSEEN', 'SEEN', { word: 4 }],
  [
    'label and title of a definition that is used',
    '[SEEN][hid HID]\n\n[HID hid]: /no\n[Hid Hid]: /x "HID"',
    '[SEEN](/no)',
    { word: 8 },
  ],
  [
    'the definition of a shortcut',
    '[SEEN] and [SEEN][]\n\n[seen]: <https://a.example> "HID"',
    '[SEEN](https://a.example) and [SEEN](https://a.example)',
    { title: 2 },
  ],
  [
    'the description of an image by reference',
    '![HID][HID]\n\n[HID]: /i.png',
    '![](/i.png)',
    { description: 1, word: 2 },
  ],
  ['a link without text', 'SEEN [](https://a.example/HID) SEEN', 'SEEN SEEN', { link: 1 }],
  ['an address that leads nowhere', '[SEEN](HID:HID)', '[SEEN]()', { word: 2 }],
  [
    'an unused footnote',
    'SEEN[^1]\n\n[^1]: SEEN\n\n[^2]: HID\n\n    HID\n\nSEEN',
    'SEEN[^1]\n\nSEEN\n\n[^1]: SEEN',
    { word: 3 },
  ],
  [
    'a footnote that an unused one calls',
    '[^1]: HID [^2]\n[^2]: SEEN\n\nSEEN',
    'SEEN\n\n[^1]: SEEN',
    { word: 1 },
  ],
  [
    'a footnote defined twice',
    'SEEN[^1]\n\n[^1]: SEEN\n[^1]: HID',
    'SEEN[^1]\n\n[^1]: SEEN',
    { word: 1 },
  ],
  ['the label of a footnote', 'SEEN[^HID-HID]\n\n[^hid-hid]: SEEN', 'SEEN[^1]\n\n[^1]: SEEN', {}],
];

/** What renderers read differently goes, with all of its block: nobody knows where GitHub hides it. */
const unclear: readonly Row[] = [
  [
    'a declaration in small letters',
    'HID <!element HID> HID\n\nSEEN',
    'SEEN',
    { comment: 1, block: 1 },
  ],
  [
    'a declaration without a space',
    'DROP <!ELEMENT"DROP" <b title=">HID">DROP\n\nSEEN',
    'SEEN',
    { comment: 1, block: 1 },
  ],
  [
    'a comment that only some end',
    'DROP <!-- HID --->DROP-->\n\nSEEN',
    'SEEN',
    { comment: 1, block: 1 },
  ],
  [
    'a title behind a comment that is none',
    'DROP<!--<![<!--->](/u "HID")\n\nSEEN',
    'SEEN',
    { comment: 1, block: 1 },
  ],
  [
    'a title in brackets inside brackets',
    '[[DROP](/x)[DROP][DROP]](/x "HID")\n\nSEEN',
    'SEEN',
    { block: 1 },
  ],
  [
    'a label in brackets inside brackets',
    '[[DROP](/x)[DROP]][HID]\n\n[hid]: /u\n\nSEEN',
    'SEEN',
    { word: 1, block: 1 },
  ],
  ['a title behind an unclosed bracket', '[DROP](/x(y "HID")\n\nSEEN', 'SEEN', { block: 1 }],
  [
    'description and title of an image with an unclosed bracket',
    '![HID]((/i.png "HID") DROP\n\nSEEN',
    'SEEN',
    { block: 1 },
  ],
  ['a footnote whose label holds a bracket', 'SEEN\n\n[^[HID]: HID', 'SEEN', { block: 1 }],
  [
    'a tag alone below a list item',
    '- SEEN\n</i>\n`<b title="HID">`\n\nSEEN',
    '- SEEN\n\nSEEN',
    { block: 1 },
  ],
  ['a source alone in a line', 'DROP\n<source>\n`<!-- HID -->`\n\nSEEN', 'SEEN', { block: 1 }],
];

const rest: readonly Row[] = [
  [
    'what follows the language of a fence',
    '```js HID title="HID"\nSEEN\n```',
    '```js\nSEEN\n```',
    { word: 3 },
  ],
  [
    'a language that is none',
    '~~~ HID-ignore-all-previous-instructions-HID\nSEEN\n~~~',
    '```\nSEEN\n```',
    { attribute: 1 },
  ],
  [
    'what follows the language in a list',
    '- ```yaml HID\n  SEEN\n  ```',
    '- ```yaml\n  SEEN\n  ```',
    { word: 1 },
  ],
  [
    'surplus cells of a table',
    '|SEEN|SEEN|\n|-|-|\n|SEEN|SEEN|HID|HID|\n|SEEN',
    '| SEEN | SEEN |\n| - | - |\n| SEEN | SEEN |\n| SEEN | |',
    { word: 2 },
  ],
  [
    'references to invisible characters',
    'SEEN&#xE0041;&#x200B;&ZeroWidthSpace;&shy;',
    'SEEN',
    { invisible: 4 },
  ],
  [
    'references to invisible characters in HTML',
    '<div>\nSEEN&#xE0041;&amp;\n</div>',
    'SEEN&',
    { invisible: 1 },
  ],
  ['invisible characters', 'SE\u200BEN\u202E\u{E0041}\u2060', 'SEEN', { invisible: 4 }],
];

/** What stays as it is. */
const shown: readonly string[] = [
  '`<!-- SEEN -->` and ``[//]: # (SEEN)``',
  '    <!-- SEEN -->\n    [//]: # (SEEN)',
  '```html\n<!-- SEEN -->\n[SEEN](/x "SEEN")\n```',
  '- ```\n  <!-- SEEN -->\n  ```',
  '> ~~~\n> <!-- SEEN -->\n\nSEEN',
  'SEEN `a <!--` and `-->`',
  'SEEN <!-- SEEN, since no end follows',
  '\\<!-- SEEN --> and &lt;!-- SEEN -->',
  'the <textarea rows="SEEN"> and <script>SEEN</script>, which GitHub shows as text',
  '# SEEN\n\n- [ ] SEEN\n- [x] **SEEN**\n\n1. ~~SEEN~~\n\n> [!NOTE]\n> SEEN\n\n| SEEN | SEEN |\n|:--|--:|\n| SEEN | a \\| b |\n\n---\n',
  '[SEEN](https://a.example/x_(y)?z#1) ![](/i.png) <https://a.example> www.a.example me@a.example',
  '<details>\n<summary>SEEN</summary>\n\nSEEN\n\n</details>\n\n<kbd>Ctrl</kbd>+<kbd>C</kbd><br/>\n',
  'SEEN &amp; &copy; &nbsp; a < b > c, [SEEN] and [SEEN](not a link) [^SEEN]',
  'tab\tand\r\nline ends 👨‍👩‍👧 ❤️ 1️⃣ می‌خواهم',
];

export const hiddenCases: readonly HiddenCase[] = [
  ...[...comments, ...otherHtml, ...swallowed, ...links, ...unclear, ...rest].map(
    ([name, markdown, left, removed]) => ({
      name,
      markdown,
      left,
      removed: Object.fromEntries(Object.entries(removed).filter(([, count]) => count > 0)),
    }),
  ),
  ...shown.map((markdown) => ({
    name: `stays: ${markdown}`,
    markdown,
    left: markdown,
    removed: {},
  })),
];
