import { expect, it } from 'vitest';
import { sourceOf } from '../../../../src/check/rules/page-changes.ts';
import { version } from '../docs/sites.ts';

const siteOf = (paths: string, languages: string, file = 'docs.json') =>
  version(
    paths.split(' '),
    { navigation: { languages: languages.split(' ').map((language) => ({ language })) } },
    file,
  );

it('the source of a translation is the same page without, or in the folder of, the language', () => {
  const paths =
    'docs/a.mdx docs/fr/a.mdx docs/es/only.mdx docs/v2/b.mdx docs/v2/fr/b.mdx docs/snippets/fr/s.mdx docs/snippets/s.mdx docs/it/a.mdx docs/fr';
  const site = siteOf(paths, 'en fr es', 'docs/docs.json');
  expect(paths.split(' ').map((path) => sourceOf(path, site))).toEqual([
    ...['docs/a.mdx', 'docs/a.mdx', 'docs/es/only.mdx', 'docs/v2/b.mdx', 'docs/v2/b.mdx'],
    ...['docs/snippets/s.mdx', 'docs/snippets/s.mdx', 'docs/it/a.mdx', 'docs/fr'],
  ]);
  const two = siteOf('pt-BR/a.mdx de/a.mdx', 'de pt-BR');
  expect(['pt-BR/a.mdx', 'de/a.mdx'].map((path) => sourceOf(path, two))).toEqual([
    ...['de/a.mdx', 'de/a.mdx'],
  ]);
});
