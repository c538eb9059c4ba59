/** What a site is made of, as `docs.json` or `mint.json` with its `$ref`s says. Plain data. */
export interface Site {
  /** Folder of the docs in the repository; empty for the top, otherwise without a slash at the end. */
  readonly root: string;
  /** Path of docs.json or mint.json in the repository, and of the files that it includes. */
  readonly files: readonly string[];
  /** What cannot be read: JSON errors, keys that occur twice, a `$ref` that leads nowhere. */
  readonly problems: readonly SiteProblem[];
  /** The navigation as people see it. */
  readonly navigation: readonly NavigationNode[];
  readonly pages: readonly NavigationPage[];
  readonly redirects: readonly Redirect[];
  /** All keys except navigation and redirects, with their values as compact JSON. */
  readonly settings: ReadonlyMap<string, { readonly json: string; readonly file: string; readonly line: number }>;
  /** Languages of the navigation, such as `en` and `fr`; the first one is the default. */
  readonly languages: readonly string[];
  /** Folders below the root whose pages are made from API descriptions, such as `api-reference`. */
  readonly apiFolders: readonly string[];
}

export interface SiteProblem {
  readonly file: string;
  readonly line: number;
  /** A clause, such as `has the key "name" twice`. */
  readonly what: string;
}

/** A group, tab, language or page of the navigation. */
export interface NavigationNode {
  /** A group's name, or a page's path. */
  readonly label: string;
  readonly kind: 'group' | 'page';
  readonly children: readonly NavigationNode[];
}

/** A page as the navigation names it. */
export interface NavigationPage {
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
