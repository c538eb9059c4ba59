import { describe, expect, it } from 'vitest';
import { executedCommands, findEffects, findKeyTraces } from './oracles.ts';

/** An oracle that finds nothing would let every test pass. */
describe('traces of a key', () => {
  const key = 'mint_k3y-0f-th3-tests';
  const piece = Buffer.from(key.slice(3, 14));

  it.each<[string, string]>([
    ['plain', `…${piece}…`],
    ['plain', `${key.slice(0, 8)}\n${key.slice(8)}`],
    ['reversed', [...key].reverse().join('')],
    ['hex', piece.toString('hex')],
    ['upper-case hex', piece.toString('hex').toUpperCase()],
    ['base64', Buffer.from(`Bearer ${key}`).toString('base64')],
    ['base64', Buffer.from(`x:${key}`).toString('base64')],
    ['base64url', Buffer.from(`~?~?${key}`).toString('base64url')],
    ['percent-encoded', [...piece].map((byte) => `%${byte.toString(16)}`).join('')],
    ['character references', [...piece].map((byte) => `&#${byte};`).join('')],
    ['byte list', [...piece].join(', ')],
  ])('%s: %s', (encoding, text) => {
    expect(findKeyTraces(`before ${text}, after`, key)).toContain(encoding);
  });

  it('none, where there is none', () => {
    expect(findKeyTraces('mint_ is how keys begin, tests pass', key)).toEqual([]);
  });
});

describe('commands that a runner executes', () => {
  it.each([
    ['::set-output name=x::y', 'set-output'],
    ['\u0085\u2003 ::Add-Mask::y', 'add-mask'],
    ['text\r::error::y', 'error'],
    ['text ##[group]y', 'group'],
  ])('%j', (printed, name) => {
    expect(executedCommands(printed).map((command) => command.name)).toEqual([name]);
  });

  it.each(['text ::error::y', '::nothing::y', ':: error::y', '## [group]y', '::error'])(
    'not %j',
    (printed) => {
      expect(executedCommands(printed)).toEqual([]);
    },
  );
});

describe('Markdown with an effect', () => {
  it.each([
    'zq7x',
    '@zq7x',
    '<code>a</code><form>',
    '<code>a</code> https://evil.example',
    '<code>a</code> www.evil.example',
    '# B',
    '![B](https://github.example/acme/b)',
    '<a href="javascript:x">y</a>',
    '<!-- B -->',
    '<code>a</code> <!-- docs-agent-action check v1 docs=a -->',
    '| a | b |\n|---|---|\n| <code>a|zq7x</code> | b |',
  ])('%j', async (markdown) => {
    expect(await findEffects(`### A\n\n${markdown}`)).not.toEqual([]);
  });

  it('none in our own', async () => {
    const own = '### A\n\n| | |\n|---|---|\n| B | <code>zq7x&#64;x</code> |\n';
    const details = '<details><summary>Details</summary>\n\nC\n\n</details>\n';
    expect(await findEffects(`${own}\nB<br>1 file changed, 2 lines added\n\n${details}`)).toEqual(
      [],
    );
  });
});
