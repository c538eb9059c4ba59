import type { Change, DocsVersion } from '../change.ts';
import { hasAnchor } from '../docs/anchors.ts';
import { linksOf } from '../docs/links.ts';
import { emptyPage, type Reference } from '../docs/page.ts';
import { addressIn, type Loop, loopFrom, maxRedirects } from '../docs/redirects.ts';
import { type PlacedReference, referencesInFields } from '../docs/references.ts';
import { found, type RuleFinding } from '../finding.ts';
import { type Sentence, say } from '../sentence.ts';
import { couldBeRead, originOf } from './page-changes.ts';

/** What leads nowhere because of this change: links, anchors, imports, files and the navigation. */
export function brokenLink(change: Change): readonly RuleFinding[] {
  const { before, after } = change;
  const inSettings = newlyBroken(
    { references: before.site.references, version: before },
    { references: after.site.references, version: after },
  );
  return [...inPages(change), ...inSettings].map(({ reference, what }) =>
    found('broken-link', reference.place, what),
  );
}

/** The references of a file, or of the settings, in one version. */
export interface Side {
  /** The page, by path in the repository. Left out for the settings, where each reference starts in its own file. */
  readonly from?: string;
  readonly references: readonly PlacedReference[];
  readonly version: DocsVersion;
}

/** The links of a page or a snippet, and what its front matter names. */
function pageSide(file: string, version: DocsVersion): Side {
  const { links, frontMatter } = version.pages.get(file) ?? emptyPage;
  const inText = links.map(({ line, ...reference }) => ({ ...reference, place: { file, line } }));
  return { from: file, references: [...referencesInFields(frontMatter, file), ...inText], version };
}

function inPages(change: Change): readonly Broken[] {
  const { before, after } = change;
  return [...after.pages.keys()]
    .filter((path) => couldBeRead(path, change))
    .flatMap((path) =>
      newlyBroken(pageSide(originOf(path, change), before), pageSide(path, after)),
    );
}

interface Broken {
  readonly reference: PlacedReference;
  readonly what: Sentence;
}

/** The references that lead nowhere now, and that are new or led somewhere before. */
export function newlyBroken(old: Side, now: Side): readonly Broken[] {
  const had = new Set(old.references.map(keyOf));
  return now.references.flatMap((reference) => {
    const what = brokenPart(reference, now);
    const isNewCertainLink = !had.has(keyOf(reference)) && reference.isGuess !== true;
    const isBroken = what !== undefined && (isNewCertainLink || ledSomewhere(reference, old));
    return isBroken ? { reference, what } : [];
  });
}

function keyOf({ kind, target, source = '' }: Reference): string {
  return `${kind} ${source} ${target}`;
}

/** Whether a reference certainly led to something in the docs. */
function ledSomewhere(reference: PlacedReference, side: Side): boolean {
  const { from = reference.place.file, version } = side;
  const end = linksOf(version).resolve(reference.target, from, reference.kind);
  // A page that was not parsed.
  const areAnchorsUnknown =
    end.kind === 'page' && end.anchor !== undefined && !version.pages.has(end.file);
  return end.kind !== 'unknown' && !areAnchorsUnknown && brokenPart(reference, side) === undefined;
}

/** Says what is wrong with a reference that certainly leads nowhere; `undefined` for any other reference. */
function brokenPart(
  { kind, target, source = '', place }: PlacedReference,
  { from = place.file, version }: Side,
): Sentence | undefined {
  const loop = kind === 'redirect' ? loopFrom(source, version.site) : undefined;
  if (loop !== undefined) {
    return loopSentence(source, target, loop);
  }
  const end = linksOf(version).resolve(target, from, kind);
  if (end.kind === 'nowhere') {
    return sentences[kind](target, source);
  }
  // A redirect to a section that is not there still shows the page.
  if (end.kind !== 'page' || end.anchor === undefined || kind === 'redirect') {
    return undefined;
  }
  return hasAnchor(end.file, end.anchor, version)
    ? undefined
    : say`The link to ${target} leads to a section that ${end.file} does not have: correct the link, or write ${`{#${end.anchor}}`} after the heading that it means, or give the component that it means this id.`;
}

const sentences: Readonly<Record<Reference['kind'], (target: string, source: string) => Sentence>> =
  {
    link: (target) =>
      say`The link to ${target} leads nowhere: correct it, or add the page or a redirect.`,
    source: (target) => say`The file ${target} does not exist: correct the path, or add the file.`,
    import: (target) => say`The import of ${target} finds no file: correct it, or add the file.`,
    page: (target) => say`The navigation names ${target}, and there is no such page.`,
    description: (target) =>
      say`The API description ${target} does not exist: correct the path, or add the file.`,
    redirect: (target, source) =>
      say`The redirect from ${source} leads to ${target}, where there is no page: redirect to a page.`,
  };

function loopSentence(source: string, target: string, { address, isClosed }: Loop): Sentence {
  const redirect = say`The redirect from ${source} to ${target}`;
  if (!isClosed) {
    return say`${redirect} leads on more than ${maxRedirects} times: redirect to a page.`;
  }
  return address === addressIn(source)
    ? say`${redirect} comes back to where it began: take a redirect out of the loop.`
    : say`${redirect} leads to a loop at ${`/${address}`}: take a redirect out of the loop.`;
}
