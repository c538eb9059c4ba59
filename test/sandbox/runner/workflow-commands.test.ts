import { describe, expect, test } from 'vitest';
import { type LogLine, logView, parseCommand } from '../../../sandbox/runner/workflow-commands.ts';

function show(...lines: string[]): LogLine[] {
  const view = logView();
  return lines.flatMap((line) => view(line));
}

describe('commands', () => {
  test.each([
    ['::debug::x', { name: 'debug', properties: {}, message: 'x' }],
    ['  ::NOTICE::x', { name: 'notice', properties: {}, message: 'x' }],
    ['::endgroup::', { name: 'endgroup', properties: {}, message: '' }],
    [
      '::error file=a%2Cb.ts,line=1,title=Bad%3A 100%25::one%0Atwo%0D %250A',
      {
        name: 'error',
        properties: { file: 'a,b.ts', line: '1', title: 'Bad: 100%' },
        message: 'one\ntwo\r %0A',
      },
    ],
    ['see ##[error]boom', { name: 'error', properties: {}, message: 'boom' }],
    ['##[group name=x;a=b]t', { name: 'group', properties: { name: 'x', a: 'b' }, message: 't' }],
  ])('%s is parsed', (line, command) => {
    expect(parseCommand(line)).toEqual(command);
  });

  test.each(['text ::error::x', '::', ':: error::x', '#[error]x', '##[]x', ''])(
    '%s is not a command',
    (line) => {
      expect(parseCommand(line)).toBeUndefined();
    },
  );
});

describe('the log', () => {
  test('shows annotations with their titles, and hides debug lines', () => {
    expect(
      show('a', '::debug::b', '::notice::c', '::warning title=T::d', '::error::e%0Af'),
    ).toEqual([
      { kind: 'text', text: 'a', depth: 0 },
      { kind: 'notice', text: 'c', depth: 0 },
      { kind: 'warning', text: 'T: d', depth: 0 },
      { kind: 'error', text: 'e', depth: 0 },
      { kind: 'error', text: 'f', depth: 0 },
    ]);
  });

  test('indents the lines of a group', () => {
    expect(show('::group::G', 'a', '::group::H', 'b', '::endgroup::', 'c')).toEqual([
      { kind: 'group', text: 'G', depth: 0 },
      { kind: 'text', text: 'a', depth: 1 },
      { kind: 'group', text: 'H', depth: 0 },
      { kind: 'text', text: 'b', depth: 1 },
      { kind: 'text', text: 'c', depth: 0 },
    ]);
  });

  test('masks secrets in later lines, the longest first', () => {
    const lines = show(
      'secret',
      '::add-mask::secret',
      '::add-mask::secretive%0Asecond line',
      'a secret, secretive second line',
      '::error::secret%0Asecret',
    );
    expect(lines.map(({ text }) => text)).toEqual(['secret', 'a ***, *** ***', '***', '***']);
  });

  test('ignores an empty secret', () => {
    expect(show('::add-mask::', 'abc')).toEqual([{ kind: 'text', text: 'abc', depth: 0 }]);
  });

  test('shows unknown commands unchanged', () => {
    expect(show('::save-state name=a::b')).toEqual([
      { kind: 'text', text: '::save-state name=a::b', depth: 0 },
    ]);
  });
});
