import { describe, expect, test } from 'vitest';
import { explain, OptionError, readOptions, toArguments } from '../../sandbox/options.ts';

const DEFAULTS = { servicePort: 4100, githubPort: 4101, pages: 3000 };

function refusal(...args: string[]): string {
  try {
    readOptions(args);
  } catch (error) {
    expect(error).toBeInstanceOf(OptionError);
    return explain(error);
  }
  throw new Error(`${args.join(' ')} was not refused`);
}

describe('the command line', () => {
  test('has defaults', () => {
    expect(readOptions([])).toEqual(DEFAULTS);
  });

  test('can be passed on to a detached sandbox', () => {
    const args = ['--port=0', '--github-port', '65535', '--pages', '250000', '--store', '-a b'];
    const options = readOptions([...args, '--detach', 'sandbox.pid']);
    const started = { servicePort: 0, githubPort: 65_535, pages: 250_000, storeFile: '-a b' };
    expect(options).toEqual({ ...started, pidFile: 'sandbox.pid' });
    expect(readOptions(toArguments(options))).toEqual(started);
    expect(readOptions(['--port', '0', '--github-port', '0'])).toMatchObject({ githubPort: 0 });
  });

  test.each([
    ['--port', 'abc', 65_535],
    ['--port', '70000', 65_535],
    ['--port', '65536', 65_535],
    ['--port', ' 1', 65_535],
    ['--port', '4e3', 65_535],
    ['--github-port', '-1', 65_535],
    ['--github-port', '1.5', 65_535],
    ['--pages', '-1', 250_000],
    ['--pages', '250001', 250_000],
    ['--pages', '9'.repeat(40), 250_000],
  ])('%s %s is refused', (name, value, max) => {
    const sentence = `${name} is "${value.trim()}": give a whole number from 0 to ${max}.`;
    expect(refusal(name, value)).toBe(sentence);
    expect(refusal(`${name}=${value}`)).toBe(sentence);
  });

  test.each([
    [['--port'], '--port has no value: give a whole number from 0 to 65535.'],
    [['--pages='], '--pages has no value: give a whole number from 0 to 250000.'],
    [['--store'], '--store has no value: give the path of a file.'],
    [['--detach='], '--detach has no value: give the path of a file.'],
    [['--port', '4101'], '--port and --github-port are both 4101: give each a port of its own.'],
  ])('%j is refused', (args, sentence) => {
    expect(refusal(...args)).toBe(sentence);
  });

  test.each([
    ['--prot', '"--prot"'],
    ['--help', '"--help"'],
    ['--constructor', '"--constructor"'],
    ['-p', '"-p"'],
    ['4100', '"4100"'],
    ['\u001b[2J', '"[2J"'],
  ])('%j is not an option', (word, shown) => {
    expect(refusal(word)).toBe(
      `${shown} is not an option: the options are --port, --github-port, --pages, --store, --detach, each with a value.`,
    );
  });
});

describe('an error at the start', () => {
  const options = { ...DEFAULTS, pidFile: 'no/sandbox.pid' };
  const listening = (code: string, port: number) =>
    Object.assign(new Error(`listen ${code}`), { code, syscall: 'listen', port });

  test.each([
    [
      listening('EADDRINUSE', 4100),
      '--port is 4100, which is already in use: give another port, or 0 for any free port.',
    ],
    [
      listening('EACCES', 4101),
      '--github-port is 4101, which needs more permissions: give another port, or 0 for any free port.',
    ],
    [listening('EADDRINUSE', 5), 'The sandbox could not start: Error: listen EADDRINUSE'],
    [
      Object.assign(new Error('x'), { code: 'ENOENT', syscall: 'open', path: 'no/sandbox.pid' }),
      '--detach is "no/sandbox.pid", which cannot be written (ENOENT): give a file in an existing folder.',
    ],
    [new Error('two\nlines'), 'The sandbox could not start: Error: two lines'],
    ['nothing', 'The sandbox could not start: nothing'],
  ])('becomes one sentence: %s', (error, sentence) => {
    expect(explain(error, options)).toBe(sentence);
  });
});
