import { expect, it } from 'vitest';
import { runOnIssue } from '../helpers/run.ts';

/** GitHub's limit for the body of an issue. */
const longest = 65_536;

function filled(part: string, around: readonly [string, string] = ['', '']): string {
  const room = longest - around[0].length - around[1].length;
  return around[0] + part.repeat(Math.ceil(room / part.length)).slice(0, room) + around[1];
}

function nested(open: string, close: string): string {
  const depth = Math.floor(longest / (open.length + close.length));
  return open.repeat(depth) + close.repeat(depth);
}

/** Comments that form new ones when others are removed, and thousands of unclosed ones. */
const inPieces = `${'x<!--'.repeat(4_000)}\n${'<!-'.repeat(2_500)}${'-->'.repeat(2_500)}`;

/** Text that was made to keep a parser busy. */
const busyTexts: readonly (readonly [name: string, body: string])[] = [
  ['quotes', filled('>', ['<b>\n', ''])],
  ['quotes and lists', filled('> - 1. ', ['<b>\n', ''])],
  [
    'lists',
    Array.from({ length: 350 }, (_, depth) => `${' '.repeat(2 * depth)}- [`)
      .join('\n')
      .slice(0, longest),
  ],
  ['brackets', nested('[', ']')],
  ['images', filled('![[')],
  ['addresses', filled('[a](')],
  ['emphasis', filled('*a_', ['<b>', ''])],
  ['strikes', filled('~a', ['<b>', ''])],
  ['tags', nested('<b>', '</b>')],
  ['tags left open', filled('<a ')],
  ['attributes', filled(' a=">"', ['<div', '>'])],
  ['fences', filled('```\n')],
  ['comments', filled('<!--\n')],
  ['comments in pieces', inPieces],
  ['tables', filled('|a', ['|a|\n|-|\n', ''])],
  ['references', filled('[a]', [`[a]: /${'u'.repeat(20_000)}\n\n`, ''])],
  ['footnotes', filled('[^a]', ['[^a]: b\n\n', ''])],
  ['definitions', filled('[a]: /b "c"\n')],
  ['entities', filled('&#x41;')],
  ['invisible characters', filled('\u200D', ['<b>', ''])],
];

it.each(busyTexts)(
  '%s: the request goes out, or one sentence says why not',
  async (_name, body) => {
    const { outputs, sent, exitCode, stderr, signal } = await runOnIssue({ title: 'A', body });
    expect(signal).toBeNull();
    expect(stderr).toBe('');
    if (sent === undefined) {
      expect({ exitCode, ...outputs }).toMatchObject({
        exitCode: 1,
        result: 'error',
        reason: 'bad-input',
        message:
          'Input prompt has a placeholder for Markdown that takes too long to parse, because it is nested very deeply or was made to be slow: read the text yourself before you give it to an agent, and shorten it or leave the placeholder out.',
      });
    } else {
      expect(outputs['result']).toBe('pull-request');
    }
  },
);
