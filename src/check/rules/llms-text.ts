import type { Change, ChangedFile } from '../change.ts';
import { changedPages, newLines } from './compare.ts';
import { domainOf, hostOf } from './hosts.ts';

type Sides = Pick<Change, 'files' | 'before' | 'after'>;

/**
 * Whether an overview for agents, such as llms-full.txt, has only new text that the pages show to readers
 * too: many repositories make it from their pages, often some changes later.
 */
export function isMadeFromPages(file: ChangedFile, change: Change): boolean {
  if (!isEditedOverview(file)) {
    return false;
  }
  const unknown = unknownTexts(file, change).filter(
    (text) => !formsOf(text, file).some((form) => change.knownTexts.has(form)),
  );
  return (
    unknown.join('').length <= mostUnknown &&
    !unknown.some(isDomain) &&
    lengthOf(file.after) * 2 >= lengthOf(file.before)
  );
}

/**
 * The texts and domains that overviews have now, and of which must be known whether unchanged pages have
 * them: search those for them with `textsIn`, and put what was found into `knownTexts`.
 */
export function textsInQuestion(change: Sides): ReadonlySet<string> {
  return new Set(
    change.files
      .filter(isEditedOverview)
      .flatMap((file) => unknownTexts(file, change).flatMap((text) => formsOf(text, file))),
  );
}

function isEditedOverview({ path, status }: ChangedFile): boolean {
  return /(?:^|\/)llms[^/]*\.txt$/u.test(path) && status === 'modified';
}

/** A word or two, such as a generator puts between links. They say nothing by themselves. */
const mostUnknown = 12;

/** What an overview had not and no changed page has. */
function unknownTexts(file: ChangedFile, change: Sides): readonly string[] {
  const pages = changedPages(change);
  const known = new Set([
    ...textsIn(file.before ?? ''),
    ...pages.flatMap((page) => textsIn(page.file.after ?? '')),
    ...pages.flatMap((page) => page.after?.frontMatter ?? []).flatMap(({ json }) => textsIn(json)),
  ]);
  const texts = new Set(newLines(file).flatMap(({ text }) => textsIn(text)));
  return [...texts].filter((text) => !formsOf(text, file).some((form) => known.has(form)));
}

/** Generators may put the path of the whole site in front of the address of a page. */
function formsOf(text: string, { before = '' }: ChangedFile): readonly string[] {
  const base = /^\/[\w-]+(?=\/[\w/#.-]+$)/u.exec(text)?.[0];
  return base !== undefined && before.includes(`](${base}/`)
    ? [text, text.slice(base.length)]
    : [text];
}

function lengthOf(text: string | undefined): number {
  return text?.trim().length ?? 0;
}

const address = /https?:\/\/[^\s"'<>)\]]{1,1000}/giu;

/**
 * The texts between marks and addresses, so that a generator's other marks do not matter, and the domains
 * of the addresses.
 */
export function textsIn(text: string): readonly string[] {
  const parts = text
    .replace(address, '\n')
    .split(/[\r\n[\]()<>{}*_`|#"\\]|: | - /u)
    .map((part) => part.trim().replace(/^(?:[-+]|\d{1,3}[.)])\s+/u, ''))
    .filter((part) => part !== '');
  return [...parts, ...domainsIn(text)];
}

function domainsIn(text: string): readonly string[] {
  return (text.match(address) ?? [])
    .map(hostOf)
    .filter((host) => host !== undefined)
    .map((host) => `${domainMark}${domainOf(host)}`);
}

/** No part of a text begins like this, because addresses are taken out of it. */
const domainMark = 'https://';

function isDomain(text: string): boolean {
  return text.startsWith(domainMark);
}
