import { posix } from 'node:path';
import type { Place } from '../finding.ts';
import { say } from '../sentence.ts';
import { type PlacedReference, referencesInSettings } from './references.ts';
import { isList, isObject, type Literal, type LiteralObject, textOf } from './script.ts';
import { type SettingsProblem, SettingsReader } from './settings.ts';

/** What docs.json says of a site, with the files that it includes by `$ref`. Plain data. */
export interface Site {
  /** Folder of the docs in the repository; empty for the top, otherwise without a slash at the end. */
  readonly root: string;
  /** The texts of docs.json, which comes first, and of the files that it includes, by path in the repository. */
  readonly files: ReadonlyMap<string, string>;
  /** What cannot be read: JSON errors, a `$ref` that leads nowhere, a slow pattern in `.mintignore`. */
  readonly problems: readonly SettingsProblem[];
  /** The navigation as people see it, in its order: each group comes before what stands in it. */
  readonly navigation: readonly NavigationEntry[];
  readonly navigationPlace: Place;
  /** The pages in the navigation, in its order: paths below the root, such as `guides/setup` for `guides/setup.mdx`. */
  readonly pages: ReadonlySet<string>;
  readonly redirects: readonly Redirect[];
  /** What the settings lead to, without redirects. */
  readonly references: readonly PlacedReference[];
  /** All keys except navigation and plain redirects, each with its value as compact JSON. */
  readonly settings: ReadonlyMap<string, { readonly json: string; readonly place: Place }>;
  /** Names of the variables that pages can show as `{{name}}`. */
  readonly variables: ReadonlySet<string>;
  /** Languages of the navigation, such as `en` and `fr`; the first one is the default. */
  readonly languages: readonly string[];
  /**
   * Folders below the root whose pages are made from API descriptions, such as `api-reference`.
   * An empty string if such pages may lie anywhere.
   */
  readonly apiFolders: readonly string[];
  /** The lines of `.mintignore` that are read: patterns of files that are not published; empty for none. */
  readonly ignored: string;
  /** The path that the site is served at, such as `docs`, if the settings tell; otherwise empty. */
  readonly basePath: string;
}

/** A group, tab or language, a page, a link, an endpoint, or a setting of a group. */
export interface NavigationEntry {
  readonly kind: 'group' | 'page' | 'link' | 'api' | 'setting';
  /**
   * A group's name, a page's path, a link's target, an endpoint or API description as it is written, or a
   * setting with its value as compact JSON, such as `hidden: true`.
   */
  readonly label: string;
  /** The groups around the entry, such as `API › Users`; empty at the top. The trail of a group ends with its name. */
  readonly trail: string;
  readonly place: Place;
}

export interface Redirect {
  readonly source: string;
  readonly destination: string;
  readonly place: Place;
}

/**
 * Reads the settings of a site, which are strict JSON for Mintlify. Never throws: what cannot be read
 * becomes a problem. If one of the files is no JSON, the site is empty.
 *
 * @param file docs.json, by path in the repository
 * @param texts of docs.json, of all files that it includes, and of `.mintignore`, by path in the repository
 */
export function readSite(file: string, texts: ReadonlyMap<string, string | undefined>): Site {
  const folder = posix.dirname(file);
  const root = folder === '.' ? '' : folder;
  const reader = new SettingsReader(root, texts);
  const top = reader.read(file, 1);
  const { files, problems, isBroken } = reader;
  const settings = isObject(top) && !isBroken ? top : {};
  const { navigation, redirects: written = [], ...others } = settings;
  const redirects = isList(written) ? written : [written];
  const odd = redirects.filter((item) => !isPlainRedirect(item));
  const walk = new NavigationWalk(reader);
  const placeOf = (key: string) => reader.placeOf(settings, key);
  walk.readDescriptions(settings['api']);
  walk.read('navigation', navigation ?? {}, placeOf('navigation'));
  const pages = walk.entries.filter(({ kind }) => kind === 'page');
  const what = top === undefined ? say`does not exist` : say`has no navigation`;
  const lines = texts.get(ignoringFile(file))?.split('\n') ?? [];
  return {
    root,
    files,
    ignored: lines.filter((one) => !slowPattern.test(one)).join('\n'),
    problems: [
      ...problems,
      ...(isBroken || isObject(navigation) ? [] : [{ file, what }]),
      ...slowPatterns(ignoringFile(file), lines),
    ],
    navigation: walk.entries,
    navigationPlace: placeOf('navigation'),
    pages: new Set(pages.map(({ label }) => label)),
    redirects: redirects.flatMap((item) => {
      return readRedirect(item).map((one) => ({ ...one, place: reader.placeOf(item, 'source') }));
    }),
    references: [
      ...pages.map(({ label, place }) => ({ kind: 'page', target: label, place }) as const),
      ...referencesInSettings(settings, reader),
    ],
    settings: new Map(
      Object.entries(odd.length === 0 ? others : { ...others, redirects: odd }).map(
        ([key, value]) => [key, { json: compactJson(value), place: placeOf(key) }],
      ),
    ),
    variables: new Set(isObject(settings['variables']) ? Object.keys(settings['variables']) : []),
    languages: walk.languages,
    apiFolders: [...walk.apiFolders],
    basePath: basePathOf(settings),
  };
}

/** The `.mintignore` of the docs that have this docs.json. */
export function ignoringFile(file: string): string {
  return posix.join(posix.dirname(file), '.mintignore');
}

/** A pattern with three `**` or more, each of which multiplies the time for a path. */
const slowPattern = /^(?!#)(?:.*?\*\*){3}/s;

/** Says that a `.mintignore` has slow patterns, at the first one. */
function slowPatterns(file: string, lines: readonly string[]): readonly SettingsProblem[] {
  const index = lines.findIndex((one) => slowPattern.test(one));
  const what = say`has a pattern with more than two ${'**'}, which the check does not read`;
  return index === -1 ? [] : [{ file, line: index + 1, what, isLimit: true }];
}

/** Compact, with sorted keys, so that two values can be compared whatever the order of their keys. */
function compactJson(value: Literal): string {
  return JSON.stringify(value, (_key, part: Literal) =>
    isObject(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
}

function readRedirect(value: Literal): readonly Omit<Redirect, 'place'>[] {
  const [source, destination] = [textOf(value, 'source'), textOf(value, 'destination')];
  return source === undefined || destination === undefined ? [] : [{ source, destination }];
}

/** Whether a redirect has nothing but known keys. A redirect with another key is compared as a setting. */
function isPlainRedirect(value: Literal): boolean {
  return (
    readRedirect(value).length > 0 &&
    Object.entries(value ?? {}).every(
      ([key, one]) =>
        /^(?:source|destination)$/.test(key) || (key === 'permanent' && typeof one === 'boolean'),
    )
  );
}

/** Only the settings for search engines tell where the site lives. */
function basePathOf({ seo }: LiteralObject): string {
  const tags = isObject(seo) ? seo['metatags'] : undefined;
  const urls = ['canonical', 'og:url'].map((key) => URL.parse(textOf(tags, key) ?? ''));
  return urls.find((url) => url !== null)?.pathname.replace(/^\/|\/$/g, '') ?? '';
}

/**
 * The folder in which Mintlify puts the pages of a description, unless `directory` names another one. The
 * packages that Mintlify builds a site with have these names.
 */
const folderOf: ReadonlyMap<string, string> = new Map([
  ['openapi', 'api-reference'],
  ['asyncapi', 'api-reference'],
  ['graphql', 'graphql-reference'],
  ['sdk', 'sdk-reference'],
]);

/** The keys that name what holds pages, such as `tab` in `{"tab": "Guides", "pages": […]}`. */
const labelKeys = 'language version product tab dropdown anchor group item'.split(' ');

/** Keys whose objects hold no pages. */
const otherKeys = new Set(['banner', 'footer', 'navbar', 'icon', 'color', 'contextual', 'api']);

/** Such as `GET /users`, `openapi.json POST /plants`, `webhook orderPaid`, `events.yaml orders`. */
const endpoint =
  /^(?:\S+\s+)?(?:get|post|put|patch|delete|head|options|trace|query)\s+\/|^(?:\S+\s+)?webhook\s+\S|^\S+\.(?:json|ya?ml)\s+\S/i;

/** In characters. Groups below a longer trail share it, because trails that grow with each level fill the memory. */
const maxTrailLength = 2000;
const maxNameLength = 100;

/** Walks the navigation, whatever its containers are called: any object in it may hold `pages`. */
class NavigationWalk {
  readonly entries: NavigationEntry[] = [];
  /** The default language comes first. */
  readonly languages: string[] = [];
  readonly apiFolders = new Set<string>();
  private readonly reader: SettingsReader;

  constructor(reader: SettingsReader) {
    this.reader = reader;
  }

  /** Reads a value and what is in it. A value without a page, a link or an endpoint is a setting. */
  read(key: string, value: Literal, place: Place, trail = ''): void {
    const { length } = this.entries;
    const folder = folderOf.get(key);
    if (folder !== undefined) {
      for (const label of this.readDescription(value, folder)) {
        this.entries.push({ kind: 'api', label, trail, place });
      }
    } else if (isObject(value) && !otherKeys.has(key)) {
      this.readContainer(value, trail);
    } else if (isList(value)) {
      for (const [index, item] of value.entries()) {
        this.read(key, item, this.reader.placeOf(value, index), trail);
      }
    } else {
      this.readEntry(key, value, place, trail);
    }
    const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0;
    if (this.entries.length === length && !isEmpty) {
      const label = `${key}: ${compactJson(value)}`;
      this.entries.push({ kind: 'setting', label, trail, place });
    }
  }

  /** Reads the API descriptions that the settings name outside of the navigation. */
  readDescriptions(api: Literal | undefined): void {
    for (const [key, folder] of folderOf) {
      this.readDescription((isObject(api) && api[key]) || null, folder);
    }
  }

  private readContainer(container: LiteralObject, trail: string): void {
    this.readLanguage(container);
    const labelKey = labelKeys.find((key) => textOf(container, key) !== undefined) ?? '';
    const label = textOf(container, labelKey);
    const placeOf = (key: string) => this.reader.placeOf(container, key);
    let own = trail;
    if (label !== undefined && trail.length < maxTrailLength) {
      own = [trail, label.slice(0, maxNameLength)].filter(Boolean).join(' › ');
      this.entries.push({ kind: 'group', label, trail: own, place: placeOf(labelKey) });
    }
    for (const [key, value] of Object.entries(container)) {
      if (key !== labelKey) {
        this.read(key, value, placeOf(key), own);
      }
    }
  }

  private readLanguage(container: LiteralObject): void {
    const language = textOf(container, 'language');
    if (language !== undefined && !this.languages.includes(language)) {
      this.languages.splice(container['default'] === true ? 0 : Infinity, 0, language);
    }
  }

  private readEntry(key: string, value: Literal, place: Place, trail: string): void {
    const label = typeof value === 'string' ? value.trim() : '';
    const isLink = key === 'href';
    if (label === '' || !(isLink || key === 'pages' || key === 'root')) {
      return;
    }
    if (!isLink && endpoint.test(label)) {
      this.apiFolders.add('api-reference');
      this.entries.push({ kind: 'api', label, trail, place });
    } else if (isLink || /^[a-z][a-z+.-]*:/i.test(label)) {
      this.entries.push({ kind: 'link', label, trail, place });
    } else {
      this.entries.push({ kind: 'page', label: pageName(label), trail, place });
    }
  }

  /** @param value text, an object with `source` and `directory`, or an array of these */
  private readDescription(value: Literal, folder: string): readonly string[] {
    if (isList(value)) {
      return value.flatMap((item) => this.readDescription(item, folder));
    }
    const isText = typeof value === 'string';
    if (!isText && textOf(value, 'source') === undefined) {
      return [];
    }
    this.apiFolders.add(pageName(textOf(value, 'directory') ?? folder));
    return [isText ? value : compactJson(value)];
  }
}

/** The path of a page without slashes at its ends and without extension, as Mintlify normalises it. */
export function pageName(path: string): string {
  const below = posix.normalize(`/${path.replaceAll('\\', '/')}`);
  return below.replace(/^\/|\/$/g, '').replace(/\.mdx?$/i, '');
}

/** The path of a file below the root of the docs. It begins with `..` if the file lies outside. */
export function belowRoot(path: string, { root }: Pick<Site, 'root'>): string {
  return posix.relative(`/${root}`, `/${path}`);
}

/** The address of a page by the path of its file, as readers see it: `/guides` for `guides/index.mdx`. */
export function addressOfPage(path: string, { site }: { readonly site: Site }): string {
  return `/${addressOf(belowRoot(path, site))}`;
}

/** Without a navigation, Mintlify makes one of all pages. */
export function isInNavigation(path: string, version: { readonly site: Site }): boolean {
  const { pages } = version.site;
  return pages.size === 0 || pages.has(pageName(belowRoot(path, version.site)));
}

/** The address of a path below the root, such as `guides` for `/guides` and for `/guides/index.mdx`. */
export function addressOf(path: string): string {
  return pageName(path).replace(/(?:^|\/)index$/i, '');
}

/** False if the settings cannot be read and name no page, so that every page would seem to be gone. */
export function hasReadableNavigation({ site }: { readonly site: Site }): boolean {
  return site.pages.size > 0 || site.problems.length === 0;
}

/** The place of a finding about something that the settings do not have any more: docs.json, without a line. */
export function topOf({ files }: Site): Place {
  const [file = ''] = files.keys();
  return { file };
}
