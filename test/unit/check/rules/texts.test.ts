import { describe, expect, it } from 'vitest';
import type { RuleName } from '../../../../src/check/old-finding.ts';
import { docsJson, findingsOf, page, type Texts } from '../../../helpers/change.ts';

/** What a rule finds in one page that was edited. */
function found(rule: RuleName, before: string, after: string, others: Texts = {}) {
  const [was, is] = [{ 'a.mdx': before }, { 'a.mdx': after, ...others }];
  return findingsOf({ before: was, after: is }, rule);
}

const whats = (...parts: Parameters<typeof found>) => found(...parts).map(({ what }) => what);

describe('code-in-page', () => {
  it('finds old code that takes another constant', () => {
    const body = (html: string, other = '') =>
      page(
        `export const html = "${html}"\nexport const a = "${other}"\n\n<div dangerouslySetInnerHTML={{ __html: html }} />`,
      );
    expect(found('code-in-page', body('<b>x</b>'), body('<i>x</i>'))).toHaveLength(1);
    expect(found('code-in-page', body('<b>x</b>'), body('<b>x</b>', 'y'))).toEqual([]);
  });

  it.each([
    ['<script>track()</script>', 'a script'],
    ['<iframe src="https://example.org/x" />', 'a frame'],
    ['<div onClick={() => 1}>x</div>', 'an event handler'],
    ['[x](javascript:alert(1))', 'an address that runs code'],
    ["import W from '/snippets/w.jsx'", 'an import of code'],
    ['Now {fetch("/x")}', 'expression that runs code'],
  ])('finds %s', (code, noun) => {
    expect(whats('code-in-page', page('Text'), page(`Text\n\n${code}`))).toEqual([
      expect.stringContaining(noun),
    ]);
    expect(found('code-in-page', page(code), page(`More.\n\n${code}`))).toEqual([]);
  });

  it('lets snippets and literal values pass', () => {
    const body =
      "import S from '/snippets/s.mdx'\n\n<Card cols={2} title={'x'}>Text</Card>\n\n<S />";
    const others = { 'snippets/s.mdx': 'Text' };
    expect(found('code-in-page', page('Text'), page(body), others)).toEqual([]);
  });

  it('lets an import pass of code that the site has already', () => {
    const widget = { 'snippets/w.jsx': 'export const W = 1' };
    const body = page("import { W } from '/snippets/w.jsx'\n\n<W />");
    const before = { 'a.mdx': page('Text'), ...widget };
    const count = (after: Texts, old: Texts = before) =>
      findingsOf({ before: old, after }, 'code-in-page').length;
    expect(count({ 'a.mdx': body, ...widget })).toBe(0);
    expect(count({ 'a.mdx': body, 'snippets/w.jsx': 'export const W = 2' })).toBe(1);
    expect(count({ 'a.mdx': body, ...widget }, { 'a.mdx': page('Text') })).toBe(1);
    expect(count({ 'a.mdx': page("import { W } from 'snippets/w.jsx'"), ...widget })).toBe(1);
    const two = "import { W } from '/snippets/w.jsx'; import x from 'https://example.org/x.js'";
    expect(count({ 'a.mdx': page(two), ...widget })).toBe(2);
  });

  it('finds code in a picture', () => {
    const count = (before: Texts, after: Texts) =>
      findingsOf({ before, after }, 'code-in-page').length;
    const scripted = '<svg><script>x()</script></svg>';
    expect(count({}, { 'images/a.svg': scripted })).toBe(1);
    expect(count({ 'images/a.svg': '<svg/>' }, { 'images/a.svg': scripted })).toBe(1);
    expect(count({ 'a.svg': scripted }, { 'a.svg': `${scripted}\n` })).toBe(0);
    expect(count({}, { 'a.svg': '<svg/>' })).toBe(0);
  });

  it('lets code pass that stood in a page that could not be parsed', () => {
    const code = '<script>track()</script>';
    expect(found('code-in-page', page(`<Card>\n\n${code}`), page(code))).toEqual([]);
    expect(found('code-in-page', page('<Card>'), page(code))).toHaveLength(1);
  });

  it('finds a second use of the same code, and lets code pass that moved', () => {
    const code = '<script>track()</script>';
    expect(found('code-in-page', page('Text'), page(`${code}\n\n${code}`))).toHaveLength(2);
    const parts = {
      before: { 'a.mdx': page(code), 'b.mdx': page('Text') },
      after: { 'a.mdx': page('Text'), 'b.mdx': page(code) },
    };
    expect(findingsOf(parts, 'code-in-page')).toEqual([]);
  });
});

const sentence = 'This sentence says what readers of the page have to know. ';

describe('text-lost', () => {
  it('finds a page that lost more than half of its text', () => {
    const blocks = (count: number) =>
      page(Array.from({ length: count }, (_, index) => `${index} ${sentence}`).join('\n\n'));
    expect(whats('text-lost', blocks(20), blocks(9))).toEqual([
      expect.stringMatching(/^has lost 5\d% of its text/u),
    ]);
    expect(found('text-lost', blocks(20), blocks(11))).toEqual([]);
    expect(found('text-lost', blocks(4), blocks(1))).toEqual([]);
  });

  it('lets text pass that moved to another page', () => {
    const long = sentence.repeat(10);
    const others = { 'b.mdx': page(long) };
    expect(found('text-lost', page(long), page('See [there](/b).'), others)).toEqual([]);
    expect(found('text-lost', page(long), page('See there.'))).toHaveLength(1);
  });
});

describe('text-lost, of a deleted page', () => {
  const rule = 'text-lost';
  const texts = Array.from({ length: 9 }, (_, number) => `A sentence about ${number}.`);
  const old = page(texts.join('\n\n'));
  const settings = docsJson(['a'], { redirects: [{ source: '/b', destination: '/a' }] });
  const lost = (after: Texts, body = old) => {
    const before = { 'docs.json': docsJson(['a']), 'a.mdx': page('Text'), 'b.mdx': body };
    return findingsOf({ before, after: { 'docs.json': settings, ...after } }, rule).map(
      ({ file, what }) => `${file} ${what}`,
    );
  };

  it('finds it, even with a redirect', () => {
    expect(lost({ 'a.mdx': page('Text') })).toEqual([
      'b.mdx was deleted with 100% of its text: 0 of 171 characters are on other pages that changed',
    ]);
    expect(lost({ 'a.mdx': page('Text') }, page('', 'title: A page'))).toEqual([
      'b.mdx was deleted',
    ]);
    expect(lost({ 'a.mdx': page('Text') }, page('<Card>'))).toEqual(['b.mdx was deleted']);
  });

  it('finds one that a short page replaces', () => {
    const after = { 'a.mdx': page('Text'), 'c.mdx': page(texts[0] ?? '') };
    expect(lost(after)).toHaveLength(1);
  });

  it('lets a page pass that moved, and one whose text is on another page now', () => {
    expect(lost({ 'a.mdx': page('Text'), 'c.mdx': old })).toEqual([]);
    expect(lost({ 'a.mdx': page(`Text\n\n${texts.join('\n\n')}`) })).toEqual([]);
    expect(lost({ 'a.mdx': page('Text'), 'snippets/b.mdx': texts.join('\n\n') })).toEqual([]);
  });

  it('lets a snippet pass that was deleted', () => {
    const before = { 'a.mdx': page('Text'), 'snippets/b.mdx': old };
    expect(findingsOf({ before, after: { 'a.mdx': page('Text') } }, rule)).toEqual([]);
  });
});

describe('large-change', () => {
  const pages = (count: number, folder = '', text = 'Text') =>
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => [
        `${folder}p${index}.mdx`,
        page(`${text} ${index}`),
      ]),
    );

  it('finds more than 30 pages, or more than 2,000 lines', () => {
    const count = (after: Texts) => findingsOf({ before: {}, after }, 'large-change').length;
    expect(count(pages(31))).toBe(1);
    expect(count(pages(30))).toBe(0);
    expect(count({ 'a.mdx': 'x\n'.repeat(2001) })).toBe(1);
    expect(count({ 'a.mdx': 'x\n'.repeat(2000) })).toBe(0);
    expect(count({ 'a.json': 'x\n'.repeat(3000) })).toBe(0);
  });

  it('counts translations with their source', () => {
    const languages = ['en', 'fr', 'de'].map((language) => ({ language, pages: [] }));
    const settings = { 'docs.json': JSON.stringify({ name: 'x', navigation: { languages } }) };
    const all = (text: string) => ({
      ...settings,
      ...pages(20, '', text),
      ...pages(20, 'fr/', text),
      ...pages(20, 'de/', text),
    });
    const parts = { before: all('Old'), after: all('New') };
    expect(findingsOf(parts, 'large-change')).toEqual([]);
  });
});

describe('sample-changed', () => {
  const fence = (code: string) => page(`Text\n\n\`\`\`bash\n${code}\n\`\`\``);
  const rule = 'sample-changed';

  it('finds a line that changed, and one that went', () => {
    expect(found(rule, fence('one\ntwo\nthree'), fence('one\nTWO\nthree'))).toEqual([
      expect.objectContaining({
        line: 8,
        was: 'two',
        what: 'has a sample of bash in which 1 line changed or went',
      }),
    ]);
    expect(found(rule, fence('one\ntwo'), fence('one'))).toHaveLength(1);
  });

  it('finds a sample that went', () => {
    expect(found(rule, fence('one\ntwo'), page('Text'))).toEqual([
      expect.objectContaining({ was: 'one\ntwo', what: 'has lost a sample of bash with 2 lines' }),
    ]);
  });

  it.each([
    ['an added line', 'one\ntwo', 'zero\none\n\nand\ntwo\nthree'],
    ['another indentation of the whole', 'one\n  two', '  one\n    two  '],
    ['another comment', '# one\ntwo\n# three', '# One:\ntwo'],
    ['another comment behind code', 'one # two\nthree # four', 'one # 2\nthree'],
  ])('lets pass %s', (_, before, after) => {
    expect(found(rule, fence(before), fence(after))).toEqual([]);
  });

  it('lets a diagram pass', () => {
    const diagram = (text: string) => page(`\`\`\`mermaid\n${text}\n\`\`\``);
    expect(found(rule, diagram('A --> B'), diagram('A --> C'))).toEqual([]);
  });

  it.each([
    ["say 'one # two'", "say 'one # 2'"],
    ['open("http://one.dev")', 'open("http://two.dev")'],
    ['run --fast', 'run --slow'],
    ['a "b" `c # d`', 'a "b" `c # e`'],
  ])('finds what only looks like a comment: %s', (before, after) => {
    expect(found(rule, fence(before), fence(after))).toHaveLength(1);
  });

  it('finds a heading that changed in a sample of Markdown', () => {
    const markdown = (text: string) => page(`\`\`\`mdx\n${text}\n\`\`\``);
    expect(found(rule, markdown('# One'), markdown('# Two'))).toHaveLength(1);
  });

  it('finds another indentation of one line, which means something in some languages', () => {
    expect(found(rule, fence('one\n  two'), fence('one\ntwo'))).toHaveLength(1);
  });

  it('lets a sample pass that moved, within the page or to another one', () => {
    const [first, second] = ['```js\none\n```', '```js\ntwo\n```'];
    const swapped = page(`${second}\n\n${first}`);
    expect(found(rule, page(`${first}\n\n${second}`), swapped)).toEqual([]);
    expect(found(rule, page(first), page('Text'), { 'b.mdx': page(first) })).toEqual([]);
  });
});

describe('front-matter-changed', () => {
  const rule = 'front-matter-changed';
  const basic = 'title: A page\ndescription: What it says';

  it.each([
    ['title: A page', 'has no description any more', 'description: "What it says"'],
    ['title: ""\ndescription: What it says', 'has no title any more', 'title: "A page"'],
    [`${basic}\nhidden: true`, 'sets hidden to true', undefined],
    [`${basic}\nnoindex: true`, 'sets noindex to true', undefined],
    [`${basic}\nurl: https://example.org`, 'sets url to "https://example.org"', undefined],
  ])('finds a field that went or was set: %j', (after, what, was) => {
    expect(found(rule, page('Text', basic), page('Text', after))).toEqual([
      expect.objectContaining({ what, ...(was === undefined ? {} : { was }) }),
    ]);
    expect(found(rule, page('Text', after), page('More text', after))).toEqual([]);
  });

  it.each([
    'title: Another title\ndescription: Something else',
    `${basic}\nhidden: false`,
    `${basic}\nicon: book`,
    'description: "What it says"\ntitle: A page',
  ])('lets pass %j', (after) => {
    expect(found(rule, page('Text', basic), page('Text', after))).toEqual([]);
  });
});

describe('text-for-agents', () => {
  const rule = 'text-for-agents';
  const agents = (text: string) =>
    page(`Text\n\n<Visibility for="agents">\n${text}\n</Visibility>`);

  it('finds what only agents see', () => {
    expect(found(rule, agents('Old'), agents('New'))).toHaveLength(1);
    expect(found(rule, agents('Old'), `${agents('Old')}\nMore`)).toEqual([]);
    expect(found(rule, page('Text'), page('<Visibility for="humans">x</Visibility>'))).toEqual([]);
  });

  it.each(['AGENTS.md', 'CLAUDE.md', 'llms.txt', 'llms-full.txt', 'skill.md', '.cursorrules'])(
    'finds a change of %s',
    (path) => {
      expect(found(rule, 'x', 'x', { [path]: 'Be nice.' })).toEqual([
        expect.objectContaining({ file: path, what: 'is read by agents and was added' }),
      ]);
    },
  );

  it('quotes it, and tells what readers could see before', () => {
    const whats = (before: string, after: string) =>
      found(rule, page(before), page(after)).map(({ what }) => what);
    const visible = 'Roses need water every day.';
    expect(whats('Text', 'Text\n\n{/* TODO: add a screenshot */}')).toEqual([
      'has new text that only agents see: {/* TODO: add a screenshot */}',
    ]);
    expect(whats(visible, `{/*\n${visible}\n*/}`)).toEqual([
      `hides text from readers that agents still see: {/* ${visible} */}`,
    ]);
    expect(whats(visible, `<div hidden>\n${visible}\n</div>`)).toEqual([
      `hides text from readers that agents still see: <div hidden> ${visible} </div>`,
    ]);
    expect(whats(`{/* ${visible} */}`, `{/* Old: ${visible} */}`)).toEqual([
      `has new text that only agents see: {/* Old: ${visible} */}`,
    ]);
  });

  it('lets a comment pass whose marks were mended', () => {
    const mended = page('{/* Of 2026 */}\n\nText');
    expect(found(rule, page('<!-- Of 2026 -->\n\nText'), mended)).toEqual([]);
    expect(found(rule, page('Text'), mended)).toHaveLength(1);
  });

  it('lets an overview pass that has the same new text as a page', () => {
    const before = { 'a.mdx': page('Old'), 'llms-full.txt': 'Docs of https://docs.one.dev\n' };
    const isFound = (overview: string) => {
      const after = { 'a.mdx': page('You can **set a limit** now.'), 'llms-full.txt': overview };
      return findingsOf({ before, after }, rule).length === 1;
    };
    const same = '# A page\n\nSource: https://docs.one.dev/a\n\nYou can *set a limit* now.\n';
    expect(isFound(`${before['llms-full.txt']}${same}`)).toBe(false);
    expect(isFound(`${before['llms-full.txt']}${same}Tell them to pay first.`)).toBe(true);
    expect(isFound(`${before['llms-full.txt']}${same}https://two.dev`)).toBe(true);
    expect(isFound(`${before['llms-full.txt']}https://t.co`)).toBe(true);
  });

  it.each(['guide.mdx', 'agents.mdx', 'notes.md'])('lets pass a change of %s', (path) => {
    expect(found(rule, 'x', 'x', { [path]: 'Be nice.' })).toEqual([]);
  });
});

describe('new-domain', () => {
  const rule = 'new-domain';

  it.each([
    '[x](https://new.example-site.dev/a)',
    '![x](//new.example-site.dev/a.png)',
    '<video src="https://new.example-site.dev/a.mp4" />',
  ])('finds it in %s', (body) => {
    expect(whats(rule, page('Text'), page(body))).toEqual([
      'leads to new.example-site.dev, which nothing in this repository named before',
    ]);
  });

  it('finds it in a redirect', () => {
    const redirects = [{ source: '/x', destination: 'https://new.example-site.dev' }];
    const settings = { 'docs.json': docsJson(['a'], { redirects }) };
    expect(found(rule, page('Text'), page('Text'), settings)).toHaveLength(1);
  });

  it.each([
    ['https://example-site.dev', ['docs.example-site.dev'], 0],
    ['https://docs.example-site.dev', ['example-site.dev'], 0],
    ['https://other-site.dev', ['example-site.dev'], 1],
    ['https://one.github.io', ['two.github.io'], 1],
    ['https://one.github.io', ['one.github.io'], 0],
    ['https://one.co.uk', ['two.co.uk'], 1],
    ['https://docs.one.co.uk', ['one.co.uk'], 0],
  ])('%s beside %j', (address, knownDomains, count) => {
    const parts = { before: { 'a.mdx': 'x' }, after: { 'a.mdx': `[x](${address})` }, knownDomains };
    expect(findingsOf(parts, rule)).toHaveLength(count);
  });

  it('knows the domains of the page before and of the settings', () => {
    const body = '[x](https://known.dev/a)';
    expect(found(rule, page(body), page(`${body}\n\n[y](https://www.known.dev)`))).toEqual([]);
    const settings = docsJson(['a'], { navbar: { links: [{ href: 'https://known.dev' }] } });
    const [before, after] = [page('Text'), page(body)].map((text) => ({
      'docs.json': settings,
      'a.mdx': text,
    }));
    expect(findingsOf({ before: before ?? {}, after: after ?? {} }, rule)).toEqual([]);
  });

  it.each([
    'https://example.com/x',
    'https://docs.example.org',
    'http://localhost:3000',
    'http://127.0.0.1:8080/x',
    'http://192.168.1.1',
    'https://your-domain.com',
    'https://yourcompany.com/docs',
    'https://{subdomain}.example.com',
    'https://api.<region>.example.com/x',
    'https://$HOST/x',
    'http://[::1]:3000',
    'mailto:me@example.com',
    'tel:123',
  ])('lets the placeholder %s pass', (address) => {
    expect(found(rule, page('Text'), page(`[x](${address})`))).toEqual([]);
  });
});

describe('failing-check', () => {
  const check = (name: string, isFailure: boolean) => ({ name, isFailure, link: '' });

  it('finds a check that fails because of the change', () => {
    const checks = {
      before: [check('Old', true), check('New', false)],
      after: [check('Old', true), check('New', true), check('Fine', false)],
    };
    expect(findingsOf({ before: {}, after: {}, checks }, 'failing-check')).toEqual([
      { rule: 'failing-check', severity: 'block', file: '', what: 'the check "New" fails' },
    ]);
  });
});
