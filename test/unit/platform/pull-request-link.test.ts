import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readPullRequestLink } from '../../../src/platform/pull-request-link.ts';
import { executedCommands } from '../../hostile/oracles.ts';

const server = 'https://github.com';

const onGitHub = {
  kind: 'link',
  url: 'https://github.com/acme/docs/pull/12',
  github: { repository: 'acme/docs', number: 12 },
} as const;

function linkOfLength(length: number): string {
  return 'https://github.com/'.padEnd(length, 'a');
}

describe('an accepted prLink', () => {
  it.each([
    ['https://github.example/acme/docs.io_x-y/pull/7', 'acme/docs.io_x-y', 7],
    ['http://127.0.0.1:4010/acme/docs/pull/1234567890', 'acme/docs', 1234567890],
    ['http://localhost:4010/acme/docs/pull/1', 'acme/docs', 1],
    ['https://gitlab.example/acme/docs/-/merge_requests/3'],
    ['https://github.com/acme/docs/pull/0'],
    ['https://github.com/acme/docs/pull/12345678901'],
    ['https://github.com/acme/docs/pull/12x'],
    ['https://github.com/acme/docs/pulls/12'],
    ['https://github.example/base/acme/docs/pull/12'],
    ['https://review.example/q?change=3'],
    ['https://review.example/~ada/a%2Fb@c=d+e_f.g?a=%20'],
    ['https://[2001:db8::1]/c/3'],
    [linkOfLength(2000)],
  ])('%s', (url, repository?: string, number?: number) => {
    const github = repository !== undefined && { github: { repository, number } };
    expect(readPullRequestLink(url, new URL(url).origin)).toEqual({ kind: 'link', url, ...github });
  });

  it.each([
    'https://github.com/acme/docs/pull/12/',
    'https://github.com/acme/docs/pull/12/commits/0123?w=1#x',
    'https://github.com/acme/docs/pull/12?notification=1&a=b',
    'https://github.com/acme/docs/pull/12#issuecomment-1',
    'HTTPS://GitHub.com:443/acme/./docs/x/../pull/12',
  ])('on GitHub becomes the plain one, rebuilt from its parts: %j', (link) => {
    expect(readPullRequestLink(link, server)).toEqual(onGitHub);
  });

  it.each([
    ['/c/3#top', '/c/3'],
    ['/a$(id);b|c&d', '/a%24%28id%29%3Bb%7Cc%26d'],
    ['/a::error::b', '/a%3A%3Aerror%3A%3Ab'],
    ['/a%0a%2', '/a%0a%252'],
    ['/a!*[b]{c,d}', '/a%21%2A%5Bb%5D%7Bc%2Cd%7D'],
    ['/?x=$(id)&y=#z', '/?x=%24%28id%29%26y='],
    ['/??', '/?%3F'],
    ['/größe', '/gr%C3%B6%C3%9Fe'],
  ])('has nothing that a shell or a log would interpret: %j', (rest, rebuilt) => {
    const url = `https://review.example${rebuilt}`;
    expect(readPullRequestLink(`https://review.example${rest}`, server)).toEqual({
      kind: 'link',
      url,
    });
  });
});

it.each([null, undefined])('a prLink of %s is none', (value) => {
  expect(readPullRequestLink(value, server)).toEqual({ kind: 'none' });
});

it.each([
  '',
  12,
  { url: 'https://github.com/acme/docs/pull/12' },
  ['https://github.com/acme/docs/pull/12'],
  'github.com/acme/docs/pull/12',
  '//github.com/acme/docs/pull/12',
  ' https://github.com/acme/docs/pull/12',
  'javascript:alert(1)',
  'http://github.com/acme/docs/pull/12',
  'http://127.0.0.1.evil.example/pull/1',
  'ftp+http://127.0.0.1/pull/1',
  'https://:pass@github.com/acme/docs/pull/12',
  'https://user@github.com/acme/docs/pull/12',
  'https:///github.com/acme',
  'https:github.com/acme',
  'https://github.com\\@evil.example/',
  'https://github.com/acme/docs/pull/12\n::set-output name=x::y',
  'https://github.com/"onclick="x',
  "https://github.com/'x",
  'https://github.com/`x`',
  'https://github.com/<b',
  'https://github.com/b>',
  'https://github.com/\u202Egnp',
  'https://github.com/\u200B',
  'https://github.com/\u0000',
  'https://github.com/\uE000',
  'https://github.com/\u115F',
  'https://$(id).example/',
  'https://a&b.example/',
  `https://review.example/${'$'.repeat(700)}`,
  linkOfLength(2001),
])('a prLink is rejected: %j', (value) => {
  expect(readPullRequestLink(value, server)).toEqual({ kind: 'unreadable' });
});

it('any result is https, without user info, the same for two parsers, and one word to a shell', () => {
  const parts = ['https:', '//', '@', '\\', '/', '.', 'a', '%', '#', '?', ':', '[', '0'];
  const commands = '$(echo x) $HOME ; | & && ::error:: ##[error] ~ * {a,b} !! ( ) = %0A %24( /../';
  const some = fc.constantFrom(...parts, ...commands.split(' '));
  const nasty = fc.oneof(
    fc.webUrl({ withFragments: true, withQueryParameters: true }),
    fc.string({ unit: 'binary' }),
    fc.array(fc.constantFrom(...parts)).map((found) => `https://${found.join('')}`),
    fc
      .array(fc.oneof(some, fc.string({ maxLength: 3 })))
      .map((found) => `https://review.example/${found.join('')}`),
  );
  const links = new Set<string>();
  fc.assert(
    fc.property(nasty, (value) => {
      const link = readPullRequestLink(value, server);
      if (link.kind !== 'link') {
        return;
      }
      links.add(link.url);
      const url = new URL(link.url);
      const other = parse(link.url);
      expect(url.href).toBe(link.url);
      expect(url.protocol === 'https:' || url.hostname === 'localhost').toBe(true);
      expect(url.hash).toBe('');
      expect([other.host, other.auth, other.pathname]).toEqual([url.host, null, url.pathname]);
      // Validating a result again does not change it.
      expect(readPullRequestLink(link.url, server)).toEqual(link);
    }),
    { numRuns: 4000 },
  );
  expect(links.size).toBeGreaterThan(500);
  const cwd = mkdtempSync(join(tmpdir(), 'empty-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  for (const shell of ['bash', 'sh']) {
    // Only with builtins, and in an empty folder, so that patterns match no files.
    const script = ['PATH=/nowhere', ...[...links].map((url) => `echo ${url}`)].join('\n');
    const printed = execFileSync(shell, ['-c', script], {
      cwd,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    expect(printed.trimEnd().split('\n')).toEqual([...links]);
    expect(executedCommands(printed)).toEqual([]);
  }
});

it.each([
  ['https://github.com', true],
  ['https://GitHub.com/', true],
  ['https://github.com:8443', false],
  ['http://github.com', false],
  ['https://github.com.evil.example', false],
  ['', false],
])('a link has repository and number if it is on the server of the run: %j', (own, isHere) => {
  const { github, ...elsewhere } = onGitHub;
  const link = readPullRequestLink(`${onGitHub.url}/files`, own);
  expect(link).toEqual(isHere ? onGitHub : elsewhere);
});
