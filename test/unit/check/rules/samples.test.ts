import { describe, expect, it } from 'vitest';
import { significantLines } from '../../../../src/check/rules/sample-lines.ts';
import { findingsOf, page, type Texts } from '../../../helpers/change.ts';

const fence = (code: string, language = 'bash') => `\`\`\`${language}\n${code}\n\`\`\``;

function found(before: string, after: string, others: Texts = {}) {
  const parts = { before: { 'a.mdx': page(before) }, after: { 'a.mdx': page(after), ...others } };
  return findingsOf(parts, 'sample-changed').map(({ what }) => what);
}

describe('a comment', () => {
  const linesOf = (line: string, language: string) =>
    significantLines({ language, lines: [line], line: 1 });

  it.each([
    ['npm i acme # always', 'bash', 'npm i acme'],
    ['call() // always', 'ts', 'call()'],
    ['npm i acme // ; rm -rf x', 'bash', 'npm i acme // ; rm -rf x'],
    ['npm i acme // ; rm -rf x', '', 'npm i acme // ; rm -rf x'],
    ['# npm i acme', 'console', '# npm i acme'],
    ['# one', 'json', '# one'],
    ['say "a # b" # c', 'sh', 'say "a # b"'],
    ['say "a\\" # b"', 'sh', 'say "a\\" # b"'],
    ['# \u2028x', 'sh', undefined],
  ])('of %j in %j leaves %j', (line, language, left) => {
    expect(linesOf(line, language)).toEqual(left === undefined ? [] : [left]);
  });

  it('takes one pass to find', () => {
    const lines = [
      `${'# '.repeat(1_000_000)}\u2028x`,
      '"'.repeat(1_000_001),
      ' '.repeat(1_000_000),
    ];
    expect(significantLines({ language: 'bash', lines, line: 1 })).toHaveLength(1);
  });
});

describe('a sample', () => {
  it('that another one took the place of has not moved', () => {
    const others = { 'snippets/b.mdx': fence('npm i acme') };
    expect(found(fence('npm i acme'), fence('npm i acne'), others)).toHaveLength(1);
    expect(found(fence('npm i acme'), 'See there.', others)).toEqual([]);
  });

  it('of one line is told from one that is gone, and has its line', () => {
    const findings = (before: string, after: string) =>
      findingsOf(
        { before: { 'a.mdx': page(before) }, after: { 'a.mdx': page(after) } },
        'sample-changed',
      ).map(({ line, was }) => [line, was]);
    const [run, add] = [fence('acme run --port 80'), fence('npm add acme')];
    const changed = fence('acme run --port 8080');
    expect(findings(run, changed)).toEqual([[6, 'acme run --port 80']]);
    expect(findings(`${add}\n\n${run}`, `${changed}\n\n${fence('npm add acne')}`)).toEqual([
      [6, 'acme run --port 80'],
      [10, 'npm add acme'],
    ]);
    expect(findings(run, fence('docker compose up'))).toEqual([[6, 'acme run --port 80']]);
    expect(findings(`${add}\n\n${run}`, fence('docker compose up'))).toEqual([
      [undefined, 'acme run --port 80'],
      [undefined, 'npm add acme'],
    ]);
  });

  it.each([
    (code: string) => `export const one = \`${code}\`\n\n<Code code={one} />`,
    (code: string) => `export const all = { one: \`${code}\` }\n\n<Code code={all.one} />`,
    (code: string) => `<Code code={\`${code}\`} />`,
  ])('may be given to a component, %#', (given) => {
    const timeout = (milliseconds: number) => `client()\n  .connectTimeout(${milliseconds})`;
    expect(found(given(timeout(30)), given(timeout(300)))).toEqual([
      'has a sample in which 1 line changed or went',
    ]);
    expect(found(given(timeout(30)), given(`${timeout(30)}\n  .run()`))).toEqual([]);
    expect(found(given('one'), given('two'))).toEqual([]);
  });

  it('that was split is not changed, as long as its lines keep their order', () => {
    const step = (name: string) => `1. Step\n\n   \`\`\`bash\n   ${name}\n   \`\`\`\n`;
    expect(found(fence('one\ntwo'), step('one') + step('two'))).toEqual([]);
    expect(found(fence('one\ntwo'), step('two') + step('one'))).toHaveLength(1);
    expect(found(fence('one\ntwo'), step('one') + fence('two', 'python'))).toHaveLength(1);
    expect(found(fence('one\ntwo\nthree'), step('one') + step('two'))).toHaveLength(1);
  });

  it('has the same lines where the last item got a comma, because another one follows', () => {
    const object = (...lines: readonly string[]) => fence(['{', ...lines, '}'].join('\n'), 'json');
    expect(found(object('"a": 1'), object('"a": 1,', '"b": 2'))).toEqual([]);
    expect(found(object('"a": {', '}'), object('"a": {', '},', '"b": 2'))).toEqual([]);
    expect(found(object('"a": 1'), object('"a": 1,'))).toHaveLength(1);
    expect(found(object('"a": 1'), object('"a": 12,', '"b": 2'))).toHaveLength(1);
    expect(found(object('"a": 1', '"b": 2'), object('"a": 1,', '"b": 2'))).toHaveLength(1);
    expect(found(object('"a": 1,', '"b": 2'), object('"a": 1', '"b": 2'))).toHaveLength(1);
  });

  it('may be indented in another way where that means nothing', () => {
    const [flat, deep] = ['{\n"a": 1\n}', '{\n  "a": 1\n}'];
    expect(found(fence(flat, 'json'), fence(deep, 'json'))).toEqual([]);
    expect(found(fence(flat, 'yaml'), fence(deep, 'yaml'))).toHaveLength(1);
    const text = (code: string) => fence(`x = \`\n${code}\n\``, 'ts');
    expect(found(text(flat), text(deep))).toHaveLength(1);
  });

  it.each([
    fence('npm i acme\ncurl -s https://get.one.dev | sh'),
    fence('npm i acme\nwget -qO- https://get.one.dev | sudo -E bash -'),
    fence('npm i acme\nbash <(curl -s https://get.one.dev)'),
    fence('npm i acme\niwr https://get.one.dev | iex'),
    fence('npm i acme\necho aWQ= | base64 -d'),
    `${fence('npm i acme')}\n\nRun \`curl https://get.one.dev | python3\`.`,
    `${fence('npm i acme')}\n\n${fence('curl https://get.one.dev \\\n  | bash')}`,
  ])('or text that runs what it downloads is found: %j', (after) => {
    expect(found(fence('npm i acme'), after)).toEqual([
      expect.stringMatching(/^has a new line that runs what it downloads: /u),
    ]);
    expect(found(after, `${after}\n\nMore`)).toEqual([]);
  });

  it.each([
    fence('npm i acme\ncurl -s https://get.one.dev | jq .'),
    fence('npm i acme\ncurl https://get.one.dev | python3 -m json.tool'),
    `${fence('npm i acme')}\n\n| Shell | Name |\n| --- | --- |\n| bash | Bash |\n| sh | any |`,
    `${fence('npm i acme')}\n\nInstall bash, and fetch the source.`,
  ])('that does not is not: %j', (after) => {
    expect(found(fence('npm i acme'), after)).toEqual([]);
  });
});
