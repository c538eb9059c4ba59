import { posix } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { type Sentence, say } from '../sentence.ts';

/** What a site is made of, as `docs.json` with its `$ref`s says. Plain data. */
export interface Site {
  /** Folder of the docs in the repository; empty for the top, otherwise without a slash at the end. */
  readonly root: string;
  /** Path of docs.json in the repository, and of the files that it includes. */
  readonly files: readonly string[];
  /** What cannot be read: JSON errors, a `$ref` that leads nowhere. */
  readonly problems: readonly SiteProblem[];
  /** The navigation as people see it. */
  readonly navigation: readonly NavigationNode[];
  /** Everything that the settings say of the navigation, as compact JSON with sorted keys. */
  readonly navigationJson: string;
  readonly pages: readonly NavigationPage[];
  readonly redirects: readonly Redirect[];
  /** All keys except navigation and redirects, with their values as compact JSON with sorted keys. */
  readonly settings: ReadonlyMap<
    string,
    { readonly json: string; readonly file: string; readonly line: number }
  >;
  /** Languages of the navigation, such as `en` and `fr`; the first one is the default. */
  readonly languages: readonly string[];
  /**
   * Folders below the root whose pages are made from API descriptions, such as `api-reference`.
   * An empty string where such pages may lie anywhere.
   */
  readonly apiFolders: readonly string[];
  /** API descriptions that the settings name, by path in the repository. */
  readonly apiFiles: readonly string[];
  /** The text of `.mintignore`: patterns of files that are not published; empty for none. */
  readonly ignored: string;
  /** Address of the site, such as `https://example.com/docs`, where the settings tell. */
  readonly address: string | undefined;
}

interface SiteProblem {
  readonly file: string;
  readonly line: number;
  /** A clause without its subject, such as `includes a file that does not exist: ./x.json`. */
  readonly what: Sentence;
}

/** A group, tab, language, page, link or endpoint of the navigation. */
export interface NavigationNode {
  /** A group's name, a page's path, a link's target, or an endpoint or API description as it is written. */
  readonly label: string;
  readonly kind: 'group' | 'page' | 'link' | 'api';
  readonly children: readonly NavigationNode[];
  /** What else the settings say of a group, such as its icon, as compact JSON by key. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** A page as the navigation names it. */
interface NavigationPage {
  /** Below the root, without a slash at the beginning and without an extension. */
  readonly page: string;
  readonly file: string;
  readonly line: number;
}

export interface Redirect {
  readonly source: string;
  readonly destination: string;
  readonly file: string;
  readonly line: number;
}

interface Place {
  readonly file: string;
  readonly line: number;
}

/** A value of a JSON file and where it stands: an object with entries, an array with items, or a scalar. */
interface JsonNode extends Place {
  readonly entries?: ReadonlyMap<string, JsonNode>;
  readonly items?: readonly JsonNode[];
  readonly value?: string | number | boolean | null;
}

export interface SiteReading {
  readonly site: Site;
  /** Included files of which `texts` does not say anything: read them, and call again. */
  readonly missing: readonly string[];
}

/**
 * Reads the settings of a site, which are strict JSON for Mintlify. Never throws: what cannot be read
 * becomes a problem.
 *
 * @param file docs.json, by path in the repository
 * @param texts by path in the repository; `undefined` for a file that does not exist
 */
export function readSite(
  file: string,
  texts: ReadonlyMap<string, string | undefined>,
): SiteReading {
  const folder = posix.dirname(file);
  const root = folder === '.' ? '' : folder;
  const reader = new SettingsReader(root, texts);
  const top = reader.read(file, { file, line: 1 }, say`does not exist`, 1);
  const settings = top?.entries ?? new Map<string, JsonNode>();
  const navigation = settings.get('navigation');
  const redirects = settings.get('redirects');
  const walk = new NavigationWalk(root);
  walk.readDescriptions(settings.get('api'));
  const site: Site = {
    root,
    files: [...reader.files.keys()],
    ignored: '',
    problems: [
      ...reader.problems,
      ...shapeProblems(top, navigation),
      ...redirectProblems(redirects),
    ],
    navigation: navigation === undefined ? [] : walk.read('navigation', navigation),
    navigationJson: navigation === undefined ? 'null' : compactJson(navigation),
    pages: walk.pages,
    redirects: redirectsOf(redirects),
    settings: new Map(
      [...settings]
        .filter(([key]) => key !== 'redirects' && key !== 'navigation')
        .map(([key, node]) => [key, { json: compactJson(node), ...placeOf(node) }]),
    ),
    languages: walk.languages,
    apiFolders: [...walk.apiFolders],
    apiFiles: [...walk.apiFiles],
    address: ownAddress(settings),
  };
  return { site, missing: [...reader.missing] };
}

/** The deepest real navigation has about 15 levels, those of included files among them. Every level costs stack. */
const maxDepth = 100;

/** The largest real settings have 2 MB. */
const maxLength = 8_000_000;

/** A file may be included many times over, so that a few files could make billions of values. */
const maxValues = 500_000;

/** Reads a JSON file with everything that it includes. */
class SettingsReader {
  readonly files = new Map<string, Node | undefined>();
  readonly missing = new Set<string>();
  readonly problems: SiteProblem[] = [];
  private readonly root: string;
  private readonly texts: ReadonlyMap<string, string | undefined>;
  private valuesLeft = maxValues;

  constructor(root: string, texts: ReadonlyMap<string, string | undefined>) {
    this.root = root;
    this.texts = texts;
  }

  /** @param depth how many values and files it stands in: files that include each other end there */
  read(file: string, from: Place, ifMissing: Sentence, depth: number): JsonNode | undefined {
    const text = this.texts.get(file)?.replace(/^\uFEFF/, '');
    if (text === undefined) {
      if (!this.texts.has(file)) {
        this.missing.add(file);
      }
      return this.refuse(from, ifMissing);
    }
    try {
      const tree = this.files.has(file) ? this.files.get(file) : this.parse(file, text);
      this.files.set(file, tree);
      return tree && this.convert(tree, { file, lineAt: lineCounter(text) }, depth);
    } catch (error) {
      if (error instanceof RangeError) {
        // The stack of the parser, or our own limit.
        return this.refuse({ file, line: 1 }, say`is nested more than ${maxDepth} levels deep`);
      }
      throw error;
    }
  }

  /** What follows an error is read as well as possible. */
  private parse(file: string, text: string): Node | undefined {
    this.files.set(file, undefined);
    if (text.length > maxLength) {
      return this.refuse({ file, line: 1 }, say`is larger than ${maxLength / 1_000_000} MB`);
    }
    const errors: ParseError[] = [];
    const tree = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
    // The errors after the first one mostly follow from it.
    for (const { error, offset } of errors.slice(0, 1)) {
      const words = printParseErrorCode(error).replace(/\B[A-Z]/g, (letter) => ` ${letter}`);
      const what = say`is not valid JSON: ${words.toLowerCase()}`;
      this.refuse({ file, line: lineCounter(text)(offset) }, what);
    }
    return tree;
  }

  private convert(node: Node, source: Source, depth: number): JsonNode | undefined {
    if (depth > maxDepth) {
      throw new RangeError('too deep');
    }
    const { file, lineAt } = source;
    const place = { file, line: lineAt(node.offset) };
    this.valuesLeft -= 1;
    if (this.valuesLeft <= 0) {
      return this.valuesLeft === 0 ? this.refuse(place, say`includes too much`) : undefined;
    }
    switch (node.type) {
      case 'object':
        return this.include(place, this.entriesOf(node, source, depth), depth);
      case 'array': {
        const items = (node.children ?? []).map((item) => this.convert(item, source, depth + 1));
        return { ...place, items: items.filter((item) => item !== undefined) };
      }
      default:
        return { ...place, value: node.value ?? null };
    }
  }

  /** Of a key that occurs twice, the last value counts. */
  private entriesOf(node: Node, source: Source, depth: number): Map<string, JsonNode> {
    const entries = new Map<string, JsonNode>();
    for (const { children: [key, value] = [] } of node.children ?? []) {
      const converted = value && this.convert(value, source, depth + 1);
      if (converted !== undefined) {
        entries.set(String(key?.value), converted);
      }
    }
    return entries;
  }

  /**
   * Follows `{"$ref": "./navigation.json"}`, which is relative to the file in which it stands. As Mintlify
   * does: keys beside it win over those of an object, and what is no object replaces them all.
   */
  private include(
    place: Place,
    entries: Map<string, JsonNode>,
    depth: number,
  ): JsonNode | undefined {
    const reference = textOf(entries, '$ref');
    if (reference === undefined) {
      return { ...place, entries };
    }
    entries.delete('$ref');
    const included = this.follow(place, reference, depth);
    return included !== undefined && included.entries === undefined
      ? included
      : { ...(included ?? place), entries: new Map([...(included?.entries ?? []), ...entries]) };
  }

  private follow(place: Place, reference: string, depth: number): JsonNode | undefined {
    const file = posix.join(posix.dirname(place.file), reference);
    if (!file.startsWith(this.root === '' ? '' : `${this.root}/`) || file.startsWith('../')) {
      return this.refuse(place, say`includes a file outside the docs: ${reference}`);
    }
    return this.read(
      file,
      place,
      say`includes a file that does not exist: ${reference}`,
      depth + 1,
    );
  }

  /** A file that is included many times has each problem once. */
  private refuse({ file, line }: Place, what: Sentence): undefined {
    const problem = { file, line, what };
    if (!this.problems.some((one) => isDeepStrictEqual(one, problem))) {
      this.problems.push(problem);
    }
  }
}

interface Source {
  readonly file: string;
  readonly lineAt: (offset: number) => number;
}

/** Tells the lines of offsets, which must be asked in their order. */
function lineCounter(text: string): (offset: number) => number {
  let [at, line] = [0, 1];
  return (offset) => {
    for (; at < offset; at += 1) {
      line += text[at] === '\n' ? 1 : 0;
    }
    return line;
  };
}

/** Compact, with sorted keys, so that two values can be compared whatever the order of their keys. */
function compactJson({ entries, items, value = null }: JsonNode): string {
  if (entries !== undefined) {
    const sorted = [...entries].sort(([one], [other]) => (one < other ? -1 : 1));
    return `{${sorted.map(([key, node]) => `${JSON.stringify(key)}:${compactJson(node)}`).join(',')}}`;
  }
  return items === undefined ? JSON.stringify(value) : `[${items.map(compactJson).join(',')}]`;
}

type Entries = ReadonlyMap<string, JsonNode> | undefined;

/** The value of a key, where it is text. */
function textOf(entries: Entries, key: string): string | undefined {
  const value = entries?.get(key)?.value;
  return typeof value === 'string' ? value : undefined;
}

function placeOf({ file, line }: Place): Place {
  return { file, line };
}

function shapeProblems(
  top: JsonNode | undefined,
  navigation: JsonNode | undefined,
): readonly SiteProblem[] {
  if (top === undefined || navigation !== undefined) {
    return [];
  }
  const what = top.entries === undefined ? say`is not a JSON object` : say`has no navigation`;
  return [{ ...placeOf(top), what }];
}

function redirectsOf(node: JsonNode | undefined): readonly Redirect[] {
  return (node?.items ?? []).flatMap(({ entries, file, line }) => {
    const source = textOf(entries, 'source');
    const destination = textOf(entries, 'destination');
    return source === undefined || destination === undefined
      ? []
      : [{ source, destination, file, line }];
  });
}

/** What a redirect says besides its ends is not known to any rule. */
function redirectProblems(node: JsonNode | undefined): readonly SiteProblem[] {
  if (node !== undefined && node.items === undefined) {
    return [{ ...placeOf(node), what: say`has redirects that are no list` }];
  }
  const isWhole = ({ entries }: JsonNode) =>
    ['source', 'destination'].every((key) => textOf(entries, key) !== undefined) &&
    [...(entries?.keys() ?? [])].every((key) => /^(?:source|destination|permanent)$/.test(key));
  return (node?.items ?? [])
    .filter((item) => !isWhole(item))
    .map((item) => ({
      ...placeOf(item),
      what: say`has a redirect that is more or less than a source and a destination: ${compactJson(item)}`,
    }));
}

/** The search engines' settings are the only ones that tell where the site lives. */
function ownAddress(settings: Entries): string | undefined {
  const tags = settings?.get('seo')?.entries?.get('metatags')?.entries;
  const named = ['canonical', 'og:url'].map((key) => textOf(tags, key));
  return named.find((address) => address !== undefined && URL.canParse(address));
}

/**
 * Where the pages that a description makes are put, unless its `directory` says otherwise.
 * Known from the packages that Mintlify builds a site with.
 */
const folderOf: ReadonlyMap<string, string> = new Map([
  ['openapi', 'api-reference'],
  ['asyncapi', 'api-reference'],
  ['graphql', 'graphql-reference'],
  ['sdk', 'sdk-reference'],
]);

/** The key that names a group, in the order in which they count. */
const labelKeys = 'group tab anchor dropdown product item language version name label title'.split(
  ' ',
);

/** Keys that hold no pages, though they hold objects with names. */
const otherKeys = new Set(['banner', 'footer', 'navbar', 'icon', 'color', 'contextual', 'api']);

/** Such as `GET /users`, `openapi.json POST /plants`, `webhook orderPaid`, `events.yaml orders`. */
const endpoint =
  /^(?:\S+\s+)?(?:get|post|put|patch|delete|head|options|trace|query)\s+\/|^(?:\S+\s+)?webhook\s+\S|^\S+\.(?:json|ya?ml)\s+\S/i;

/** Walks the navigation, whatever its containers are called: any object in it may hold `pages`. */
class NavigationWalk {
  readonly pages: NavigationPage[] = [];
  /** The default one first. */
  readonly languages: string[] = [];
  readonly apiFolders = new Set<string>();
  readonly apiFiles = new Set<string>();
  private readonly root: string;

  constructor(root: string) {
    this.root = root;
  }

  read(key: string, node: JsonNode): readonly NavigationNode[] {
    const folder = folderOf.get(key);
    if (folder !== undefined) {
      return this.readDescription(node, folder);
    }
    if (otherKeys.has(key)) {
      return [];
    }
    if (node.entries !== undefined) {
      return this.readContainer(node.entries);
    }
    return node.items?.flatMap((item) => this.read(key, item)) ?? this.readEntry(key, node);
  }

  /** API descriptions that the settings name outside of the navigation. */
  readDescriptions(node: JsonNode | undefined): void {
    for (const [key, folder] of folderOf) {
      const description = node?.entries?.get(key);
      if (description !== undefined) {
        this.readDescription(description, folder);
      }
    }
  }

  private readContainer(entries: ReadonlyMap<string, JsonNode>): readonly NavigationNode[] {
    this.readLanguage(entries);
    const settings: Record<string, string> = {};
    const labelKey = labelKeys.find((key) => textOf(entries, key) !== undefined) ?? '';
    const label = textOf(entries, labelKey);
    const children = [...entries]
      .filter(([key]) => key !== labelKey)
      .flatMap(([key, value]) => {
        const nodes = this.read(key, value);
        // Of an API description, the entry shows the source alone.
        const isSetting = folderOf.has(key)
          ? value.entries !== undefined
          : nodes.length === 0 && value.items?.length !== 0;
        if (isSetting) {
          settings[key] = compactJson(value);
        }
        return nodes;
      });
    const hasSettings = Object.keys(settings).length > 0;
    return label === undefined
      ? children
      : [{ label, kind: 'group', children, ...(hasSettings && { settings }) }];
  }

  private readLanguage(entries: ReadonlyMap<string, JsonNode>): void {
    const language = textOf(entries, 'language');
    if (language === undefined || this.languages.includes(language)) {
      return;
    }
    if (entries.get('default')?.value === true) {
      this.languages.unshift(language);
    } else {
      this.languages.push(language);
    }
  }

  private readEntry(key: string, { value, file, line }: JsonNode): readonly NavigationNode[] {
    const entry = typeof value === 'string' ? value.trim() : '';
    if (entry !== '' && (key === 'href' || key === 'url')) {
      return [leaf('link', entry)];
    }
    if (entry === '' || (key !== 'pages' && key !== 'root')) {
      return [];
    }
    if (endpoint.test(entry)) {
      return this.readEndpoint(entry);
    }
    if (/^[a-z][a-z+.-]*:/i.test(entry)) {
      return [leaf('link', entry)];
    }
    const page = pageName(entry);
    this.pages.push({ page, file, line });
    return [leaf('page', page)];
  }

  private readEndpoint(entry: string): readonly NavigationNode[] {
    this.apiFolders.add('api-reference');
    const [first = ''] = entry.split(/\s/);
    if (/\.(?:json|ya?ml)$/i.test(first)) {
      this.addFile(first);
    }
    return [leaf('api', entry)];
  }

  /** Text, an object with `source` and `directory`, or an array of them. */
  private readDescription(node: JsonNode, folder: string): readonly NavigationNode[] {
    if (node.items !== undefined) {
      return node.items.flatMap((item) => this.readDescription(item, folder));
    }
    const source = node.value ?? textOf(node.entries, 'source');
    if (typeof source !== 'string') {
      return [];
    }
    this.apiFolders.add(pageName(textOf(node.entries, 'directory') ?? folder));
    this.addFile(source);
    return [leaf('api', source)];
  }

  private addFile(source: string): void {
    if (!/^[a-z]+:/i.test(source)) {
      this.apiFiles.add(posix.join(this.root, `/${source}`).slice(this.root === '' ? 1 : 0));
    }
  }
}

function leaf(kind: 'page' | 'link' | 'api', label: string): NavigationNode {
  return { label, kind, children: [] };
}

/** Without slashes at the ends and without an extension, as Mintlify normalises it. */
export function pageName(path: string): string {
  const below = posix.normalize(`/${path.replaceAll('\\', '/')}`);
  return below.replace(/^\/|\/$/g, '').replace(/\.mdx?$/i, '');
}
