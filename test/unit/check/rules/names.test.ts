// biome-ignore-all lint/suspicious/noTemplateCurlyInString: pages have templates of their own
import { describe, expect, it } from 'vitest';
import { docsJson, page, rowsOf, type Texts, table } from '../../../helpers/change.ts';

const settings = (variables: object = { version: '2.0', 'api-url': 'https://api.acme.dev' }) =>
  docsJson(['a', 'b'], { variables });

const site: Texts = {
  'docs.json': settings(),
  'a.mdx': page('A'),
  'b.mdx': page('## Install {{version}}\n\nB'),
  'own.jsx': 'export const Own = () => null',
  'README.md': 'R',
  'snippets/s.mdx': 'export const value = 1\nexport function Part() {}\n\nS',
  'snippets/all.mdx': "export * from './s.mdx'\nexport { value as other } from './s.mdx'",
};

/** What is found in a page if its text becomes another one. */
const edited = (before: string, after: string, own: Texts = {}) =>
  rowsOf(
    {
      before: { ...site, ...own, 'a.mdx': page(before) },
      after: { ...site, ...own, 'a.mdx': page(after) },
    },
    'not-valid',
  );

describe('a name that nothing defines is a finding:', () => {
  const noPort =
    'Nothing declares "port", which an expression of the page needs: declare or import it, or correct the name.';
  const noNope =
    "Nothing defines the component <Nope>, so Mintlify drops it and what stands in it: import it, or use a component of Mintlify's.";
  const noVariable =
    'The settings declare no variable {{versoin}}, so Mintlify cannot build the site: correct the name, or add it to "variables" in docs.json.';

  it.each(
    table(`
      Use {port}. ⇒ Nothing declares {port}, so Mintlify drops it: write "\\{port\\}" if readers should see it.
      Use {api.port}. ⇒ Nothing declares {api}, so Mintlify drops it: write "\\{api\\}" if readers should see it.
      Use {process.env.KEY}. ⇒ Nothing declares {process}, so Mintlify drops it: write "\\{process\\}" if readers should see it.
      Use {port + 1}. ⇒ ${noPort}
      <Card title={port}>A</Card> ⇒ ${noPort}
      <p style={{ width: port }}>A</p> ⇒ ${noPort}
      <Card {...port}>A</Card> ⇒ ${noPort}
      <p>{[1].map((one) => one)}{port()}</p> ⇒ ${noPort}
      <p>{{ [port]: 1 }.port}</p> ⇒ ${noPort}
      <Card icon={<Nope />}>A</Card> ⇒ ${noNope}
      {[1].map(() => <Nope />)} ⇒ ${noNope}
      <nope.Part /> ⇒ Nothing defines the component <nope.Part>, so Mintlify drops it and what stands in it: import it, or use a component of Mintlify's.
      import { nope } from '/snippets/s.mdx'⏎⏎{nope} ⇒ The file /snippets/s.mdx exports no "nope": correct the import, or export it there.
      import { 'no-pe' as nope } from './snippets/s.mdx'⏎⏎{nope} ⇒ The file ./snippets/s.mdx exports no "no-pe": correct the import, or export it there.
      It is {{versoin}}. ⇒ ${noVariable}
      It is {{ versoin }} as in \`{{versoin}}\`. ⇒ ${noVariable}
      <Own no="{{versoin}}" />⏎⏎import Own from '/own.jsx' ⇒ ${noVariable}
      See [it]({{versoin}}). ⇒ ${noVariable}`),
  )('%s', (text, expected) => {
    expect(edited('A', text)).toEqual([`not-valid @ a.mdx:6: ${expected}`]);
    expect(edited(text, `A\n\n${text}`)).toEqual([]);
  });

  it('at the line of its own in an element of several lines', () => {
    const [row] = edited('A', '<Card\n  title="A"\n  icon={<Nope />}\n/>');
    expect(row).toBe(`not-valid @ a.mdx:8: ${noNope}`);
  });

  it('though the page declares such a name inside of a function', () => {
    const text = 'export const Own = ({ port }) => <b>{port}</b>\n\n<Own /> {port}';
    expect(edited('A', text)).toEqual([
      expect.stringContaining('a.mdx:8: Nothing declares {port}'),
    ]);
  });
});

it.each([
  '{user.name} {props.x} {Math.max(1, 2)} {window?.x} {useState(1)} {undefined}',
  '<p onClick={() => requestAnimationFrame(() => structuredClone(navigator))}>A</p>',
  '{typeof port} {`a`} {"port"} {{ port: 1 }.port} {Math.port} {import.meta.port}',
  '{[1].map(({ a, b: [c] = [], ...d }, i) => a + c + d + i)} {function port() { return port }}',
  '<p onClick={() => go(port)}>A</p> {(() => port)()}',
  'export const a = 1, [b, { c: d }] = x\nexport function E() {}\nexport class F {}\n\n{a}{b}{d}<E /><F />',
  'export default function Own() {}\n\n<Own />',
  "import S, { value as own, Part } from '/snippets/s.mdx'\nimport * as all from '/snippets/s.mdx'\n\n<S /> {own} <Part /> <all.Part /> {all.value}",
  "import { value, other } from './snippets/all.mdx'\nimport { any } from '/own.jsx'\nimport { x } from 'x'\nimport { y } from './README.md'\n\n{value}{other}{any}{x}{y}",
  "<Note>\n\nimport Own from '/own.jsx'\n\n<Own />\n\n</Note>",
  'It is {{version}} at {{ api-url }}, `{{nope}}` and $x$ \\{\\{nope}}.',
  '## Of {{version}}\n\n<Card href="{{api-url}}/x" title="{{version}}">A</Card> a={{api-url}} b={{version}}',
  '```sh\n{{nope}}\n```\n\n$$\n{{nope}}\n$$',
  '[x](/b#install-20) [x](#of-20)\n\n## Of {{version}}',
])('a name that something defines, or that stands in code, is none: %s', (text) => {
  expect(edited('A', text)).toEqual([]);
});

it.each(['URL', 'location', 'Number', 'process', 'user', 'useState'])(
  'a name of JavaScript alone in braces shows nothing: {%s}',
  (name) => {
    expect(edited('A', `Open https://{${name}}/v1.`)).toEqual([
      expect.stringContaining(`Nothing declares {${name}}`),
    ]);
  },
);

it('names in front matter are not judged', () => {
  const after = { ...site, 'a.mdx': page('A', 'title: "{{nope}} {port}"') };
  expect(rowsOf({ before: site, after }, 'not-valid')).toEqual([]);
});

it('values of a snippet are what pages give it, but its components and variables are its own', () => {
  const after = { ...site, 'snippets/s.mdx': `${site['snippets/s.mdx']} {port} <Nope /> {{nope}}` };
  expect(rowsOf({ before: site, after }, 'not-valid')).toEqual([
    expect.stringMatching(/^not-valid @ snippets\/s\.mdx:4: Nothing defines the component <Nope>/),
    expect.stringMatching(
      /^not-valid @ snippets\/s\.mdx:4: The settings declare no variable \{\{nope\}\}/,
    ),
  ]);
});

describe('an unchanged page has a finding', () => {
  const used: Texts = {
    ...site,
    'a.mdx': page(
      "import { value, Part } from '/snippets/s.mdx'\n\n{value} at {{api-url}} <Part />",
    ),
  };

  it('if a snippet does not export any more what the page imports', () => {
    const after = { ...used, 'snippets/s.mdx': 'export const value = 1\n\nS' };
    expect(rowsOf({ before: used, after }, 'not-valid')).toEqual([
      'not-valid @ a.mdx:6: The file /snippets/s.mdx exports no "Part": correct the import, or export it there.',
    ]);
    const moved = { ...used, 'snippets/s.mdx': "export * from './t.mdx'" };
    expect(rowsOf({ before: used, after: moved }, 'not-valid')).toEqual([]);
  });

  it('if the settings lose a variable, unless they cannot be read', () => {
    const after = { ...used, 'docs.json': settings({ version: '2.0' }) };
    expect(rowsOf({ before: used, after }, 'not-valid')).toEqual([
      'not-valid @ a.mdx:8: The settings declare no variable {{api-url}}, so Mintlify cannot build the site: correct the name, or add it to "variables" in docs.json.',
    ]);
    const unread = docsJson(['a', 'b', { $ref: './gone.json' }]);
    const rows = rowsOf({ before: used, after: { ...used, 'docs.json': unread } }, 'not-valid');
    expect(rows.filter((one) => !one.startsWith('not-valid @ docs.json'))).toEqual([]);
  });
});

describe('other pages are evidence for a component', () => {
  const rows = (...others: string[]) => {
    const pages = others.map((text, index) => [`guides/${index}.mdx`, page(text)]);
    return edited('A', '<Own />', Object.fromEntries(pages));
  };

  it('if they use the component without a definition of their own', () => {
    expect(rows('<Own />', '<Note>A</Note>')).toEqual([]);
  });

  it.each([
    "import { Own } from '/own.jsx'\n\n<Own />",
    'export const Own = () => <b />\n\n<Own />',
  ])('and not if one of them defines the component: %s', (other) => {
    const finding = expect.stringContaining('a.mdx:6: Nothing defines the component <Own>');
    expect(rows(other)).toEqual([finding]);
    expect(rows('<Own />', other)).toEqual([finding]);
  });
});
