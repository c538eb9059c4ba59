import { posix } from 'node:path';
import type { Change } from '../change.ts';
import { isPagePath } from '../docs/kinds.ts';
import { addressesIn } from '../docs/known.ts';
import type { Construct, Page } from '../docs/page.ts';
import { addressOfPage, type NavigationEntry } from '../docs/site.ts';
import { found, type RuleFinding } from '../finding.ts';
import { type Sentence, say } from '../sentence.ts';
import { navigationDifference, trailOf } from './navigation.ts';
import { isHidden, kindIn, type PageChange, pageChangesOf } from './page-changes.ts';
import { foundAt, type PlainContext, problemOf } from './plain-construct.ts';
import { fileProblem } from './plain-file.ts';

/** Everything that is on no list of what is harmless. */
export function notPlain(change: Change): readonly RuleFinding[] {
  const pages = pageChangesOf(change);
  // What stood on pages that are gone may stand elsewhere now.
  const gone = pages.filter(({ file }) => file.status === 'deleted');
  const moved = new Set(gone.flatMap(({ before }) => (before?.constructs ?? []).map(keyOf)));
  return [
    ...change.files.flatMap((file) => foundAt({ file: file.path }, fileProblem(change, file))),
    // What the site does not show is judged, too: people and agents read it.
    ...pages.flatMap((page) => [...frontMatter(page, change), ...constructs(page, moved, change)]),
    ...navigationEntries(change),
    ...newPages(change),
  ];
}

function frontMatter({ file, before, after }: PageChange, change: Change): readonly RuleFinding[] {
  if (after === undefined || after.problem !== undefined || before?.problem !== undefined) {
    return [];
  }
  const [old, now] = [before?.frontMatter ?? [], after.frontMatter];
  const names = new Set([...old, ...now].map(({ name }) => name));
  const fields = [...names].flatMap((name) => {
    const [was, is] = [old, now].map((fields) => fields.find((field) => field.name === name));
    if (was?.json === is?.json || isPlainField(name, is?.json ?? 'null', before, change)) {
      return [];
    }
    const what =
      is === undefined
        ? say`${name} is gone from the front matter.`
        : say`The front matter's ${`${name}: ${is.json}`} decides more than a page's name, text or icon.`;
    const versions = was && {
      before: `${name}: ${was.json}`,
      after: is && `${name}: ${is.json}`,
    };
    return [found('not-plain', { file: file.path, line: is?.line ?? 1 }, what, versions)];
  });
  const hidden = say`The page is hidden, so that few readers see what changes.`;
  return [
    ...fields,
    ...foundAt({ file: file.path }, isHidden(before) && isHidden(after) ? hidden : undefined),
  ];
}

const text = /^[^{]/u;
const shortText = /^[^{].{0,159}$/u;
/** A description, an operation of it, or both. */
const endpoint = /^(?:null|"[^\s"]{1,200}(?: [^\s"]{1,200}){0,2}")$/u;
const icon = /^(?:null|"(?:\/(?!\/))?(?:[\w.-]+(?:[/ ][\w.-]+)*)?")$/u;

/** What is plain in a field of the front matter, as compact JSON. Readers do not see most of them, or not in full. */
const plainFields: ReadonlyMap<string, RegExp> = new Map([
  ['title', /^(?!null$|"\s*"$|\{)/u],
  ['sidebarTitle', text],
  ['description', text],
  ['icon', icon],
  ['iconType', icon],
  ['mode', /^"(?:default|wide|center|)"$/u],
  ['keywords', /^(?:null|"[^"]{0,60}"|\[(?:(?:"[^"]{0,60}"|\d+)(?:,|(?=\]))){0,30}\])$/u],
  ['tag', shortText],
  ['og:title', shortText],
  ['og:description', shortText],
  ['openapi', endpoint],
  ['api', endpoint],
  ['hideFooterPagination', /^(?:null|true|false)$/u],
]);

/** Where translation tools keep which version of which page they translated. */
const translationField = /^translation[A-Z]\w*$/u;

/** A hash, or hashes by titles of sections. YAML reads some as numbers, and JSON has no large ones. */
const hashes =
  /^(?:null|[\d.e+]+|"[\da-f]{8,64}"|\{(?:"(?:[^"\\]|\\.){0,120}":(?:null|[\d.e+]+|"[\da-f]{8,64}"),?)*\})$/u;

/** @param before the page as it was, whose endpoint has to stay */
function isPlainField(
  name: string,
  json: string,
  before: Page | undefined,
  change: Change,
): boolean {
  const value: unknown = JSON.parse(json);
  const words = typeof value === 'string' ? value : '';
  if (translationField.test(name)) {
    return hashes.test(json) || change.after.tree.has(words);
  }
  const isEndpoint = name === 'openapi' || name === 'api';
  return (
    plainFields.get(name)?.test(json) === true &&
    addressesIn(json).every((address) => change.known.hasAddress(address)) &&
    (!isEndpoint || (before === undefined && isOfPresentFile(words, change)))
  );
}

/** Whether the description of an endpoint such as `openapi.json GET /users` is there. */
function isOfPresentFile(endpoint: string, { after }: Change): boolean {
  const [, file] = /^\/*(\S+\.(?:json|ya?ml))\b/u.exec(endpoint) ?? [];
  return (
    file === undefined ||
    /^https?:/u.test(file) ||
    after.tree.has(posix.join(after.site.root, file))
  );
}

/**
 * Constructs that are new on a page. An element is new if what stands in it is.
 *
 * @param moved the keys of what stood on pages that are gone
 */
function constructs(
  { file, before, after }: PageChange,
  moved: ReadonlySet<string>,
  change: Change,
): readonly RuleFinding[] {
  const old = new Set(before?.constructs.map(keyOf));
  const context = { change, file: file.path };
  return [...Map.groupBy(after?.constructs ?? [], keyOf)].flatMap(([key, [first]]) =>
    first === undefined || old.has(key) || moved.has(key)
      ? []
      : foundAt({ file: file.path, line: first.line }, problemOf(first, context)),
  );
}

function keyOf({ line: _line, ...construct }: Construct): string {
  return JSON.stringify(construct);
}

/** New entries of the navigation: pages that exist, and links and endpoints that a page could have. */
function navigationEntries(change: Change): readonly RuleFinding[] {
  const [file = ''] = change.after.site.files.keys();
  const { added, changed } = navigationDifference(change);
  const entries = [...added.map((entry) => [undefined, entry] as const), ...changed];
  return entries.flatMap(([was, is]) => {
    const problem = problemOfEntry(is, { change, file });
    const versions = was && { before: was.label, after: is.label };
    return problem === undefined ? [] : [found('not-plain', { file }, problem, versions)];
  });
}

function problemOfEntry(entry: NavigationEntry, context: PlainContext): Sentence | undefined {
  const { kind, label } = entry;
  switch (kind) {
    case 'page':
    case 'group':
      return undefined;
    case 'link':
      return problemOf({ kind, target: label, line: 1 }, context);
    case 'api':
      return plainEndpoint.test(label) && isOfPresentFile(label, context.change)
        ? undefined
        : say`The new entry ${label} of the navigation is no page of the docs.`;
    case 'setting':
      return say`The group ${trailOf(entry)} says ${label} now, which is not on the list of plain settings.`;
  }
}

/** An operation, by itself or of a description in the docs. */
const plainEndpoint = /^(?!.*\.\.)(?:[\w./-]+\s+)?[a-z]+\s+\/[\w/{}.:~-]*$/iu;

/** New pages that the navigation does not name, or that have the address of another page. */
function newPages(change: Change): readonly RuleFinding[] {
  const { after, files } = change;
  if (after.site.pages.size === 0) {
    return [];
  }
  return files
    .filter(({ status }) => status === 'added' || status === 'renamed')
    .filter(({ path }) => kindIn(after, path) === 'page')
    .flatMap(({ path }) => {
      const name = addressOfPage(path, after).slice(1);
      const isNamed = after.site.pages.has(name);
      const others = [...after.tree.keys()]
        .filter((other) => other !== path && isPagePath(other))
        .filter((other) => addressKey(other) === addressKey(path));
      return [
        ...(isNamed ? [] : [say`The navigation does not name the new page: add an entry for it.`]),
        ...others.map((other) => say`The page has the same address as ${other}.`),
      ].map((problem) => found('not-plain', { file: path }, problem));
    });
}

/** Equal for pages that some server takes for the same one. */
function addressKey(path: string): string {
  return path
    .replace(/(?:\/index)?\.mdx?$/iu, '')
    .normalize()
    .toLowerCase();
}
