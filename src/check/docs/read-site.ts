import { posix } from 'node:path';
import { includeAll } from './includes.ts';
import { compactJson, type JsonNode, type JsonObject, textOf } from './json.ts';
import { readNavigation } from './navigation.ts';
import type { Redirect, Site, SiteProblem } from './site.ts';

export interface SiteReading {
  readonly site: Site;
  /** Included files of which `texts` does not say anything: read them, and call again. */
  readonly missing: readonly string[];
}

/** In mint.json, these keys describe the navigation too. */
const mintNavigation = ['tabs', 'anchors', 'versions', 'primaryTab', 'topAnchor'];

/**
 * Reads the settings of a site. Never throws: what cannot be read becomes a problem.
 *
 * @param file docs.json or mint.json, by path in the repository
 * @param texts by path in the repository; `undefined` for a file that does not exist
 */
export function readSite(
  file: string,
  texts: ReadonlyMap<string, string | undefined>,
): SiteReading {
  const folder = posix.dirname(file);
  const root = folder === '.' ? '' : folder;
  const { node, files, missing, problems } = includeAll(file, root, texts);
  const settings = node?.type === 'object' ? node : emptyObject(file);
  const navigation = navigationOf(settings);
  const { nodes, ...rest } = readNavigation(navigation, apiOf(settings), root);
  const site: Site = {
    root,
    files,
    problems: [
      ...problems,
      ...shapeProblems(node, navigation),
      ...redirectProblems(settings.entries.get('redirects')),
    ],
    navigation: nodes,
    navigationJson: navigation === undefined ? 'null' : compactJson(navigation),
    redirects: redirectsOf(settings.entries.get('redirects')),
    settings: otherSettings(settings),
    address: addressOf(settings),
    ...rest,
  };
  return { site, missing };
}

function emptyObject(file: string): JsonObject {
  return { type: 'object', file, line: 1, entries: new Map() };
}

function isMint(file: string): boolean {
  return posix.basename(file) === 'mint.json';
}

function isNavigation(settings: JsonObject, key: string): boolean {
  return key === 'navigation' || (isMint(settings.file) && mintNavigation.includes(key));
}

function navigationOf(settings: JsonObject): JsonNode | undefined {
  const navigation = settings.entries.get('navigation');
  if (!isMint(settings.file)) return navigation;
  const entries = [...settings.entries].filter(([key]) => isNavigation(settings, key));
  return { ...emptyObject(settings.file), entries: new Map(entries) };
}

/** `api` of docs.json has `openapi` and `asyncapi`; mint.json has `openapi` at the top. */
function apiOf(settings: JsonObject): JsonNode | undefined {
  return isMint(settings.file) ? settings : settings.entries.get('api');
}

function shapeProblems(
  node: JsonNode | undefined,
  navigation: JsonNode | undefined,
): readonly SiteProblem[] {
  if (node === undefined) return [];
  const { file, line } = node;
  if (node.type !== 'object') return [{ file, line, what: 'is not a JSON object' }];
  return navigation === undefined ? [{ file, line, what: 'has no navigation' }] : [];
}

function redirectsOf(node: JsonNode | undefined): readonly Redirect[] {
  if (node?.type !== 'array') return [];
  return node.items.flatMap((item) => {
    const source = textOf(item, 'source');
    const destination = textOf(item, 'destination');
    if (source === undefined || destination === undefined) return [];
    return [{ source, destination, file: item.file, line: item.line }];
  });
}

const redirectKeys = new Set(['source', 'destination', 'permanent']);

/** What a redirect says besides its ends is not known to any rule. */
function redirectProblems(node: JsonNode | undefined): readonly SiteProblem[] {
  if (node === undefined) return [];
  if (node.type !== 'array') return [{ ...placeOf(node), what: 'has redirects that are no list' }];
  return node.items.flatMap((item) => {
    const isWhole = ['source', 'destination'].every((key) => textOf(item, key) !== undefined);
    const what = 'has a redirect that is more or less than a source and a destination';
    const keys = item.type === 'object' ? [...item.entries.keys()] : [];
    return isWhole && keys.every((key) => redirectKeys.has(key))
      ? []
      : [{ ...placeOf(item), what: `${what}: ${compactJson(item)}` }];
  });
}

function placeOf({ file, line }: JsonNode): { readonly file: string; readonly line: number } {
  return { file, line };
}

function otherSettings(settings: JsonObject): Site['settings'] {
  const others = [...settings.entries].filter(
    ([key]) => key !== 'redirects' && !isNavigation(settings, key),
  );
  return new Map(
    others.map(([key, node]) => {
      return [key, { json: compactJson(node), file: node.file, line: node.line }];
    }),
  );
}

/** The search engines' settings are the only ones that tell where the site lives. */
function addressOf(settings: JsonObject): string | undefined {
  const seo = settings.entries.get('seo');
  const tags = [
    seo?.type === 'object' ? seo.entries.get('metatags') : undefined,
    settings.entries.get('metadata'),
  ];
  const named = tags.flatMap((node) => [textOf(node, 'canonical'), textOf(node, 'og:url')]);
  return named.find((address) => address !== undefined && URL.canParse(address));
}
