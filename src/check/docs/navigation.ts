import { posix } from 'node:path';
import { compactJson, type JsonNode, type JsonObject, type JsonScalar, textOf } from './json.ts';
import type { NavigationNode, NavigationPage } from './site.ts';

/** What the settings say of pages. */
export interface Navigation {
  readonly nodes: readonly NavigationNode[];
  readonly pages: readonly NavigationPage[];
  /** The default one first. */
  readonly languages: readonly string[];
  readonly apiFolders: readonly string[];
  readonly apiFiles: readonly string[];
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
const labelKeys = [
  ...['group', 'tab', 'anchor', 'dropdown', 'product', 'item', 'language', 'version'],
  ...['name', 'label', 'title'],
];

/** Keys in the order in which their entries are shown; any other one follows them. */
const containerKeys = [
  ...['root', 'href', 'url', ...folderOf.keys(), 'pages', 'groups', 'languages', 'versions'],
  ...['products', 'tabs', 'anchors', 'dropdowns', 'menu', 'global'],
];

/** Keys that hold no pages, though they hold objects with names. */
const otherKeys = new Set(['banner', 'footer', 'navbar', 'icon', 'color', 'contextual', 'api']);

/** Such as `GET /users`, `openapi.json POST /plants`, `webhook orderPaid`, `events.yaml orders`. */
const endpoint =
  /^(?:\S+\s+)?(?:get|post|put|patch|delete|head|options|trace|query)\s+\/|^(?:\S+\s+)?webhook\s+\S|^\S+\.(?:json|ya?ml)\s+\S/i;

/**
 * Walks `navigation`, whatever its containers are called: any object in it may hold `pages`.
 * `api` is the settings' key of that name, which names API descriptions too.
 */
export function readNavigation(
  navigation: JsonNode | undefined,
  api: JsonNode | undefined,
  root: string,
): Navigation {
  const walk = new Walk(root);
  if (api !== undefined) walk.readDescriptions(api);
  const nodes = navigation === undefined ? [] : walk.read('navigation', navigation);
  const { pages, languages, apiFolders, apiFiles } = walk;
  return { nodes, pages, languages, apiFolders: [...apiFolders], apiFiles: [...apiFiles] };
}

class Walk {
  readonly pages: NavigationPage[] = [];
  readonly languages: string[] = [];
  readonly apiFolders = new Set<string>();
  readonly apiFiles = new Set<string>();
  private readonly root: string;

  constructor(root: string) {
    this.root = root;
  }

  read(key: string, node: JsonNode): readonly NavigationNode[] {
    const defaultFolder = folderOf.get(key);
    if (defaultFolder !== undefined) return this.readDescription(node, defaultFolder);
    if (otherKeys.has(key)) return [];
    switch (node.type) {
      case 'object':
        return this.readContainer(node);
      case 'array':
        return node.items.flatMap((item) => this.read(key, item));
      case 'scalar':
        return this.readEntry(key, node);
    }
  }

  /** API descriptions that the settings name outside of the navigation. */
  readDescriptions(node: JsonNode): void {
    if (node.type !== 'object') return;
    for (const [key, folder] of folderOf) {
      const description = node.entries.get(key);
      if (description !== undefined) this.readDescription(description, folder);
    }
  }

  private readContainer(node: JsonObject): readonly NavigationNode[] {
    this.readLanguage(node);
    const others = [...node.entries.keys()].filter((key) => !containerKeys.includes(key)).sort();
    const settings: Record<string, string> = {};
    const labelKey = labelKeys.find((key) => textOf(node, key) !== undefined);
    const children = [...containerKeys, ...others].flatMap((key) => {
      const value = node.entries.get(key);
      if (value === undefined || key === labelKey) return [];
      const nodes = this.read(key, value);
      if (isSetting(key, value, nodes)) settings[key] = compactJson(value);
      return nodes;
    });
    const label = labelKey === undefined ? undefined : textOf(node, labelKey);
    return label === undefined
      ? children
      : [{ label, kind: 'group', children, ...(hasKeys(settings) && { settings }) }];
  }

  private readLanguage(node: JsonObject): void {
    // `locale` is what mint.json calls it.
    const language = textOf(node, 'language') ?? textOf(node, 'locale');
    if (language === undefined || this.languages.includes(language)) return;
    const isDefault = node.entries.get('default');
    if (isDefault?.type === 'scalar' && isDefault.value === true) this.languages.unshift(language);
    else this.languages.push(language);
  }

  private readEntry(key: string, node: JsonScalar): readonly NavigationNode[] {
    if (typeof node.value !== 'string' || node.value.trim() === '') return [];
    const entry = node.value.trim();
    if (key === 'href' || key === 'url') return [leaf('link', entry)];
    if (key !== 'pages' && key !== 'root') return [];
    if (endpoint.test(entry)) return this.readEndpoint(entry);
    if (/^[a-z][a-z+.-]*:/i.test(entry)) return [leaf('link', entry)];
    const page = pageName(entry);
    this.pages.push({ page, file: node.file, line: node.line });
    return [leaf('page', page)];
  }

  private readEndpoint(entry: string): readonly NavigationNode[] {
    this.apiFolders.add('api-reference');
    const [first = ''] = entry.split(/\s/);
    if (/\.(?:json|ya?ml)$/i.test(first)) this.addFile(first);
    return [leaf('api', entry)];
  }

  /** Text, an object with `source` and `directory`, or an array of them. */
  private readDescription(node: JsonNode, defaultFolder: string): readonly NavigationNode[] {
    if (node.type === 'array') {
      return node.items.flatMap((item) => this.readDescription(item, defaultFolder));
    }
    const source = node.type === 'scalar' ? node.value : textOf(node, 'source');
    if (typeof source !== 'string') return [];
    this.apiFolders.add(pageName(textOf(node, 'directory') ?? defaultFolder));
    this.addFile(source);
    return [leaf('api', source)];
  }

  private addFile(source: string): void {
    if (!/^[a-z]+:/i.test(source))
      this.apiFiles.add(posix.join(this.root, `/${source}`).slice(this.root === '' ? 1 : 0));
  }
}

/** Whether a key says something of its group, and names no entries of it. */
function isSetting(key: string, value: JsonNode, nodes: readonly NavigationNode[]): boolean {
  // Of an API description, the entry shows the source alone.
  return folderOf.has(key)
    ? value.type === 'object'
    : nodes.length === 0 && !containerKeys.includes(key);
}

function hasKeys(settings: Readonly<Record<string, string>>): boolean {
  return Object.keys(settings).length > 0;
}

function leaf(kind: 'page' | 'link' | 'api', label: string): NavigationNode {
  return { label, kind, children: [] };
}

/** Without slashes at the ends and without an extension, as Mintlify normalises it. */
export function pageName(path: string): string {
  const below = posix.normalize(`/${path.replaceAll('\\', '/')}`);
  return below.replace(/^\/|\/$/g, '').replace(/\.mdx?$/i, '');
}
