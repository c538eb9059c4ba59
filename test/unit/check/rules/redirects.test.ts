import { describe, expect, it } from 'vitest';
import type { RuleName } from '../../../../src/check/old-finding.ts';
import { docsJson, findingsOf, page, type Texts } from '../../../helpers/change.ts';

const files: Texts = { 'a.mdx': page('Text'), 'guides/b.mdx': page('Text') };
const redirect = (source: string, destination: string) => ({ source, destination });
const old = redirect('/old', '/a');

function found(rule: RuleName, redirects: unknown) {
  const settings = (all: unknown) => docsJson(['a', 'guides/b'], { redirects: all });
  const parts = {
    before: { ...files, 'docs.json': settings([old]) },
    after: { ...files, 'docs.json': settings(redirects) },
  };
  return findingsOf(parts, rule).map(({ what }) => what);
}

describe('a new redirect', () => {
  it.each([
    ['/guides/b', '/a', 'redirects /guides/b to /a, away from guides/b.mdx'],
    ['/Guides/b/', '/a', 'redirects /Guides/b/ to /a, away from guides/b.mdx'],
    ['/:slug*', '/a', 'redirects /:slug* to /a, away from guides/b.mdx'],
    ['/:slug*', '/b', 'redirects /:slug* to /b, away from a.mdx and 1 other page'],
  ])('from %s to %s is found if it takes readers away from a page', (source, destination, what) => {
    expect(found('navigation-changed', [old, redirect(source, destination)])).toEqual([what]);
  });

  it.each([
    ['/old2', '/a'],
    ['/docs/:slug*', '/guides/:slug*'],
    ['/guides/b.html', '/guides/b'],
  ])('from %s to %s takes nobody away', (source, destination) => {
    expect(found('navigation-changed', [old, redirect(source, destination)])).toEqual([]);
  });

  it('must lead somewhere, and so must a changed one', () => {
    const what = 'redirects /old to /nope, which does not exist';
    expect(found('broken-link', [redirect('/old', '/nope')])).toEqual([what]);
    expect(found('broken-link', [old, redirect('/old2', '/guides/b#x')])).toEqual([]);
    expect(found('broken-link', [old, redirect('/old2/:x', '/guides/:x')])).toEqual([]);
    expect(found('broken-link', [old, redirect('/old2', 'https://one.dev')])).toEqual([]);
  });

  it.each([
    ['/go/:p*', '/:p*'],
    ['/go/*', '/*'],
    ['/go', '/\t/other.dev'],
    ['/go', '/\\other.dev'],
    ['/go', '//other.dev'],
    ['/go', 'vscode:x'],
  ])('from %s to %j leads off the site', (source, destination) => {
    expect(found('redirect-to-other-host', [old, redirect(source, destination)])).toHaveLength(1);
  });

  it('off the site, away from a page, is one finding', () => {
    const leaving = [old, redirect('/guides/b', 'https://other.dev')];
    expect(found('redirect-to-other-host', leaving)).toHaveLength(1);
    expect(found('navigation-changed', leaving)).toEqual([]);
  });

  it.each([
    ['/go/:p*', '/a/:p*'],
    ['/go/:p', '/guides/:p'],
  ])('from %s to %j does not', (source, destination) => {
    expect(found('redirect-to-other-host', [old, redirect(source, destination)])).toEqual([]);
  });

  it.each([
    [{ '/old': '/a' }, 'has redirects that are no list'],
    [[old, { ...old, basePath: false }], 'has a redirect that is more or less'],
    [[old, { source: '/x' }], 'has a redirect that is more or less'],
  ])('of another shape is found: %j', (redirects, what) => {
    expect(found('settings-changed', redirects)).toEqual([expect.stringContaining(what)]);
  });

  it('may say that it is permanent', () => {
    expect(found('settings-changed', [{ ...old, permanent: true }])).toEqual([]);
  });
});

describe('a redirect that leads to another page', () => {
  const rule = 'navigation-changed';
  const folder = redirect('/docs/:slug*', '/guides/:slug*');
  const all: Texts = { ...files, 'c.mdx': page('Text') };
  const changed = (was: readonly object[], is: readonly object[], left: Texts = all) => {
    const settings = (redirects: readonly object[]) => docsJson(['a'], { redirects });
    const parts = {
      before: { ...all, 'docs.json': settings(was) },
      after: { ...left, 'docs.json': settings(is) },
    };
    return findingsOf(parts, rule).map(({ what }) => what);
  };

  it('is found where the old one still exists', () => {
    expect(changed([old], [redirect('/old', '/c')])).toEqual([
      'redirects /old to /c, and no longer to /a, which still exists',
    ]);
    expect(changed([folder], [redirect('/docs/:slug*', '/c')])).toHaveLength(1);
  });

  it('is found where another one comes first, or lies below a pattern', () => {
    expect(changed([old], [redirect('/Old/', '/c'), old])).toHaveLength(1);
    expect(changed([old], [old, redirect('/old', '/c')])).toEqual([]);
    expect(changed([folder], [redirect('/docs/b', '/c'), folder])).toHaveLength(1);
    expect(changed([folder], [redirect('/docs/x', '/c'), folder])).toEqual([]);
  });

  it('passes where the old one is gone, or is only written otherwise', () => {
    const { 'a.mdx': _, ...rest } = all;
    expect(changed([old], [redirect('/old', '/c')], rest)).toEqual([]);
    expect(changed([old], [redirect('/old', 'a#top')])).toEqual([]);
    expect(changed([old, redirect('/b', '/old')], [old, redirect('/b', '/a')])).toEqual([]);
  });
});

describe('a page that went', () => {
  it('is not replaced by a redirect to a name that nothing fills', () => {
    const { 'guides/b.mdx': _, ...rest } = files;
    const gone = (destination: string) => {
      const settings = docsJson(['a'], { redirects: [redirect('/guides/b', destination)] });
      const before = { ...files, 'docs.json': docsJson(['a', 'guides/b']) };
      const parts = { before, after: { ...rest, 'docs.json': settings } };
      return findingsOf(parts, 'page-without-redirect');
    };
    expect(gone('/:nope')).toHaveLength(1);
    expect(gone('/a')).toEqual([]);
  });

  it.each([
    [
      redirect('/guides/b', '/guides/aa'),
      'is gone, and /guides/b redirects to /guides/aa, which does not exist: redirect it to the page that replaces it',
    ],
    [
      redirect('/guide/b', '/a'),
      'is gone, and /guides/b leads nowhere: add a redirect from /guides/b to the page that replaces it (the one from /guide/b may be meant for it)',
    ],
  ])('has a redirect with a mistake: %j', (mistaken, what) => {
    const { 'guides/b.mdx': _, ...rest } = files;
    const before = { ...files, 'docs.json': docsJson(['a', 'guides/b']) };
    const settings = docsJson(['a'], { redirects: [mistaken] });
    const parts = { before, after: { ...rest, 'docs.json': settings } };
    expect(findingsOf(parts, 'page-without-redirect')).toMatchObject([{ what }]);
  });
});

describe('still-used', () => {
  const navigation = (group: object) => docsJson([{ group: 'G', pages: ['a'], ...group }]);
  const used = { 'images/a.svg': '<svg/>', 'openapi.json': '{"openapi":"3.1.0"}' };

  it.each([
    ['images/a.svg', { icon: '/images/a.svg' }],
    ['openapi.json', { openapi: 'openapi.json' }],
    ['openapi.json', { openapi: { source: './openapi.json', directory: 'api' } }],
  ])('finds that the navigation names the deleted %s: %j', (path, group) => {
    const before: Texts = { ...files, ...used, 'docs.json': navigation(group) };
    const after = Object.fromEntries(Object.entries(before).filter(([name]) => name !== path));
    expect(findingsOf({ before, after }, 'still-used')).toHaveLength(1);
    const free = navigation({});
    const parts = { before, after: { ...after, 'docs.json': free } };
    expect(findingsOf(parts, 'still-used')).toEqual([]);
  });
});

describe('a second navigation file', () => {
  it.each(['v2/docs.json', 'mint.json'])('%s is unexpected, unless it was there', (path) => {
    const second = { [path]: '{"navigation":{"pages":[]}}' };
    const changed = { [path]: '{"name":"x","navigation":{"pages":[]}}' };
    expect(
      findingsOf({ before: files, after: { ...files, ...second } }, 'unexpected-file'),
    ).toHaveLength(1);
    const parts = { before: { ...files, ...second }, after: { ...files, ...changed } };
    expect(findingsOf(parts, 'unexpected-file')).toEqual([]);
  });

  it.each(['package.json', '.claude/settings.json', '.circleci/config.json'])(
    '%s still runs, whatever includes it',
    (path) => {
      const settings = docsJson(['a', 'guides/b'], { seo: { $ref: `./${path}` } });
      const before = { ...files, 'docs.json': settings, [path]: '{}' };
      const parts = { before, after: { ...before, [path]: '{"scripts":{}}' } };
      expect(findingsOf(parts, 'unexpected-file')).toHaveLength(1);
    },
  );
});
