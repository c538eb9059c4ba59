import type { LinkTargets } from './links.ts';

/**
 * The source of a translated file, of the languages that the navigation names: `guides/setup.mdx` or
 * `en/guides/setup.mdx` of `fr/guides/setup.mdx`. A file that is no translation, or whose source is not
 * there, is its own.
 */
export function sourceOf(path: string, { tree, site }: LinkTargets): string {
  const [main = '', ...others] = site.languages;
  const segments = path.split('/');
  const index = segments.slice(0, -1).findIndex((segment) => others.includes(segment));
  if (index === -1) return path;
  const sources = [segments.toSpliced(index, 1), segments.with(index, main)];
  return sources.map((source) => source.join('/')).find((source) => tree.has(source)) ?? path;
}
