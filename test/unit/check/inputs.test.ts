import { describe, expect, it } from 'vitest';
import { checkInputs } from '../../helpers/check-inputs.ts';

describe('the inputs', () => {
  it('have defaults', () => {
    expect(checkInputs()).toEqual({
      prLink: '',
      token: 'ghs_token',
      hasDocsToken: false,
      docsRoot: undefined,
      allowedPaths: [],
      rules: '',
      hasComment: false,
      hasReaders: false,
      failOn: new Set(['blocked']),
    });
  });

  it('prefer the docs-token', () => {
    expect(checkInputs({ 'docs-token': 'ghp_docs' }).token).toBe('ghp_docs');
  });

  it.each([
    ['.', ''],
    ['/', ''],
    ['docs', 'docs'],
    ['./packages/docs/', 'packages/docs'],
  ])('read the docs-root %s as %o', (text, docsRoot) => {
    expect(checkInputs({ 'docs-root': text }).docsRoot).toBe(docsRoot);
  });

  it('read one glob in a line', () => {
    const text = 'assets/*.{css,js}\r\n\n  fonts/my font.woff2 \n';
    expect(checkInputs({ 'allowed-paths': text }).allowedPaths).toEqual([
      'assets/*.{css,js}',
      'fonts/my font.woff2',
    ]);
  });

  it.each([
    ['review', ['review', 'blocked']],
    ['blocked, skipped', ['blocked', 'skipped']],
    ['skipped', ['skipped']],
    ['none', []],
  ])('read fail-on %s', (text, words) => {
    expect(checkInputs({ 'fail-on': text }).failOn).toEqual(new Set(words));
  });

  it.each([
    [
      { 'docs-root': '../docs' },
      'Input docs-root is "../docs": it takes the path of a folder in the repository, such as docs, or "." for the top.',
    ],
    [
      { 'allowed-paths': 'assets/**, fonts/**' },
      'Input allowed-paths has "assets/**, fonts/**": it takes one glob in a line, from the top of the repository, such as assets/**/*.pdf, without "!" and ".."; a folder is written docs/**.',
    ],
    [
      { 'allowed-paths': '!docs/**' },
      'Input allowed-paths has "!docs/**": it takes one glob in a line, from the top of the repository, such as assets/**/*.pdf, without "!" and ".."; a folder is written docs/**.',
    ],
    [
      { 'allowed-paths': 'assets/' },
      'Input allowed-paths has "assets/": it takes one glob in a line, from the top of the repository, such as assets/**/*.pdf, without "!" and ".."; a folder is written docs/**.',
    ],
    [{ comment: 'auto' }, 'Input comment is "auto": it takes true or false.'],
    [{ readers: 'yes' }, 'Input readers is "yes": it takes true or false.'],
    [
      { 'fail-on': 'routine' },
      'Input fail-on has "routine": it takes any of blocked, review and skipped, or "none".',
    ],
    [
      { 'fail-on': 'none, review' },
      'Input fail-on combines "none" with other words: write only "none".',
    ],
    [
      { 'docs-token': 'two words' },
      'Input docs-token contains a space, a line break or a character that is not ASCII: copy only the token into the secret again.',
    ],
  ])('refuse %o', (values, sentence) => {
    expect(() => checkInputs(values)).toThrow(sentence);
  });
});
