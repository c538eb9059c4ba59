import { describe, expect, it } from 'vitest';
import { redirectAt } from '../../../../src/check/docs/redirects.ts';

function followed(path: string, ...pairs: readonly (readonly [string, string])[]) {
  const place = { file: 'docs.json' };
  const redirects = pairs.map(([source, destination]) => ({ source, destination, place }));
  return redirectAt(path, { redirects })?.destination;
}

describe('a redirect', () => {
  it.each([
    ['/old', '/new', 'old', '/new'],
    ['old/', '/new', 'old', '/new'],
    ['/Old', '/new', 'old', '/new'],
    ['/old', '/new', 'Old', '/new'],
    ['/old.mdx', '/new', 'old', '/new'],
    ['/beta/:slug*', '/v2/:slug*', 'beta/a/b', '/v2/a/b'],
    ['/beta/:slug*', '/v2/:slug*', 'beta', '/v2/'],
    ['/Beta/:slug+/', '/v2/:slug+', 'beta/a/b', '/v2/a/b'],
    ['/beta/:slug*', '/v2/:slug*', 'beta/Setup', '/v2/Setup'],
    ['/beta/:slug', '/v2/:slug', 'beta/a', '/v2/a'],
    ['/a/*', '/b/*', 'a/x/y', '/b/x/y'],
    ['/articles/concepts-*', '/overview', 'articles/concepts-first', '/overview'],
    ['/old/article-*', '/new/article-*', 'old/article-123', '/new/article-123'],
    ['/:lang/docs/:page', '/docs/:page/:lang', 'fr/docs/a', '/docs/a/fr'],
    ['/a/*/c', '/*', 'a/1/c/2/c', '/1/c/2'],
    ['/a/*', '/b/:slug*', 'a/x', '/b/:slug*'],
    ['/a/*', '/b/*', 'a/$&', '/b/$&'],
    ['/release%20notes', '/new', 'release notes', '/new'],
    ['/release notes', '/new', 'release notes', '/new'],
    ['/%C3%9Cber/*', '/new/*', 'über/a b', '/new/a b'],
    ['/a/:b/%c3%bc', '/%C3%BC/:b', 'a/x/ü', '/%C3%BC/x'],
    ['/100%', '/new', '100%', '/new'],
    ['/a%2A', '/new', 'a*', '/new'],
    ['/x', 'https://example.com:8080/y', 'x', 'https://example.com:8080/y'],
    ['/x/:id', 'https://example.com:8080/:id', 'x/1', 'https://example.com:8080/1'],
  ])('from %s to %s takes %s to %s', (source, destination, path, end) => {
    expect(followed(path, [source, destination])).toBe(end);
  });

  it.each([
    ['/old', 'older'],
    ['/beta/:slug', 'beta/a/b'],
    ['/beta/:slug', 'beta'],
    ['/beta/:slug*', 'betamax'],
    ['/articles/concepts-*', 'articles/other'],
    ['/old#part', 'old'],
    ['/old?x=1', 'old'],
    ['/a.b', 'axb'],
    ['/(a|b)', 'a'],
    ['/:lang/old', 'guides/setup'],
    ['/old/:id/edit', 'old/1/setup'],
    ['/:a-:b/x', '1-2-3/x'],
    ['/zkevm-:slug*', 'zkevm-setup'],
    ['/:slug.html', 'a.html'],
    ['/a*b', 'axb'],
    ['/a%2A', 'ab'],
    ['/%3Aslug/*', 'a/b'],
  ])('from %s leaves %s alone', (source, path) => {
    expect(followed(path, [source, '/new'])).toBeUndefined();
  });

  it('wins by its place, and an exact one before a pattern', () => {
    expect(followed('a', ['/:any', '/1'], ['/a', '/2'], ['/a', '/3'])).toBe('/2');
    expect(followed('b/c', ['/b/*', '/1'], ['/:x/c', '/2'])).toBe('/1');
  });

  it('keeps what it has no text for', () => {
    expect(followed('a/b', ['/a/*', '/:slug*'])).toBe('/:slug*');
  });

  it('has a limit on its wildcards and on the length of an address', () => {
    expect(followed('a/b/c', ['/:a/:b/:c*', '/x'])).toBe('/x');
    expect(followed('a/b/c/d', ['/:a/:b/:c/:d', '/x'])).toBeUndefined();
    expect(followed('a/b/c', ['/*/:b/*', '/x'])).toBeUndefined();
    expect(followed('a'.repeat(300), ['/*', '/x'])).toBe('/x');
    expect(followed('a'.repeat(301), ['/*', '/x'])).toBeUndefined();
    expect(followed('a'.repeat(301), [`/${'a'.repeat(301)}`, '/x'])).toBe('/x');
  });
});
