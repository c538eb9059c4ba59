import { describe, expect, it } from 'vitest';
import { type ChangeParts, docsJson, findingsOf, page } from '../../../helpers/change.ts';

const guide = page('## Set up\n\nDo this.\n\n## Clean up\n\nDo that.');
const docs = (body: string) => ({
  'home.mdx': page(body),
  'guide.mdx': guide,
  'images/a.png': 'picture',
});

describe('broken-link', () => {
  const found = (parts: ChangeParts) =>
    findingsOf(parts, 'broken-link').map(({ file, line, what }) => `${file}:${line} ${what}`);

  it.each([
    ['[x](/nowhere)', 'links to /nowhere, which does not exist'],
    ['[x](./nowhere#a)', 'links to ./nowhere#a, which does not exist'],
    ['![x](/images/b.png)', 'shows /images/b.png, which does not exist'],
    ['<Card href="/nowhere">x</Card>', 'links to /nowhere, which does not exist'],
    ["import A from '/snippets/a.mdx'", 'imports /snippets/a.mdx, which does not exist'],
  ])('finds what is new and leads nowhere: %s', (body, what) => {
    expect(found({ before: docs('x'), after: docs(`x\n\n${body}`) })).toEqual([
      `home.mdx:8 ${what}`,
    ]);
  });

  it.each([
    '[x](/guide)',
    '[x](guide)',
    '[x](/guide#set-up)',
    '![x](/images/a.png)',
    '[x](https://example.org/nowhere)',
    '[x](mailto:me@example.org)',
    '`[x](/nowhere)`',
  ])('lets pass %s', (body) => {
    expect(found({ before: docs('x'), after: docs(`x\n\n${body}`) })).toEqual([]);
  });

  it('lets an import pass from the older folder of snippets', () => {
    const older = { '_snippets/s.mdx': 'Text' };
    const body = "x\n\nimport S from '/snippets/s.mdx'";
    expect(
      found({ before: { ...docs('x'), ...older }, after: { ...docs(body), ...older } }),
    ).toEqual([]);
  });

  it('lets pass a link that was broken before, here or where it stood', () => {
    const before = docs('[x](/nowhere)');
    expect(found({ before, after: docs('More. [x](/nowhere)') })).toEqual([]);
    const moved = { ...docs('x'), 'guide.mdx': page('[x](/nowhere)') };
    expect(found({ before, after: moved })).toEqual([]);
  });

  it('finds a link that this change broke in a page that it changes', () => {
    const { 'guide.mdx': _, ...rest } = docs('[x](/guide) and more');
    expect(found({ before: docs('[x](/guide)'), after: rest })).toEqual([
      'home.mdx:6 links to /guide, which does not exist',
    ]);
  });

  it('finds a front-matter image that is not there', () => {
    const after = { ...docs('x'), 'home.mdx': page('x', 'title: A page\nicon: /images/b.svg') };
    expect(found({ before: docs('x'), after })).toEqual([
      'home.mdx:3 shows /images/b.svg, which does not exist',
    ]);
  });
});

describe('still-used', () => {
  const found = (parts: ChangeParts) =>
    findingsOf(parts, 'still-used').map(({ file, what }) => `${file} ${what}`);
  const without = (texts: Readonly<Record<string, string>>, path: string) =>
    Object.fromEntries(Object.entries(texts).filter(([name]) => name !== path));

  it.each([
    ['images/a.png', '![x](/images/a.png)', 'still shows /images/a.png'],
    ['images/a.png', '<img src="/images/a.png" />', 'still shows /images/a.png'],
    ['guide.mdx', '[x](/guide#set-up)', 'still links to /guide#set-up'],
    ['snippets/s.mdx', "import S from '/snippets/s.mdx'", 'still imports /snippets/s.mdx'],
  ])('finds what an unchanged page uses of the deleted %s: %s', (path, body, what) => {
    const before = { ...docs(body), 'snippets/s.mdx': 'Text' };
    expect(found({ before, after: without(before, path) })).toEqual([
      `home.mdx ${what}, but this change removes ${path}`,
    ]);
    const unused = { ...docs('x'), 'snippets/s.mdx': 'Text' };
    expect(found({ before: unused, after: without(unused, path) })).toEqual([]);
  });

  it('lets pass a page with a redirect', () => {
    const before = docs('[x](/guide)');
    const redirects = [{ source: '/guide', destination: '/other' }];
    const settings = docsJson(['home', 'other'], { redirects });
    const after = { 'docs.json': settings, 'home.mdx': page('[x](/guide)'), 'other.mdx': guide };
    expect(found({ before, after })).toEqual([]);
  });

  it('finds a logo that the settings name', () => {
    const settings = docsJson([], { logo: { light: '/logo/light.svg' }, favicon: '/f.png' });
    const before = { 'docs.json': settings, 'logo/light.svg': 'picture', 'f.png': 'other' };
    expect(found({ before, after: { 'docs.json': settings, 'f.png': 'other' } })).toEqual([
      'docs.json still names /logo/light.svg, but this change removes logo/light.svg',
    ]);
  });
});

describe('broken-anchor', () => {
  const found = (parts: ChangeParts) =>
    findingsOf(parts, 'broken-anchor').map(({ file, line, what }) => `${file}:${line} ${what}`);
  const shorter = page('## Set up\n\nDo this.');

  it('finds a heading gone to which an unchanged page links', () => {
    const before = docs('[x](/guide#clean-up) [y](/guide#set-up)');
    expect(found({ before, after: { ...before, 'guide.mdx': shorter } })).toEqual([
      'home.mdx:6 links to /guide#clean-up, but that page has no such heading',
    ]);
  });

  it('finds a new link to a heading that is not there', () => {
    expect(found({ before: docs('x'), after: docs('[x](/guide#nothing) [y](#nothing)') })).toEqual([
      'home.mdx:6 links to #nothing, but that page has no such heading',
      'home.mdx:6 links to /guide#nothing, but that page has no such heading',
    ]);
  });

  it.each(['[x](/guide#set-up)', '## Here\n\n[x](#here)', '[x](/guide#top)', '[x](/nowhere#a)'])(
    'lets pass %s',
    (body) => {
      expect(found({ before: docs('x'), after: docs(body) })).toEqual([]);
    },
  );

  it('lets pass what was wrong before, and headings that a snippet or an API description has', () => {
    const before = docs('[x](/guide#nothing)');
    expect(found({ before, after: docs('More. [x](/guide#nothing)') })).toEqual([]);
    const others = {
      'snippets/s.mdx': '## Inside\n\nText',
      'guide.mdx': page("import S from '/snippets/s.mdx'\n\n<S />"),
      'api.mdx': page('', 'openapi: GET /users'),
    };
    const link = '[x](/guide#inside) [y](/api#response)';
    expect(found({ before: others, after: { ...others, 'home.mdx': page(link) } })).toEqual([]);
  });
});
