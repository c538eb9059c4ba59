import type { Change, DocsVersion } from '../change.ts';
import { linksOf } from '../docs/links.ts';
import { isOfApi, type Unseen, unseenCharactersIn } from '../docs/page.ts';
import { addressOf, belowRoot, isInNavigation } from '../docs/site.ts';
import { found, type RuleFinding } from '../finding.ts';
import { say } from '../sentence.ts';
import { minus } from './items.ts';
import { isOn, kindIn, pageChangesOf, sourceOf } from './page-changes.ts';

/** What is new in a page or in the settings although readers do not see it, and new pages that readers do not find. */
export function unseen(change: Change): readonly RuleFinding[] {
  const { before, after } = change;
  const pages = pageChangesOf(change).flatMap(({ file, before: old, after: now }) =>
    newIn(file.path, old.unseen, now.unseen),
  );
  const settings = [...after.site.files].flatMap(([file, text]) =>
    newIn(file, unseenCharactersIn(before.site.files.get(file) ?? ''), unseenCharactersIn(text)),
  );
  return [...pages, ...settings, ...unseenPages(change), ...sharedAddresses(change)];
}

/** New files that have the address of another file, so that readers see only one of them. */
function sharedAddresses({ before, after }: Change): readonly RuleFinding[] {
  return linksOf(after).sharedAddresses.flatMap(([address, files]) =>
    files
      .filter((file) => !before.tree.has(file))
      .slice(0, 1)
      .map((file) => {
        const others = files.filter((other) => other !== file).join(' and ');
        const what = say`The page has the same address as ${others}, ${`/${address}`}, so that readers see only one of them: rename it.`;
        return found('unseen', { file }, what);
      }),
  );
}

/** New pages that readers do not find. A navigation that cannot be read as a whole may name any page. */
function unseenPages({ files, after }: Change): readonly RuleFinding[] {
  const { site } = after;
  const candidates = files
    .filter(({ path, status }) => status === 'added' && kindIn(after, path) === 'page')
    .filter(({ path }) => site.problems.length === 0 && !isInNavigation(path, after));
  const linked = candidates.length === 0 ? new Set<string>() : linkedPages(after);
  return candidates
    .filter(({ path }) => {
      const page = after.pages.get(path);
      const isRead = page !== undefined && page.problem === undefined;
      // Where the navigation names API descriptions, Mintlify makes entries of their operations.
      const mayBeEntry = isOfApi(page) && site.apiFolders.length > 0;
      const isMeant = isOn(page, 'hidden') || isOn(page, 'noindex') || isOfUnlisted(path, after);
      const isHome = addressOf(belowRoot(path, site)) === '';
      return isRead && !isMeant && !mayBeEntry && !linked.has(path) && !isHome;
    })
    .map(({ path }) => found('unseen', { file: path }, unseenPage));
}

/** Whether a page is a translation of a page that is not in the navigation either. */
function isOfUnlisted(path: string, version: DocsVersion): boolean {
  const source = sourceOf(path, version);
  return source !== path && !isInNavigation(source, version);
}

const unseenPage = say`A new page is not in the navigation, and no page links to it, so that readers do not find it: add it to the navigation, or write ${'hidden: true'} in its front matter if that is meant.`;

/** The pages that another page, a snippet or the settings lead to. */
function linkedPages(version: DocsVersion): ReadonlySet<string> {
  const links = linksOf(version);
  const { references, redirects } = version.site;
  const targets = [
    ...[...version.pages].flatMap(([from, { links: own }]) =>
      own.map(({ target }) => ({ target, from })),
    ),
    ...references.map(({ target, place }) => ({ target, from: place.file })),
    ...redirects.map(({ destination, place }) => ({ target: destination, from: place.file })),
  ];
  const linked = targets.flatMap(({ target, from }) => {
    const end = links.resolve(target, from);
    return end.kind === 'page' && end.file !== from ? end.file : [];
  });
  return new Set(linked);
}

const sentences = {
  comment: say`A comment is new, which readers do not see: delete it, unless authors need it.`,
  script: say`JavaScript is new, of which readers do not see what it does: look at it.`,
  character: say`Characters are new that nobody sees, or that turn the order of others: delete them.`,
} as const satisfies Record<Unseen['kind'], unknown>;

/** One finding for each kind of unseen text that is new in a file. */
function newIn(file: string, old: readonly Unseen[], now: readonly Unseen[]) {
  const added = minus(now, old, ({ kind, text }) => `${kind} ${text}`);
  return [...Map.groupBy(added, ({ kind }) => kind)].map(([kind, all]): RuleFinding => {
    const after = all.map(({ text }) => text).join('\n');
    return found('unseen', { file, line: all[0]?.line }, sentences[kind], { after });
  });
}
