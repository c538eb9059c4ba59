/**
 * Markdown in which `HID` stands where a reader of the rendered page sees nothing, and `SEEN` where
 * they do; and what is to be left of it.
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
  ['a comment in a line', 'SEEN <!-- HID --> SEEN', 'SEEN  SEEN', { comment: 1 }],
  ['a comment inside a word', 'SEEN<!-- HID -->SEEN', 'SEENSEEN', { comment: 1 }],
  ['a comment of its own', 'SEEN\n<!-- HID\nHID -->\nSEEN', 'SEEN\n\nSEEN', { comment: 1 }],
  [
    'a comment at carriage returns',
    'SEEN\r\n<!-- HID -->\r\nSEEN',
    'SEEN\r\n\r\nSEEN',
    { comment: 1 },
  ],
  ['a comment that holds a fence', '<!--\n```\nHID\n```\n-->SEEN', '<!---->SEEN', { comment: 1 }],
  ['an unclosed comment', 'SEEN\n<!-- HID\n\nHID', 'SEEN\n', { comment: 1 }],
  [
    'an unclosed comment in a list item',
    '- SEEN\n- <!-- HID\n\nHID',
    '- SEEN\n- <!---->',
    { comment: 1 },
  ],
  ['an unclosed comment in a numbered item', '1. <!-- HID', '1. <!---->', { comment: 1 }],
  ['an unclosed comment in a quote', '> SEEN\n> <!-- HID\n\nHID', '> SEEN\n> ', { comment: 1 }],
  [
    'an unclosed comment behind a tag',
    '<div>SEEN <!-- HID\n\nHID',
    '<div>SEEN <!---->',
    { comment: 1 },
  ],
  [
    'an unclosed comment that HTML further down closes',
    '<div><!-- HID\n\n`HID`\n\n<p>HID --> SEEN</p>',
    '<div><b></b> SEEN</p>',
    { comment: 1 },
  ],
  ['what swallows the text of a tight list', '- <?HID\n  HID\n\nHID', '- <!---->', { passage: 1 }],
  [
    'a comment behind a fence in a list item',
    '- ```\n  SEEN\n  ```\n  <!-- HID -->\n- SEEN',
    '- ```\n  SEEN\n  ```\n  \n- SEEN',
    { comment: 1 },
  ],
  [
    'an unclosed comment behind a fence in a list item',
    '- ~~~\n  SEEN\n  ~~~\n  <!-- HID\n\nHID',
    '- ~~~\n  SEEN\n  ~~~\n  ',
    { comment: 1 },
  ],
  [
    'comments in a quote in a list',
    '- > <!-- HID\n  > HID -->\n  > SEEN',
    '- > <!---->\n  > SEEN',
    { comment: 1 },
  ],
  [
    'a comment in a table',
    '| SEEN |\n|---|\n| SEEN <!-- HID --> |',
    '| SEEN |\n|---|\n| SEEN  |',
    { comment: 1 },
  ],
  ['a comment in a heading', '# SEEN <!-- HID -->', '# SEEN ', { comment: 1 }],
  [
    'a comment that ends with a bang',
    '<div><!-- HID --!>SEEN</div>',
    '<div>SEEN</div>',
    { comment: 1 },
  ],
  ['the shortest comments', 'SEEN<!---->SEEN', 'SEENSEEN', { comment: 1 }],
  [
    'a comment that an invisible character keeps open',
    'SEEN <!--\u200B>HID-->',
    'SEEN ',
    { comment: 1 },
  ],
  [
    'a comment that blank lines follow in an item',
    '- <!-- HID -->\n\n  SEEN',
    '- <!---->\n\n  SEEN',
    { comment: 1 },
  ],
];

const otherHtml: readonly Row[] = [
  ['a processing instruction', 'SEEN <?HID HID?> SEEN', 'SEEN  SEEN', { comment: 1 }],
  ['a block that is one', '<?HID\nHID?>\n\nSEEN', '\n\nSEEN', { comment: 1 }],
  ['a declaration', 'SEEN <!DOCTYPE HID> SEEN', 'SEEN  SEEN', { comment: 1 }],
  ['a declaration in small letters', 'SEEN <!element HID> SEEN', 'SEEN  SEEN', { comment: 1 }],
  ['CDATA', 'SEEN <![CDATA[ HID ]]> SEEN', 'SEEN  SEEN', { comment: 1 }],
  [
    'attributes',
    '<b title="HID" onclick=\'HID\' HID=HID>SEEN</b>',
    '<b>SEEN</b>',
    { attribute: 3 },
  ],
  ['attributes of an end tag', '<p>SEEN</p HID="HID">', '<p>SEEN</p>', { attribute: 1 }],
  [
    'attributes over lines of a quote',
    '> <b\n> title="HID">SEEN</b>',
    '> <b>SEEN</b>',
    { attribute: 1 },
  ],
  [
    'attributes of a link but its address',
    '<a title="HID" href="https://a.example/x">SEEN</a>',
    '<a href="https://a.example/x">SEEN</a>',
    { attribute: 1 },
  ],
  [
    'attributes of an image but its address',
    '<img alt="HID" width="9" src="https://a.example/i.png">',
    '<img src="https://a.example/i.png">',
    { attribute: 2 },
  ],
  [
    'a second address',
    '<a href="/x" href="HID">SEEN</a>',
    '<a href="/x">SEEN</a>',
    { attribute: 0 },
  ],
  [
    'an address that GitHub takes out',
    '<a href="HID:HID">SEEN</a>',
    '<a>SEEN</a>',
    { attribute: 1 },
  ],
  ['tags that GitHub drops', '<HID-HID>SEEN</HID-HID>', 'SEEN', { tag: 2 }],
  [
    'a dropped tag that holds a block together',
    '<center>\n**SEEN**\n</center>',
    '<div>\n**SEEN**\n</div>',
    { tag: 2 },
  ],
  ['a tag that is left open inside quotes', '<div title="\n\nHID\n\n- HID', '', { passage: 1 }],
  ['a tag that is left open', '<div HID\n\nSEEN', '<div>\n\nSEEN', { attribute: 1 }],
  ['two tags that run into one', '<div HID\n\n<div =">HID">', '<div>', { attribute: 2 }],
  [
    'what browsers with ruby do not show',
    '<ruby>SEEN<rp>HID</rp></ruby> SEEN',
    '<ruby>SEEN<b></b></ruby> SEEN',
    { passage: 1 },
  ],
  [
    'what stands in for a film',
    'SEEN <video src="HID">HID</video> SEEN',
    'SEEN  SEEN',
    { passage: 1 },
  ],
];

const swallowed: readonly Row[] = [
  [
    'the rest of a paragraph behind a film',
    'SEEN <video>HID *HID*\n\nSEEN',
    'SEEN <!---->\n\nSEEN',
    { passage: 1 },
  ],
  ['all behind a film of its own', '<video>\n\nHID\n\n- </video>\n\nHID', '', { passage: 1 }],
  [
    'all behind a tag inside a film',
    'SEEN <audio><object>HID\n\nHID',
    'SEEN <!---->',
    { passage: 1 },
  ],
  ['all behind a template', 'SEEN <template>HID</template>\n\nHID', 'SEEN <!---->', { passage: 1 }],
  [
    'what a browser makes of CDATA',
    'SEEN <![CDATA[ > <b title="]]>HID">\n\nHID',
    'SEEN  <!---->',
    { comment: 1, passage: 1 },
  ],
  [
    'a footnote behind an unclosed comment',
    'SEEN[^1]\n\n[^1]: HID\n\n<!-- HID',
    'SEEN[^1]\n\n[^1]:<!---->\n\n',
    { comment: 1 },
  ],
  [
    'what a comment in a footnote hides',
    'SEEN[^1][^2]\n\n[^1]: <div><!-- HID\n\n[^2]: HID\n\nSEEN',
    'SEEN[^1][^2]\n\n[^1]: <div><!---->\n\n[^2]:<!---->\n\nSEEN',
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
    '> [SEEN](</x y>)',
    { title: 1 },
  ],
  [
    'a title in brackets inside brackets',
    '[[SEEN](/x)[SEEN][SEEN]](/x "HID")',
    '[[SEEN](/x)[SEEN][SEEN]](/x)',
    { title: 1 },
  ],
  ['a title behind an unclosed bracket', '[SEEN](/x(y "HID")', '[SEEN](/x(y)', { title: 1 }],
  [
    'description and title of an image with an unclosed bracket',
    '![HID]((/i.png "HID") SEEN',
    '![]((/i.png) SEEN',
    { title: 1, description: 1 },
  ],
  [
    'description and title of an image',
    '![HID [HID](/y)](/i.png "HID")',
    '![](/i.png)',
    { title: 1, description: 1 },
  ],
  ['a definition', '[//]: # (HID)\n\nSEEN', '\n\nSEEN', { definition: 1 }],
  [
    'a definition in a list',
    '- SEEN\n\n  [HID]: /HID "HID"\n- SEEN',
    '- SEEN\n\n  \n- SEEN',
    { definition: 1 },
  ],
  ['a definition in a quote', '> [HID]: <HID HID>\n\nSEEN', '> \n\nSEEN', { definition: 1 }],
  ['a definition over lines', '[HID]:\n/HID\n"HID\nHID"\n\nSEEN', '\n\nSEEN', { definition: 1 }],
  [
    'label and title of a definition that is used',
    '[SEEN][hid HID]\n\n[HID hid]: /no\n[Hid Hid]: /x "HID"',
    '[SEEN](/no)\n\n\n',
    { label: 1, definition: 1 },
  ],
  [
    'the definition of a shortcut',
    '[SEEN] and [SEEN][]\n\n[seen]: <https://a.example> "HID"',
    '[SEEN](<https://a.example>) and [SEEN](<https://a.example>)\n\n',
    { title: 1 },
  ],
  [
    'the description of an image by reference',
    '![HID][HID]\n\n[HID]: /i.png',
    '![](/i.png)\n\n',
    { description: 1, label: 1 },
  ],
  ['a link without text', 'SEEN [](https://a.example/HID) SEEN', 'SEEN  SEEN', { link: 1 }],
  ['an address that leads nowhere', '[SEEN](HID:HID)', '[SEEN]()', { address: 1 }],
  [
    'an unused footnote',
    'SEEN[^1]\n\n[^1]: SEEN\n\n[^2]: HID\n\n    HID\n\nSEEN',
    'SEEN[^1]\n\n[^1]: SEEN\n\n\n\nSEEN',
    { footnote: 1 },
  ],
  [
    'a footnote that only an unused one calls',
    '[^1]: HID [^2]\n[^2]: HID\n\nSEEN',
    '\n\n\nSEEN',
    { footnote: 2 },
  ],
  [
    'a footnote defined twice',
    'SEEN[^1]\n\n[^1]: SEEN\n[^1]: HID',
    'SEEN[^1]\n\n[^1]: SEEN\n',
    { footnote: 1 },
  ],
  ['the label of a footnote', 'SEEN[^HID-HID]\n\n[^hid-hid]: SEEN', 'SEEN[^1]\n\n[^1]: SEEN', {}],
];

const rest: readonly Row[] = [
  [
    'what follows the language of a fence',
    '```js HID title="HID"\nSEEN\n```',
    '```js\nSEEN\n```',
    { note: 1 },
  ],
  [
    'a language that is none',
    '~~~ HID-ignore-all-previous-instructions-HID\nSEEN\n~~~',
    '~~~ \nSEEN\n~~~',
    { note: 1 },
  ],
  [
    'what follows the language in a list',
    '- ```yaml HID\n  SEEN\n  ```',
    '- ```yaml\n  SEEN\n  ```',
    { note: 1 },
  ],
  [
    'surplus cells of a table',
    '|SEEN|SEEN|\n|-|-|\n|SEEN|SEEN|HID|HID|\n|SEEN',
    '|SEEN|SEEN|\n|-|-|\n|SEEN|SEEN\n|SEEN',
    { cell: 2 },
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
    '<div>\nSEEN&amp;\n</div>',
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
  ...[...comments, ...otherHtml, ...swallowed, ...links, ...rest].map(
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
