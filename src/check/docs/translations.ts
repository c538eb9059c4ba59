import type { LinkTargets } from './links.ts';

/** Folders that hold a translation where the settings name no languages. */
const usual =
  /^(?:ar|bn|ca|cn|cs|da|de|el|en|es|fa|fi|fr|he|hi|hu|id|it|ja|jp|ko|lv|ms|nl|no|pl|pt|ro|ru|sv|th|tr|uk|ur|uz|vi|zh)(?:-[A-Za-z]{2,4})?$/;

/**
 * The source of a translated file: `guides/setup.mdx` or `en/guides/setup.mdx` of
 * `fr/guides/setup.mdx`. A file that is no translation, or whose source is not there, is its own.
 */
export function sourceOf(path: string, { tree, site }: LinkTargets): string {
  const [main = 'en', ...others] = site.languages;
  const segments = path.split('/');
  const index = segments.findIndex((segment, at) => {
    const isLanguage = others.length > 0 ? others.includes(segment) : usual.test(segment);
    return isLanguage && segment !== main && at < segments.length - 1;
  });
  if (index === -1) return path;
  const sources = [segments.toSpliced(index, 1), segments.with(index, main)];
  return sources.map((source) => source.join('/')).find((source) => tree.has(source)) ?? path;
}
