import { parse } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPullRequestLink } from '../../../src/platform/pull-request-link.ts';

function linkOfLength(length: number): string {
  return 'https://github.com/'.padEnd(length, 'a');
}

describe('a prLink that is handed on', () => {
  it.each([
    ['https://github.com/acme/docs/pull/12', { repository: 'acme/docs', number: '12' }],
    ['https://github.example/acme/docs.io/pull/7', { repository: 'acme/docs.io', number: '7' }],
    ['http://127.0.0.1:4010/acme/docs/pull/1', { repository: 'acme/docs', number: '1' }],
    ['http://localhost:4010/acme/docs/pull/1', { repository: 'acme/docs', number: '1' }],
    ['https://gitlab.example/acme/docs/-/merge_requests/3', undefined],
    ['https://bitbucket.example/acme/docs/pull-requests/3', undefined],
    ['https://github.com/acme/docs/pull/0', undefined],
    ['https://github.com/acme/docs/pull/12/files', undefined],
    ['https://github.example/base/acme/docs/pull/12', undefined],
    ['https://review.example/q?change=3#top', undefined],
  ])('%s', (value, github) => {
    expect(readPullRequestLink(value)).toEqual({
      kind: 'link',
      url: value,
      ...(github && { github }),
    });
  });

  it('may have 2000 characters', () => {
    expect(readPullRequestLink(linkOfLength(2000))).toMatchObject({ kind: 'link' });
  });

  it('is rebuilt from its parsed parts', () => {
    expect(readPullRequestLink('HTTPS://GitHub.com:443/acme/./docs/x/../pull/12')).toEqual({
      kind: 'link',
      url: 'https://github.com/acme/docs/pull/12',
      github: { repository: 'acme/docs', number: '12' },
    });
  });
});

describe('a prLink that is none', () => {
  it.each([[null], [undefined]])('%s', (value) => {
    expect(readPullRequestLink(value)).toEqual({ kind: 'none' });
  });
});

describe('a prLink that is not handed on', () => {
  it.each([
    [''],
    [12],
    [{ url: 'https://github.com/acme/docs/pull/12' }],
    [['https://github.com/acme/docs/pull/12']],
    ['github.com/acme/docs/pull/12'],
    ['//github.com/acme/docs/pull/12'],
    ['javascript:alert(1)'],
    ['http://github.com/acme/docs/pull/12'],
    ['http://127.0.0.1.evil.example/pull/1'],
    ['ftp+http://127.0.0.1/pull/1'],
    ['https://:pass@github.com/acme/docs/pull/12'],
    ['https://user@github.com/acme/docs/pull/12'],
    ['https://user:pass@github.com/acme/docs/pull/12'],
    ['https:///github.com/acme'],
    ['https:github.com/acme'],
    ['https://github.com\\@evil.example/'],
    ['https://github.com/acme/docs/pull/12 extra'],
    ['https://github.com/acme/docs/pull/12\n::set-output name=x::y'],
    ['https://github.com/"onclick="x'],
    ["https://github.com/'x"],
    ['https://github.com/<b>'],
    ['https://github.com/\u202Egnp'],
    ['https://github.com/\u200B'],
    ['https://github.com/\u0000'],
    ['https://github.com/\u0007'],
    ['https://github.com/\uE000'],
    [linkOfLength(2001)],
  ])('%j', (value) => {
    expect(readPullRequestLink(value)).toEqual({ kind: 'unreadable' });
  });
});

describe('whatever comes in', () => {
  const nasty = fc.oneof(
    fc.webUrl({ withFragments: true, withQueryParameters: true }),
    fc.string({ unit: 'binary' }),
    fc
      .array(
        fc.constantFrom('https:', '//', '@', '\\', '/', '.', 'a', '%', '#', '?', ':', '[', '0'),
      )
      .map((parts) => `https://${parts.join('')}`),
  );

  it('what comes out is https, without user info, and the same to two parsers', () => {
    fc.assert(
      fc.property(nasty, (value) => {
        const link = readPullRequestLink(value);
        if (link.kind !== 'link') {
          return;
        }
        const url = new URL(link.url);
        const other = parse(link.url);
        expect(url.href).toBe(link.url);
        expect(url.protocol === 'https:' || url.hostname === 'localhost').toBe(true);
        expect(other.host).toBe(url.host);
        expect(other.auth).toBeNull();
        expect(`${other.pathname ?? ''}`).toBe(url.pathname);
      }),
      { numRuns: 2000 },
    );
  });
});
