import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { asSeenFrom, readPullRequestLink } from '../../../src/platform/pull-request-link.ts';
import { executedCommands } from '../../hostile/oracles.ts';

function linkOfLength(length: number): string {
  return 'https://github.com/'.padEnd(length, 'a');
}

describe('an accepted prLink', () => {
  it.each([
    ['https://github.com/acme/docs/pull/12', { repository: 'acme/docs', number: '12' }],
    ['https://github.example/acme/docs.io/pull/7', { repository: 'acme/docs.io', number: '7' }],
    ['http://127.0.0.1:4010/acme/docs/pull/1', { repository: 'acme/docs', number: '1' }],
    ['http://localhost:4010/acme/docs/pull/1', { repository: 'acme/docs', number: '1' }],
    ['https://gitlab.example/acme/docs/-/merge_requests/3', undefined],
    ['https://bitbucket.example/acme/docs/pull-requests/3', undefined],
    ['https://github.com/acme/docs/pull/0', undefined],
    ['https://github.example/base/acme/docs/pull/12', undefined],
    ['https://review.example/q?change=3', undefined],
    ['https://review.example/~ada/a%2Fb@c=d+e_f.g?a=%20', undefined],
    ['https://[2001:db8::1]/c/3', undefined],
  ])('%s', (value, github) => {
    expect(readPullRequestLink(value)).toEqual({
      kind: 'link',
      url: value,
      ...(github && { github }),
    });
  });

  it.each([
    '/',
    '/files',
    '/commits/0123',
    '?notification=1&a=b',
    '#issuecomment-1',
    '/files?w=1#x',
  ])('becomes the plain link on GitHub, without %j', (rest) => {
    expect(readPullRequestLink(`https://github.com/acme/docs/pull/12${rest}`)).toEqual({
      kind: 'link',
      url: 'https://github.com/acme/docs/pull/12',
      github: { repository: 'acme/docs', number: '12' },
    });
  });

  it.each([
    ['/c/3#top', '/c/3'],
    ['/a$(id)b', '/a%24%28id%29b'],
    ['/a;b|c&d', '/a%3Bb%7Cc%26d'],
    ['/a::error::b', '/a%3A%3Aerror%3A%3Ab'],
    ['/a%', '/a%25'],
    ['/a%0a%2', '/a%0a%252'],
    ['/a!*[b]{c,d}', '/a%21%2A%5Bb%5D%7Bc%2Cd%7D'],
    ['/?x=$(id)&y=#z', '/?x=%24%28id%29%26y='],
    ['/??', '/?%3F'],
    ['/größe', '/gr%C3%B6%C3%9Fe'],
  ])('has nothing that a shell or a log would interpret: %j', (rest, rebuilt) => {
    expect(readPullRequestLink(`https://review.example${rest}`)).toEqual({
      kind: 'link',
      url: `https://review.example${rebuilt}`,
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

describe('a missing prLink', () => {
  it.each([[null], [undefined]])('%s', (value) => {
    expect(readPullRequestLink(value)).toEqual({ kind: 'none' });
  });
});

describe('a rejected prLink', () => {
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
    ['https://$(id).example/'],
    ['https://a&b.example/'],
    ['https://a;b.example/'],
    [`https://review.example/${'$'.repeat(700)}`],
    ['https://github.com/\u0000'],
    ['https://github.com/\u0007'],
    ['https://github.com/\uE000'],
    [linkOfLength(2001)],
  ])('%j', (value) => {
    expect(readPullRequestLink(value)).toEqual({ kind: 'unreadable' });
  });
});

/** What a shell or the runner would execute. */
const commands = [
  '$(echo x)',
  '$HOME',
  ';',
  '|',
  '&',
  '&&',
  '::error::',
  '##[error]',
  '~',
  '*',
  '{a,b}',
  '!!',
  '(',
  ')',
  '=',
  '%0A',
  '%24(',
  '/../',
];

describe('any input', () => {
  const parts = ['https:', '//', '@', '\\', '/', '.', 'a', '%', '#', '?', ':', '[', '0'];
  const nasty = fc.oneof(
    fc.webUrl({ withFragments: true, withQueryParameters: true }),
    fc.string({ unit: 'binary' }),
    fc.array(fc.constantFrom(...parts)).map((some) => `https://${some.join('')}`),
    fc
      .array(fc.oneof(fc.constantFrom(...parts, ...commands), fc.string({ maxLength: 3 })))
      .map((some) => `https://review.example/${some.join('')}`),
  );

  it('the result is https, without user info, and the same for two parsers', () => {
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
        expect(url.hash).toBe('');
        expect(other.host).toBe(url.host);
        expect(other.auth).toBeNull();
        expect(`${other.pathname ?? ''}`).toBe(url.pathname);
        // Validating a result again does not change it.
        expect(readPullRequestLink(link.url)).toEqual(link);
      }),
      { numRuns: 4000 },
    );
  });

  it.each(['bash', 'sh'])('the result is one word to %s, even without quotes', (shell) => {
    const links = new Set<string>();
    fc.assert(
      fc.property(nasty, (value) => {
        const link = readPullRequestLink(value);
        if (link.kind === 'link') {
          links.add(link.url);
        }
      }),
      { numRuns: 4000 },
    );
    expect(links.size).toBeGreaterThan(500);
    // Only with builtins, and in an empty folder, so that patterns match no files.
    const script = ['PATH=/nowhere', ...[...links].map((url) => `echo ${url}`)].join('\n');
    const printed = execFileSync(shell, ['-c', script], {
      cwd: emptyFolder(),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    expect(printed.trimEnd().split('\n')).toEqual([...links]);
    expect(executedCommands(printed)).toEqual([]);
  });
});

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'empty-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

describe('a link in a workflow on another server', () => {
  const onGitHub = {
    kind: 'link',
    url: 'https://github.com/acme/docs/pull/12',
    github: { repository: 'acme/docs', number: '12' },
  } as const;
  const elsewhere = { kind: 'link', url: onGitHub.url };

  it.each([
    ['https://github.com', onGitHub],
    ['https://GitHub.com/', onGitHub],
    ['https://github.com:8443', elsewhere],
    ['http://github.com', elsewhere],
    ['https://github.example', elsewhere],
    ['https://github.com.evil.example', elsewhere],
    ['', elsewhere],
  ])('on the server %j', (serverUrl, seen) => {
    expect(asSeenFrom(serverUrl, onGitHub)).toEqual(seen);
  });

  it("is not on GitHub without GitHub's form", () => {
    const link = { kind: 'link', url: 'https://github.com/acme/docs' } as const;
    expect(asSeenFrom('https://github.com', link)).toEqual(link);
  });
});
