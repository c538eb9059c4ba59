import { posix } from 'node:path';
import type { Change, ChangedFile, DocsVersion } from '../change.ts';
import { decidesOnWorkflows, type FileKind, isAllowed, isInside, isMdx } from '../docs/kinds.ts';
import { addressesIn } from '../docs/known.ts';
import { served } from '../docs/links.ts';
import { type Construct, emptyPage, type Page } from '../docs/page.ts';
import { destinationOf } from '../docs/redirects.ts';
import { addressOf, addressOfPage, belowRoot, type NavigationEntry } from '../docs/site.ts';
import { found, foundValue, type RuleFinding } from '../finding.ts';
import { type Sentence, say } from '../sentence.ts';
import { describesApi } from './api.ts';
import { navigationDifference, trailOf } from './navigation.ts';
import {
  isHidden,
  isInNavigation,
  isOfApi,
  isShown,
  kindIn,
  type PageChange,
  pageChangesOf,
  pathBefore,
} from './page-changes.ts';
import { foundAt, type PlainContext, problemOf } from './plain-construct.ts';
import { newItems } from './words.ts';

/** Everything that is on no list of what is harmless. */
export function notPlain(change: Change): readonly RuleFinding[] {
  const pages = pageChangesOf(change);
  return [
    ...change.files.flatMap((file) =>
      foundAt({ file: file.path }, pathProblem(change, file) ?? entryProblem(change, file)),
    ),
    // What the site does not show is judged, too: people and agents read it.
    ...pages.flatMap((page) => [...frontMatter(page, change), ...constructs(page, change)]),
    ...navigationEntries(change),
    ...newPages(change),
  ];
}

/** Why a file is not one that may change, by its path; `undefined` for a plain one. */
function pathProblem(change: Change, file: ChangedFile): Sentence | undefined {
  const { before, after, allowedPaths } = change;
  const { path, status } = file;
  const sides = [
    ...(status === 'added' ? [] : [{ at: pathBefore(file), version: before }]),
    ...(status === 'deleted' ? [] : [{ at: path, version: after }]),
  ];
  const isApi = describesApi(file);
  const plain = [
    ...plainKinds,
    ...(status === 'modified' ? plainKindsOfOld : []),
    // What changes in it is a finding of another rule.
    ...(isApi ? ['data'] : []),
  ];
  if (sides.some(({ at, version }) => isIncludedMarkdown(at, version))) {
    return say`Pages include the file, which is Markdown for GitHub by its name: rename it.`;
  }
  const odd = sides.find(
    ({ at, version }) => !plain.includes(kindIn(version, at)) && !isAllowed(at, allowedPaths),
  );
  if (odd === undefined || isOverview(change, file)) {
    return undefined;
  }
  if (decidesOnWorkflows(odd.at)) {
    return say`The file lies in .github, where it can decide what workflows do: nothing allows it.`;
  }
  return isInside(odd.version.site.root, odd.at)
    ? say`The file is of no kind that is on the list of plain files: input allowed-paths can add it.`
    : say`The file lies outside of the docs.`;
}

/** What it says would be judged as Markdown, and shown as MDX. */
function isIncludedMarkdown(path: string, version: DocsVersion): boolean {
  return kindIn(version, path) === 'snippet' && !isMdx(path, version.site);
}

const plainKinds: readonly FileKind[] = ['page', 'snippet', 'picture', 'navigation'];

/** Plain where the file existed at the same place. */
const plainKindsOfOld: readonly FileKind[] = ['readme', 'tool-data'];

/** Whether all lines of an overview for agents that came or went stand on pages of this change: a tool wrote them. */
function isOverview(
  { files, after, known }: Change,
  { path, status, before: old = '', after: now = '' }: ChangedFile,
): boolean {
  if (status !== 'modified' || !/(?:^|\/)llms[\w-]*\.txt$/u.test(path)) {
    return false;
  }
  const pages = files
    .filter((file) => isShown(after, file.path))
    .map((file) => lettersOf(`${file.before} ${file.after} ${pathBefore(file)} ${file.path}`));
  const [was, is] = [old.split('\n'), now.split('\n')];
  return [...newItems(was, is, String), ...newItems(is, was, String)].every((line) => {
    const parts = line
      .split(ownPart)
      .map(lettersOf)
      .filter((part) => part !== '');
    // A page's title, its address and its description, or a line of its text: no words picked from it.
    const isWhole = parts.length <= 3 || parts.every(({ length }) => length >= leastPart);
    const isSaid = pages.some((page) => parts.every((part) => page.includes(part)));
    return isWhole && isSaid && addressesIn(line).every((address) => known.hasAddress(address));
  });
}

const leastPart = 20;

/** What stands around the text and the path of a page in an overview. */
const ownPart = /^Source:|(?:\]\(|https:\/\/[^\s/)]+)(?:\/docs)?|\.mdx?\b/gu;

/** Without the signs that a tool may write in another way. */
function lettersOf(text: string): string {
  return text.replace(ownPart, '').replace(/[^\P{ASCII}\dA-Za-z]+/gu, '');
}

/** A link or a program can stand behind the name of a page. */
function entryProblem({ before, after }: Change, file: ChangedFile): Sentence | undefined {
  const is = after.tree.get(file.path)?.kind ?? 'file';
  const was = before.tree.get(pathBefore(file))?.kind;
  // Some file systems make every file executable.
  return is === 'file' || (is === 'executable' && was === is)
    ? undefined
    : say`The file is ${[is === 'executable' ? 'executable now' : `a ${is}`]}, which can be more than a page.`;
}

function frontMatter({ file, before, after }: PageChange, change: Change): readonly RuleFinding[] {
  if (after === undefined || after.problem !== undefined || before?.problem !== undefined) {
    return [];
  }
  const old = new Map(before?.frontMatter.map((field) => [field.name, field]));
  const now = new Map(after.frontMatter.map((field) => [field.name, field]));
  const fields = [...new Set([...old.keys(), ...now.keys()])].flatMap((name) => {
    const [was, is] = [old.get(name), now.get(name)];
    if (was?.json === is?.json || isPlainField(name, is?.json ?? 'null', before, change)) {
      return [];
    }
    const place = { file: file.path, line: is?.line ?? 1 };
    if (name === 'hidden' && isHidden(after)) {
      return [found('not-plain', place, say`The page is hidden now.`)];
    }
    const thing = say`The field ${name} of the front matter`;
    return [foundValue('not-plain', place, thing, was?.json ?? '', is?.json ?? '')];
  });
  const hidden = say`The page is hidden, so that few readers see what changes.`;
  return [
    ...fields,
    ...foundAt({ file: file.path }, isHidden(before) && isHidden(after) ? hidden : undefined),
  ];
}

/** What is plain in which fields of the front matter, as compact JSON. Readers do not see most of them, or not in full. */
const plainFields: readonly (readonly [names: RegExp, json: RegExp])[] = [
  [/^(?:title|description)$/u, /^(?!"\s*"$)["\d]/u],
  [/^sidebarTitle$/u, /^(?:["\d]|null$)/u],
  [/^(?:tag|og:title|og:description)$/u, /^(?:["\d].{0,159}|null)$/u],
  [/^icon(?:Type)?$/u, /^(?:null|"(?:\/(?!\/))?(?:[\w.-]+(?:[/ ][\w.-]+){0,4})?")$/u],
  [/^mode$/u, /^"(?:default|wide|center|)"$/u],
  [/^keywords$/u, /^(?:null|"[^"]{0,60}"|\[(?:(?:"[^"]{0,60}"|\d+)(?:,|(?=\]))){0,30}\])$/u],
  [/^hideFooterPagination$/u, /^(?:null|true|false)$/u],
  // Which version of a page a tool translated: a hash, or hashes by titles of sections. YAML reads some hashes as
  // numbers, and JSON has no large ones.
  [
    /^translation[A-Z]\w{0,20}$/u,
    /^(?:null|[\d.e+]+|"[\da-f]{8,64}"|\{(?:"[^"\\]{0,120}":(?:null|[\d.e+]+|"[\da-f]{8,64}"),?)*\})$/u,
  ],
];

/** @param before the page as it was, whose endpoint has to stay */
function isPlainField(
  name: string,
  json: string,
  before: Page | undefined,
  change: Change,
): boolean {
  if (name === 'openapi' || name === 'api') {
    return before === undefined && isPlainEndpoint(String(JSON.parse(json)), change);
  }
  const value: unknown = JSON.parse(json);
  const isPath = /^translation[A-Z]/u.test(name) && change.after.tree.has(String(value));
  return (
    (isPath || plainFields.some(([names, plain]) => names.test(name) && plain.test(json))) &&
    Object.keys(Object(value)).every((key) => /^\d+$/u.test(key) || isHeading(key, change)) &&
    hasKnownAddresses(json, change)
  );
}

/** Whether readers see a text as a heading, or a page had it before. */
function isHeading(text: string, { after, files, known }: Change): boolean {
  const isNamed = ({ blocks }: Page) =>
    blocks.some((block) => block.kind === 'section' && block.text === text);
  return (
    known.hasWord(text) || files.some(({ path }) => isNamed(after.pages.get(path) ?? emptyPage))
  );
}

function hasKnownAddresses(text: string, { known }: Change): boolean {
  return addressesIn(text).every((address) => known.hasAddress(address));
}

/** An operation or a webhook, by itself or of a description, such as `openapi.json GET /users`. */
const endpoint =
  /^(?!.*\.\.)(?:(?:(?!https:)\/*(\S+\.(?:json|ya?ml))|\S+)\s+)?(?:[a-z]+\s+(?:https?:\/)?\/[\w/{}.:~-]*|webhook\s+[\w/.:-]+)$/iu;

/** Whether it is an endpoint, of a description that is there. */
function isPlainEndpoint(text: string, change: Change): boolean {
  const { after } = change;
  const [match, file] = endpoint.exec(text) ?? [];
  return (
    match !== undefined &&
    (file === undefined || after.tree.has(posix.join(after.site.root, file))) &&
    hasKnownAddresses(text, change)
  );
}

/** Constructs that are new on a page. An element is new if what stands in it is. */
function constructs({ file, before, after }: PageChange, change: Change): readonly RuleFinding[] {
  const keyOf = ({ line: _line, ...construct }: Construct) => JSON.stringify(construct);
  const old = new Set(before?.constructs.map(keyOf));
  const context = { change, file: file.path };
  return [...Map.groupBy(after?.constructs ?? [], keyOf)].flatMap(([key, [first]]) =>
    first === undefined || old.has(key)
      ? []
      : foundAt({ file: file.path, line: first.line }, problemOf(first, context)),
  );
}

/** New entries of the navigation: pages that exist, and links and endpoints that a page could have. */
function navigationEntries(change: Change): readonly RuleFinding[] {
  const [file = ''] = change.after.site.files.keys();
  return navigationDifference(change).added.flatMap((entry) =>
    foundAt({ file }, problemOfEntry(entry, { change, file })),
  );
}

function problemOfEntry(entry: NavigationEntry, context: PlainContext): Sentence | undefined {
  const { kind, label } = entry;
  switch (kind) {
    case 'page':
      return undefined;
    case 'group':
      return say`The name ${label} of a group is empty or long, or has characters that nobody sees.`;
    case 'link':
      return problemOf({ kind, target: label, line: 1 }, context);
    case 'api':
      return isPlainEndpoint(label, context.change)
        ? undefined
        : say`The new entry ${label} of the navigation is no page of the docs.`;
    case 'setting': {
      const group = trailOf(entry);
      const subject = group === '' ? say`The navigation` : say`The group ${group}`;
      return say`${subject} says ${label} now, which is not on the list of plain settings.`;
    }
  }
}

/** Pages at a new address: that readers do not find there, or that say nothing. */
function newPages({ before, after, files }: Change): readonly RuleFinding[] {
  // Equal for pages that some server takes for the same one.
  const keyIn = (path: string) => addressOf(belowRoot(path, after.site)).normalize().toLowerCase();
  const paths = [...after.tree.keys()].filter((path) => kindIn(after, path) === 'page');
  const pages = Map.groupBy(paths, keyIn);
  return files
    .filter(({ status }) => status === 'added' || status === 'renamed')
    .filter(({ path }) => kindIn(after, path) === 'page')
    .flatMap((file) => {
      const { path, status } = file;
      const isNew = status === 'added';
      // A page that moved can have been none of the navigation.
      const isNamed =
        isInNavigation(path, after) || !(isNew || isInNavigation(pathBefore(file), before));
      const isServed = served.test(`${addressOf(belowRoot(path, after.site))}`);
      const isLedAway = destinationOf(addressOfPage(path, after), after.site) !== undefined;
      const others = (pages.get(keyIn(path)) ?? []).filter((other) => other !== path);
      return [
        ...(isNamed ? [] : [say`The navigation does not name the page: add an entry for it.`]),
        ...(isServed ? [say`Mintlify serves something else at the page's address.`] : []),
        ...(isLedAway ? [say`A redirect leads away from the page: remove the redirect.`] : []),
        ...others.map((other) => say`The page has the same address as ${other}.`),
        ...(isNew ? missingIn(after.pages.get(path)) : []),
      ].map((problem) => found('not-plain', { file: path }, problem));
    });
}

/** What a new page lacks. Mintlify fills one of an operation. */
function missingIn(page: Page | undefined): readonly Sentence[] {
  if (page === undefined || page.problem !== undefined || isOfApi(page)) {
    return [];
  }
  const fields = page.frontMatter.map(({ name }) => name);
  const isEmpty = page.blocks.length === 0 && page.constructs.length === 0;
  return [
    ...(isEmpty ? [say`The new page is empty: write its text.`] : []),
    ...(fields.includes('title')
      ? []
      : [say`The new page has no title: write one in its front matter.`]),
  ];
}
