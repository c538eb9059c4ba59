import { describe, expect, it } from 'vitest';
import { findKeyTraces } from './key-traces.ts';
import { findEffects } from './markdown-oracle.ts';
import { executedCommands } from './runner-commands.ts';

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
    '### A\n\nzq7x',
    '### A\n\n<code>@x</code>',
    '### A\n\n<code>a</code><script>',
    '### A\n\n<code>https://x</code>',
    '### A\n\n# B',
    '### A\n\n| a | b | c |',
    '### A\n\n<a href="javascript:x">y</a>',
    '### A\n\n<details><summary>B</summary>\n\n</details>',
    '### A\n\nB <details><summary>Details</summary>',
    '### A\n\nB<br>C',
  ])('%j', (markdown) => {
    expect(findEffects(markdown)).not.toEqual([]);
  });

  it('none in our own', () => {
    const own = '### A\n\n| | |\n|---|---|\n| B | <code>zq7x&#64;x</code> |\n';
    const details = '<details><summary>Details</summary>\n\nC\n\n</details>\n';
    expect(findEffects(own)).toEqual([]);
    expect(findEffects(`${own}\nB<br>1 file changed, 2 lines added\n\n${details}`)).toEqual([]);
  });
});
