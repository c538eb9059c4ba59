import { posix } from 'node:path';
import type { Change } from '../change.ts';
import type { Field } from '../docs/front-matter.ts';
import { isPagePath, kindOf } from '../docs/kinds.ts';
import { addressesIn } from '../docs/known.ts';
import { isBuilt, addressOf as siteAddressOf } from '../docs/links.ts';
import { type Block, type Construct, emptyPage, type Page, parsePage } from '../docs/page.ts';
import type { NavigationNode } from '../docs/site.ts';
import { found, type RuleFinding } from '../finding.ts';
import { oncePer } from '../once-per.ts';
import { type Sentence, say } from '../sentence.ts';
import { addressOfPage } from './addresses.ts';
import { apiDifferences } from './api.ts';
import { navigationDifference, plainGroupKeys } from './navigation.ts';
import { isHidden, isShown, kindIn, type PageChange, pageChangesOf } from './page-changes.ts';
import { type PlainContext, problemOf } from './plain-construct.ts';
import { fileProblem } from './plain-file.ts';

/** Everything that is on no list of what is harmless. */
export function notPlain(change: Change): readonly RuleFinding[] {
  const pages = pageChangesOf(change).filter(({ file }) => isJudged(change, file.path));
  return [
    ...files(change),
    ...pages.flatMap((page) => [
      ...frontMatter(page, change),
      ...hiddenPage(page),
      ...constructs(page, change),
    ]),
    ...navigationEntries(change),
    ...newPages(change),
    ...apiTexts(change),
  ];
}

/** What the site shows is judged, and so is Markdown that it does not show: people and agents read it. */
function isJudged({ after }: Change, path: string): boolean {
  return isPagePath(path) && after.tree.has(path);
}

function files(change: Change): readonly RuleFinding[] {
  return change.files.flatMap((file) => {
    const problem = fileProblem(change, file);
    return problem === undefined ? [] : [found('not-plain', { file: file.path }, problem)];
  });
}

const plainFields =
  /^(?:title|sidebarTitle|description|icon|iconType|tag|keywords|og:title|og:description|openapi|api|mode|hideFooterPagination)$/u;

function frontMatter({ file, before, after }: PageChange, change: Change): readonly RuleFinding[] {
  const [old, now] = [before?.frontMatter ?? [], after?.frontMatter ?? []];
  const names = new Set([...old, ...now].map(({ name }) => name));
  if (after === undefined || after.problem !== undefined || before?.problem !== undefined) {
    return [];
  }
  return [...names].flatMap((name) => {
    const [was, is] = [old, now].map((fields) => fields.find((field) => field.name === name));
    return was?.json === is?.json || isPlainField(is ?? { name, json: 'null', line: 1 }, change)
      ? []
      : [
          found(
            'not-plain',
            { file: file.path, line: is?.line },
            is === undefined
              ? say`${name} is gone from the front matter.`
              : say`The front matter's ${`${name}: ${is.json}`} decides more than a page's name, text or icon.`,
            { before: was && `${name}: ${was.json}` },
          ),
        ];
  });
}

/** Readers do not see most fields, or not in full. */
const longestField = 160;
const maxKeywords = 30;

function isPlainField({ name, json }: Field, change: Change): boolean {
  if (translationFields.test(name)) {
    return isTranslationData(JSON.parse(json), change);
  }
  if (!plainFields.test(name) || json.startsWith('{')) {
    return false;
  }
  switch (name) {
    case 'title':
      return !/^(?:"\s*"|null)$/u.test(json);
    case 'sidebarTitle':
    case 'description':
      return true;
    case 'mode':
      return /^"(?:default|wide|center|)"$/u.test(json);
    case 'icon':
    case 'iconType':
      return /^(?:null|"(?:\/(?!\/))?(?:[\w.-]+(?:[/ ][\w.-]+)*)?")$/u.test(json);
    case 'keywords': {
      const words: unknown = JSON.parse(json);
      const list = Array.isArray(words) ? words : [words];
      return list.length <= maxKeywords && list.every((one) => String(one).length <= 60);
    }
    default:
      return json.length <= longestField && isPlainEndpointField(json, change);
  }
}

/** Where translation tools keep which version of which page they translated. */
const translationFields = /^translation[A-Z]\w*$/u;

/** A hash, the path of a page, or a list of hashes by sections. YAML reads some hashes as numbers, and JSON has no large ones. */
function isTranslationData(value: unknown, { after }: Change): boolean {
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).every(
      ([section, hash]) => section.length <= longestSection && isHash(hash),
    );
  }
  return isHash(value) || (typeof value === 'string' && after.tree.has(value));
}

/** A title of a section. */
const longestSection = 120;

function isHash(value: unknown): boolean {
  return value === null || typeof value === 'number' || /^[\da-f]{8,64}$/u.test(String(value));
}

/** An operation of a description that is there, or of a host that is known. */
function isPlainEndpointField(json: string, { after, known }: Change): boolean {
  const file = /^"([^\s"]+\.(?:json|ya?ml))\b/u.exec(json)?.[1];
  const isThere =
    file === undefined ||
    /^https?:/u.test(file) ||
    after.tree.has(posix.join(after.site.root, file.replace(/^\/+/u, '')));
  return isThere && addressesIn(json).every((address) => known.hasAddress(address));
}

/** Nobody sees what changes on a page that is kept out of the navigation and of search engines. */
function hiddenPage({ file, after }: PageChange): readonly RuleFinding[] {
  const what = say`The page is hidden, so that few readers see what changes.`;
  return isHidden(after) ? [found('not-plain', { file: file.path }, what)] : [];
}

/** What stood on pages that are gone may stand elsewhere now. */
const movedConstructs = oncePer((change: Change): readonly Construct[] =>
  pageChangesOf(change).flatMap(({ file, before }) =>
    file.status === 'deleted' ? (before?.constructs ?? []) : [],
  ),
);

/** Constructs that are new on a page, and texts that are new in an element that is not plain. */
function constructs(
  { file, before, after, match }: PageChange,
  change: Change,
): readonly RuleFinding[] {
  if (after === undefined || after.problem !== undefined) {
    return [];
  }
  const context = contextOf(after, file.path, change);
  const old = new Set([...(before?.constructs ?? []), ...movedConstructs(change)].map(keyOf));
  const added = new Map(after.constructs.toReversed().map((one) => [keyOf(one), one]));
  const direct = [...added].toReversed().flatMap(([key, construct]) => {
    const problem = old.has(key) ? undefined : problemOf(construct, context);
    const place = { file: file.path, line: construct.line };
    return problem === undefined ? [] : [found('not-plain', place, problem)];
  });
  const changed = [
    ...(match?.added ?? []),
    ...[...(match?.pairs ?? [])]
      .filter(([old, now]) => old.text !== now.text)
      .map(([, now]) => now),
  ];
  return [
    ...direct,
    ...hiddenTexts(
      file.path,
      changed,
      context,
      new Set(direct.map(({ places: [{ line }] }) => line)),
    ),
  ];
}

function hiddenTexts(
  file: string,
  blocks: readonly Block[],
  context: PlainContext,
  known: ReadonlySet<number | undefined>,
): readonly RuleFinding[] {
  const holders = new Set(blocks.flatMap(({ within }) => within));
  return (
    [...holders]
      // A component of the docs' own that stood there before shows what it showed before.
      .filter(
        ({ line, name }) => !known.has(line) && !(/^\p{Lu}/u.test(name) && name !== 'Visibility'),
      )
      .flatMap((element) => {
        const problem = problemOf(element, context);
        const inside = blocks.find(({ within }) => within.includes(element));
        const line = inside?.line ?? element.line;
        return problem === undefined ? [] : [found('not-plain', { file, line }, problem)];
      })
  );
}

function contextOf(page: Page, file: string, change: Change): PlainContext {
  const imports = page.constructs.filter((one) => one.kind === 'import');
  const imported = new Map(imports.flatMap(({ names, text }) => names.map((name) => [name, text])));
  return { change, file, imported };
}

function keyOf({ line: _line, ...construct }: Construct): string {
  return JSON.stringify(construct);
}

/** New entries of the navigation: pages that exist, and links and endpoints that a page could have. */
function navigationEntries(change: Change): readonly RuleFinding[] {
  const [file = ''] = change.after.site.files;
  const context = contextOf(emptyPage, file, change);
  return navigationDifference(change).added.flatMap(({ node }) =>
    problemsOfEntry(node, context, change).map((problem) => found('not-plain', { file }, problem)),
  );
}

function problemsOfEntry(
  { kind, label: text, settings = {} }: NavigationNode,
  context: PlainContext,
  change: Change,
): readonly Sentence[] {
  switch (kind) {
    case 'page':
      return [];
    case 'link':
      return asList(problemOf({ kind: 'link', target: text, line: 1 }, context));
    case 'api':
      return isPlainEndpoint(text, change) ? [] : [unknownEntry(text)];
    case 'group':
      return Object.entries(settings)
        .filter(([key, json]) => !plainGroupKeys.has(key) || !plainGroupValue.test(json))
        .map(([key]) => unknownEntry(`${text}: ${key}`));
  }
}

function unknownEntry(text: string): Sentence {
  return say`The new entry ${text} of the navigation is no page of the docs.`;
}

/** A sentence is a list of parts. */
function asList(problem: Sentence | undefined): readonly Sentence[] {
  return problem === undefined ? [] : [problem];
}

const plainGroupValue = /^(?:"[\w. -]{0,80}"|true|false)$/u;

/** An operation, by itself or of a description that the settings named before. */
function isPlainEndpoint(text: string, { before }: Change): boolean {
  const [, source = '', path = ''] =
    /^(?:(\S+\.(?:json|ya?ml))\s+)?[a-z]+\s+(\/[\w/{}.:~-]*)$/iu.exec(text) ?? [];
  const isKnown = before.site.apiFiles.some((one) => one.endsWith(source.replace(/^\.?\//u, '')));
  return path !== '' && !path.includes('..') && (source === '' || isKnown);
}

/** New pages that the navigation does not name, or that have the address of another page. */
function newPages(change: Change): readonly RuleFinding[] {
  const { before, after, files: changed } = change;
  if (isBuilt(before) || after.site.pages.length === 0) {
    return [];
  }
  const named = new Set(after.site.pages.map(({ page }) => page));
  const wasNamed = new Set(before.site.pages.map(({ page }) => page));
  const isNew = changed
    .filter(({ path, status, previousPath }) => {
      const wasInNavigation =
        previousPath !== undefined && wasNamed.has(addressOfPage(previousPath, before).slice(1));
      return (
        (status === 'added' || (status === 'renamed' && wasInNavigation)) &&
        kindIn(after, path) === 'page' &&
        isPagePath(path) &&
        !named.has(addressOfPage(path, after).slice(1))
      );
    })
    .map(({ path }) =>
      found('not-plain', { file: path }, say`The navigation does not name the new page.`),
    );
  const addresses = Map.groupBy(
    [...after.tree.keys()].filter(
      (path) => isPagePath(path) && kindOf(path, after.site) === 'page',
    ),
    (path) => siteAddressOf(path, after.site).normalize().toLowerCase(),
  );
  const second = changed
    .filter(
      ({ path, status }) => status !== 'modified' && isShown(after, path) && after.tree.has(path),
    )
    .flatMap(({ path }) => {
      const same = addresses.get(siteAddressOf(path, after.site).normalize().toLowerCase()) ?? [];
      const other = same.find((one) => one !== path);
      return other === undefined
        ? []
        : [found('not-plain', { file: path }, say`The page has the same address as ${other}.`)];
    });
  return [...isNew, ...second];
}

/** The texts of an API description are shown as Markdown, so they are judged like a page's. */
function apiTexts(change: Change): readonly RuleFinding[] {
  return apiDifferences(change).flatMap(({ file, comparison }) => {
    const { texts, samples, extensions } = comparison;
    const constructs: readonly Construct[] = [
      ...texts.flatMap((text) => parsePage(text, true).constructs),
      ...samples.map(
        (text) => ({ kind: 'sample', language: '', meta: '', text, line: 1 }) as const,
      ),
    ];
    const context = contextOf(emptyPage, file, change);
    return [
      ...constructs.flatMap((construct) => asList(problemOf(construct, context))),
      ...extensions.map((place) => say`The API description has ${place}, an extension of its own.`),
    ].map((problem) => found('not-plain', { file }, problem));
  });
}
