import type { Change, ChangedFile } from '../change.ts';
import { changedPages, newLines } from './compare.ts';
import { domainOf, hostOf } from './hosts.ts';

/**
 * Whether an overview for agents, such as llms-full.txt, has only new text that the changed pages show to
 * readers too: many repositories make it from their pages.
 */
export function isMadeFromPages(file: ChangedFile, change: Change): boolean {
  if (!/(?:^|\/)llms[^/]*\.txt$/u.test(file.path) || file.status !== 'modified') {
    return false;
  }
  const pages = changedPages(change);
  const known = new Set([
    ...partsOf(file.before ?? ''),
    ...pages.flatMap((page) => partsOf(page.file.after ?? '')),
    ...pages.flatMap((page) => page.after?.frontMatter ?? []).flatMap(({ json }) => partsOf(json)),
  ]);
  const texts = [file.before, ...pages.map((page) => page.file.after)];
  const domains = new Set(texts.flatMap((text) => domainsIn(text ?? '')));
  const lines = newLines(file).map(({ text }) => text);
  const unknown = new Set(lines.flatMap(partsOf).filter((part) => !known.has(part)));
  return (
    [...unknown].join('').length <= mostUnknown &&
    lines.flatMap(domainsIn).every((domain) => domains.has(domain)) &&
    lengthOf(file.after) * 2 >= lengthOf(file.before)
  );
}

/** A word or two, such as a generator puts between links. They say nothing by themselves. */
const mostUnknown = 12;

function lengthOf(text: string | undefined): number {
  return text?.trim().length ?? 0;
}

const address = /https?:\/\/[^\s"'<>)\]]{1,1000}/giu;

/** The texts between marks and addresses, so that a generator's other marks do not matter. */
function partsOf(text: string): readonly string[] {
  return text
    .replace(address, '\n')
    .split(/[\r\n[\]()<>{}*_`|#"\\]|: | - /u)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function domainsIn(text: string): readonly string[] {
  return (text.match(address) ?? [])
    .map(hostOf)
    .filter((host) => host !== undefined)
    .map(domainOf);
}
