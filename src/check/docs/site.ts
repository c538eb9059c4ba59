/** What a site is made of, as `docs.json` or `mint.json` with its `$ref`s says. Plain data. */
export interface Site {
  /** Folder of the docs in the repository; empty for the top, otherwise without a slash at the end. */
  readonly root: string;
  /** Path of docs.json or mint.json in the repository, and of the files that it includes. */
  readonly files: readonly string[];
  /** What cannot be read: JSON errors, keys that occur twice, a `$ref` that leads nowhere. */
  readonly problems: readonly SiteProblem[];
  /** Whether a file of it could not be read. Then the navigation is not known, and a gap says why. */
  readonly isUnread?: true;
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
  /** The text of `.mintignore`: patterns of files that are not published. Left out where there is none. */
  readonly ignored?: string;
  /** Address of the site, such as `https://example.com/docs`, where the settings tell. */
  readonly address: string | undefined;
}

export interface SiteProblem {
  readonly file: string;
  readonly line: number;
  /** A clause, such as `has the key "name" twice`. */
  readonly what: string;
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
