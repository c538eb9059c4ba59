import { describe, expect, it } from 'vitest';
import { type ChangeParts, docsJson, findingsOf, page } from '../../../helpers/change.ts';

const home = page('Welcome to [the guide](/guide).');
const guide = page('## Set up\n\nDo this.');

describe('unexpected-file', () => {
  const found = (parts: ChangeParts) =>
    findingsOf(parts, 'unexpected-file').map(({ file }) => file);

  it.each([
    'custom.css',
    'scripts/track.js',
    'snippets/widget.jsx',
    '.github/workflows/ci.yml',
    '.vale.ini',
    'package.json',
    'data.bin',
  ])('%s does not belong to a change of docs', (path) => {
    expect(
      found({ before: { 'home.mdx': home }, after: { 'home.mdx': home, [path]: 'x' } }),
    ).toEqual([path]);
    expect(
      found({ before: { 'home.mdx': home, [path]: 'x' }, after: { 'home.mdx': home } }),
    ).toEqual([path]);
  });

  it.each([
    'guide.mdx',
    'notes.md',
    'snippets/note.mdx',
    'images/a.png',
    'openapi.json',
    'llms.txt',
  ])('%s does', (path) => {
    expect(found({ before: {}, after: { [path]: 'x' } })).toEqual([]);
  });

  it('finds a file outside of the folder of the docs, and one that left it', () => {
    const parts = { settings: 'docs/docs.json' };
    const before = { 'docs/docs.json': docsJson([]), 'docs/a.png': 'picture' };
    const after = { 'docs/docs.json': docsJson([]), 'src/a.png': 'picture', 'README.md': 'x' };
    expect(found({ ...parts, before, after })).toEqual(['README.md', 'src/a.png']);
  });

  it.each([
    ['README.md', 'is a file outside of the docs and was added'],
    [
      'two/guides/a.mdx',
      'is a file of the docs in two (check these with docs-root: two) and was added',
    ],
    [
      '.github/scripts/fr.mdx',
      'is a hidden file (a part of its path begins with a dot) and was added',
    ],
    [
      '.github/scripts/fr.py',
      'is a file that runs on the site, in CI or on a machine of the maintainers and was added',
    ],
  ])('says what %s is', (path, what) => {
    const before = { 'docs/docs.json': docsJson([]), 'two/docs.json': docsJson([]) };
    const parts = { settings: 'docs/docs.json', before, after: { ...before, [path]: 'x' } };
    expect(findingsOf(parts, 'unexpected-file')).toMatchObject([{ file: path, what }]);
  });

  it('lets pass what an allowed path names', () => {
    const after = { 'styles/custom.css': 'x' };
    expect(found({ before: {}, after, allowedPaths: ['styles/*.css'] })).toEqual([]);
  });

  it('finds an executable file, unless it is a page that names no program', () => {
    const foundIn = (path: string, text: string) =>
      found({ before: {}, after: { [path]: text }, kinds: { [path]: 'executable' } });
    expect(foundIn('guide.mdx', '#!/bin/sh\nrm x\n')).toEqual(['guide.mdx']);
    expect(foundIn('images/a.svg', '<svg/>')).toEqual(['images/a.svg']);
    expect(foundIn('guide.mdx', guide)).toEqual([]);
    expect(foundIn('snippets/note.mdx', 'Text')).toEqual([]);
  });

  it.each(['symlink', 'submodule'] as const)('finds a page that is a new %s', (kind) => {
    const after = { 'home.mdx': `${home}\nMore.` };
    expect(found({ before: { 'home.mdx': home }, after, kinds: { 'home.mdx': kind } })).toEqual([
      'home.mdx',
    ]);
    expect(found({ before: { 'home.mdx': home }, after })).toEqual([]);
  });
});

describe('page-without-redirect', () => {
  const found = (parts: ChangeParts) => findingsOf(parts, 'page-without-redirect');
  const before = {
    'docs.json': docsJson(['home', 'old/guide']),
    'home.mdx': home,
    'old/guide.mdx': guide,
  };
  const redirect = (source: string, destination: string) => ({
    redirects: [{ source, destination }],
  });

  it('finds a deleted page', () => {
    const after = { 'docs.json': docsJson(['home']), 'home.mdx': home };
    expect(found({ before, after })).toEqual([
      expect.objectContaining({
        file: 'old/guide.mdx',
        severity: 'block',
        what: expect.stringContaining('add a redirect from /old/guide'),
      }),
    ]);
  });

  it('finds a renamed page, and says which redirect to add', () => {
    const after = { 'docs.json': docsJson(['home', 'new']), 'home.mdx': home, 'new.mdx': guide };
    expect(found({ before, after })).toEqual([
      expect.objectContaining({
        file: 'new.mdx',
        was: 'old/guide.mdx',
        what: 'moved to /new, and /old/guide leads nowhere: add a redirect from /old/guide to /new',
      }),
    ]);
  });

  it.each([
    ['/old/guide', '/new'],
    ['/old/:slug*', '/new'],
    ['old/*', 'https://docs.example.org'],
  ])('lets pass a page with a redirect from %s to %s', (source, destination) => {
    const settings = docsJson(['home', 'new'], redirect(source, destination));
    const after = { 'docs.json': settings, 'home.mdx': home, 'new.mdx': guide };
    expect(found({ before, after })).toEqual([]);
  });

  it('finds a redirect that leads nowhere', () => {
    const settings = docsJson(['home', 'new'], redirect('/old/guide', '/nowhere'));
    const after = { 'docs.json': settings, 'home.mdx': home, 'new.mdx': guide };
    expect(found({ before, after })).toHaveLength(1);
  });

  it('lets pass a page that was hidden, and a snippet', () => {
    const hidden = { 'draft.mdx': page('Text', 'hidden: true'), 'snippets/a.mdx': 'Text' };
    const settings = { 'docs.json': docsJson(['home']), 'home.mdx': home };
    expect(found({ before: { ...settings, ...hidden }, after: settings })).toEqual([]);
  });

  it('finds an old address whose redirect is gone', () => {
    const settings = docsJson(['home', 'old/guide'], redirect('/start', '/home'));
    expect(found({ before: { ...before, 'docs.json': settings }, after: before })).toEqual([
      expect.objectContaining({
        file: 'docs.json',
        was: '/home',
        what: expect.stringContaining('/start'),
      }),
    ]);
    const after = { ...before, 'start.mdx': guide };
    expect(found({ before: { ...before, 'docs.json': settings }, after })).toEqual([]);
  });
});

describe('undefined-name', () => {
  const found = (before: string, after: string, path = 'a.mdx') =>
    findingsOf({ before: { [path]: before }, after: { [path]: after } }, 'undefined-name').map(
      ({ line, what }) => `${line} ${what.split(':')[0]}`,
    );

  it('finds a name in the text that nothing defines, once', () => {
    const call = 'Call https://api.one.dev/boxes/{boxId} or {boxId}.';
    expect(found(page('Text'), page(call))).toEqual([
      '6 names {boxId}, which the page does not define, so that it may fail to build',
    ]);
    expect(found(page(call), page(`${call}\n\nMore`))).toEqual([]);
    expect(found('Text', call, 'snippets/a.mdx')).toEqual([]);
  });

  it.each([
    'export const boxId = 1\n\n{boxId}',
    'import { boxId } from "/snippets/b.mdx"\n\n{boxId}',
    '`{boxId}` and \\{boxId\\}',
    '{{boxId}} {user.name} {props.boxId}',
  ])('lets pass %j', (body) => {
    expect(found(page('Text'), page(body))).toEqual([]);
  });

  it('is no code', () => {
    const parts = { before: { 'a.mdx': page('Text') }, after: { 'a.mdx': page('{boxId}') } };
    expect(findingsOf(parts, 'code-in-page')).toEqual([]);
  });
});
