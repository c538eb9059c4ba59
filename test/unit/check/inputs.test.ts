import { describe, expect, it } from 'vitest';
import { defaultSeverities } from '../../../src/check/finding.ts';
import { type CheckInputs, readCheckInputs, tokenFor } from '../../../src/check/inputs.ts';
import { passedInputs } from '../../helpers/fake-runner.ts';

async function checkInputs(values: Readonly<Record<string, string>> = {}): Promise<CheckInputs> {
  return await readCheckInputs(
    passedInputs({ 'github-token': 'ghs_token', ...values }),
    'https://github.example',
  );
}

describe('the inputs', () => {
  it('have defaults', async () => {
    expect(await checkInputs()).toEqual({
      pullRequest: undefined,
      token: 'ghs_token',
      hasDocsToken: false,
      docsRoot: undefined,
      allowedPaths: [],
      rules: new Map(),
      hasComment: false,
      failOn: new Set(['blocked']),
    });
  });

  it('prefer the docs-token', async () => {
    const inputs = await checkInputs({ 'docs-token': 'ghp_docs' });
    expect(inputs).toMatchObject({ token: 'ghp_docs', hasDocsToken: true });
    expect((await checkInputs({ 'docs-token': 'ghp_docs', 'github-token': '' })).token).toBe(
      'ghp_docs',
    );
  });

  it('say which token advice is about', () => {
    const tokenOf = (repository: string, hasDocsToken: boolean) => {
      const { input, isStandIn } = tokenFor({ repository }, { hasDocsToken }, 'acme/docs');
      return `${input}${isStandIn ? ', for which the other one stands in' : ''}`;
    };
    expect([
      tokenOf('Acme/Docs', false),
      tokenOf('acme/docs', true),
      tokenOf('acme/other', true),
      tokenOf('acme/other', false),
    ]).toEqual([
      ...['github-token', 'docs-token', 'docs-token'],
      'docs-token, for which the other one stands in',
    ]);
  });

  it.each([
    ['https://github.example/acme/docs/pull/12', { repository: 'acme/docs', number: 12 }],
    ['https://github.example/acme/docs/pull/12/files#x', { repository: 'acme/docs', number: 12 }],
  ])('read the pr-link %s', async (text, pullRequest) => {
    expect((await checkInputs({ 'pr-link': text })).pullRequest).toEqual(pullRequest);
  });

  it.each([
    'https://elsewhere.example/acme/docs/pull/12',
    'https://github.example/acme/docs/issues/12',
    'acme/docs#12',
  ])('refuse the pr-link %s', async (text) => {
    await expect(checkInputs({ 'pr-link': text })).rejects.toThrow(
      `Input pr-link is "${text}", which is not a pull request on https://github.example: it takes a link such as https://github.example/owner/name/pull/12.`,
    );
  });

  it.each([
    ['.', ''],
    ['/', ''],
    ['docs', 'docs'],
    ['./packages//docs/', 'packages/docs'],
  ])('read the docs-root %s as %o', async (text, docsRoot) => {
    expect((await checkInputs({ 'docs-root': text })).docsRoot).toBe(docsRoot);
  });

  it('read one glob in a line', async () => {
    const text =
      'assets/{a,b}.css\r\n\n  fonts/my font.woff2 \n**/[slug]-{1..3}?.pdf\n@acme/été/.well-known/**\n';
    expect((await checkInputs({ 'allowed-paths': text })).allowedPaths).toEqual([
      'assets/{a,b}.css',
      'fonts/my font.woff2',
      '**/[slug]-{1..3}?.pdf',
      '@acme/été/.well-known/**',
    ]);
    const ends = [
      '**',
      'docs/*',
      'v1.*/a*',
      'a.b.css',
      '.vale.ini',
      'docs/.vale/*',
      'docs/Makefile',
    ];
    expect((await checkInputs({ 'allowed-paths': ends.join('\n') })).allowedPaths).toEqual(ends);
  });

  it.each([
    '!docs/**',
    'assets/',
    '/assets/*',
    './assets/*',
    'docs/../*',
    'a\\b',
    '- assets/**',
    '[!a]*',
    ...['assets/*.{css,js}', 'assets/*.[jt]s', '*.pd?', 'docs/custom.*', 'docs/{a,b}'],
    ...['a,', 'a, b', 'docs/a.', 'docs /b', 'a;b', 'docs/-a'],
  ])('refuse the glob %s', async (text) => {
    await expect(checkInputs({ 'allowed-paths': text })).rejects.toThrow(
      `allowed-paths has ${JSON.stringify(text)}`,
    );
  });

  it.each([
    ['review', ['review', 'blocked']],
    ['blocked, skipped', ['blocked', 'skipped']],
    ['skipped', ['skipped']],
    ['none', []],
  ])('read fail-on %s', async (text, words) => {
    expect((await checkInputs({ 'fail-on': text })).failOn).toEqual(new Set(words));
  });

  it.each([
    [
      { 'github-token': '' },
      "Input github-token is empty: leave the input out, which gives it the workflow's own token.",
    ],
    [
      { 'allowed-paths': 'assets/**, fonts/**' },
      'Input allowed-paths has "assets/**, fonts/**": it takes one glob in a line, from the top of the repository, such as assets/**/*.pdf; a folder is written docs/**, each extension is written out in a line of its own, and "!", ".." and most punctuation are not allowed.',
    ],
    [{ comment: 'auto' }, 'Input comment is "auto": it takes true or false.'],
    [
      { 'fail-on': 'passed' },
      'Input fail-on has "passed": it takes any of blocked, review and skipped, or "none".',
    ],
    [
      { 'fail-on': 'none, review' },
      'Input fail-on combines "none" with other words: write only "none".',
    ],
    [
      { 'docs-token': 'two words' },
      'Input docs-token contains a space, a line break, a quote or a character that is not ASCII: copy only the value, without quotes, into the secret again.',
    ],
  ])('refuse %o', async (values, sentence) => {
    await expect(checkInputs(values)).rejects.toThrow(sentence);
  });
});

const all = Object.keys(defaultSeverities);
const listOfAll = `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`;

describe('the input rules', () => {
  const rulesIn = async (text: string) => (await checkInputs({ rules: text })).rules;

  it('names rules and what they do', async () => {
    expect([
      ...(await rulesIn('other-file: off\n"broken-link": review # later\nnot-valid: "block"')),
    ]).toEqual([
      ['other-file', 'off'],
      ['broken-link', 'review'],
      ['not-valid', 'block'],
    ]);
  });

  it.each(['', '  ', '# nothing'])('may be empty: %o', async (text) => {
    expect([...(await rulesIn(text))]).toEqual([]);
  });

  it.each([
    [
      'other-files: off',
      `Input rules names "other-files", which is not a rule (did you mean other-file?): the rules are ${listOfAll}.`,
    ],
    [
      'large-change: off',
      `Input rules names "large-change", which is not a rule: the rules are ${listOfAll}.`,
    ],
    ['not-judged: off', 'Input rules sets not-judged to "off": this rule takes block or review.'],
    [
      'other-file: blocked',
      'Input rules sets other-file to "blocked": this rule takes block, review or off.',
    ],
    ['other-file:', 'Input rules sets other-file to "": this rule takes block, review or off.'],
    [
      'off',
      'Input rules is not a YAML mapping: write one "rule: block", "rule: review" or "rule: off" per line.',
    ],
    [
      'other-file: off\nother-file: review',
      'Input rules cannot be read as YAML (line 2): write one "rule: block", "rule: review" or "rule: off" per line, and quote a value that has ": " or " #" in it.',
    ],
    [
      'other-file: [off]',
      String.raw`Input rules sets other-file to "[\"off\"]": this rule takes block, review or off.`,
    ],
  ])('refuses %o', async (text, sentence) => {
    await expect(rulesIn(text)).rejects.toThrow(sentence);
  });

  it('knows each rule by its own name', async () => {
    for (const rule of all.filter((name) => name !== 'not-judged')) {
      expect([...(await rulesIn(`${rule}: off`))]).toEqual([[rule, 'off']]);
    }
  });
});
