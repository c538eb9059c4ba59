import { describe, expect, it } from 'vitest';
import { sourceOf } from '../../../../src/check/rules/page-changes.ts';
import { version } from '../docs/sites.ts';

const languages = (...names: string[]) => ({
  navigation: { languages: names.map((language) => ({ language })) },
});

describe('the source of a translation', () => {
  const paths = [
    'docs/a.mdx',
    'docs/fr/a.mdx',
    'docs/es/only.mdx',
    'docs/v2/b.mdx',
    'docs/v2/fr/b.mdx',
    'docs/snippets/fr/s.mdx',
    'docs/snippets/s.mdx',
    'docs/it/a.mdx',
  ];
  const site = version(paths, languages('en', 'fr', 'es'), 'docs/docs.json');

  it.each([
    ['docs/fr/a.mdx', 'docs/a.mdx'],
    ['docs/v2/fr/b.mdx', 'docs/v2/b.mdx'],
    ['docs/snippets/fr/s.mdx', 'docs/snippets/s.mdx'],
    ['docs/a.mdx', 'docs/a.mdx'],
    ['docs/es/only.mdx', 'docs/es/only.mdx'],
    ['docs/it/a.mdx', 'docs/it/a.mdx'],
  ])('of %s is %s', (path, source) => {
    expect(sourceOf(path, site)).toBe(source);
  });

  it('lies in the folder of the default language where there is one', () => {
    const two = version(['pt-BR/a.mdx', 'de/a.mdx'], languages('de', 'pt-BR'));
    expect(sourceOf('pt-BR/a.mdx', two)).toBe('de/a.mdx');
    expect(sourceOf('de/a.mdx', two)).toBe('de/a.mdx');
  });

  it('is not guessed where the settings name no languages', () => {
    const none = version(['guides/a.mdx', 'ja/guides/a.mdx']);
    expect(sourceOf('ja/guides/a.mdx', none)).toBe('ja/guides/a.mdx');
  });
});
