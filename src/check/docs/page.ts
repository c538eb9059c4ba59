/** What the rules need to know of a page or a snippet, as its parser read it. Plain data: it crosses a process. */
export interface Page {
  /** Why the rest is incomplete; `undefined` for a page that was parsed. */
  readonly problem: PageProblem | undefined;
  /** The fields of the front matter, as YAML has them. */
  readonly frontMatter: readonly FrontMatterField[];
  readonly headings: readonly Heading[];
  /**
   * All anchors that a link can point at, without `#`: of headings, components and ids. Look up both
   * a fragment as it is written and `cleanAnchor(fragment)`.
   */
  readonly anchors: readonly string[];
  readonly links: readonly Link[];
  readonly imports: readonly Import[];
  /** Parts that the site or the reader's browser would execute. Local snippets and literals are not among them. */
  readonly code: readonly CodePassage[];
  /** Fenced and indented code, and texts of several lines that are given to components. */
  readonly samples: readonly Sample[];
  /** What only agents see: `<Visibility for="agents">`, comments, text in hidden elements. */
  readonly forAgents: readonly Passage[];
  /** The prose that readers see, without code, one entry for each block. */
  readonly prose: readonly Passage[];
}

/** A page with nothing in it. */
export const emptyPage: Page = {
  problem: undefined,
  frontMatter: [],
  headings: [],
  anchors: [],
  links: [],
  imports: [],
  code: [],
  samples: [],
  forAgents: [],
  prose: [],
};

export interface PageProblem {
  /** A clause without its subject, such as `is not valid MDX: …`; the parser's words quote the page. */
  readonly what: string;
  readonly line: number | undefined;
}

/** The problem of a text that says nothing of an API. */
export const noDescription: PageProblem = { what: 'is no description of an API', line: undefined };

export interface FrontMatterField {
  readonly name: string;
  /** As compact JSON, so that two values can be compared. */
  readonly json: string;
  readonly line: number;
}

export interface Heading {
  readonly anchor: string;
  readonly text: string;
  readonly depth: number;
  readonly line: number;
}

/** An address in a page, as it is written. */
export interface Link {
  readonly target: string;
  /** `embed` is an `iframe`, a video or a similar element. */
  readonly kind: 'link' | 'image' | 'embed';
  readonly line: number;
}

export interface Import {
  /** Such as `/snippets/intro.mdx`. */
  readonly source: string;
  readonly line: number;
}

/** A piece of the page's source. */
export interface Passage {
  readonly text: string;
  readonly line: number;
}

export interface CodePassage extends Passage {
  readonly kind: CodeKind;
  /**
   * Source of what the page declares and the passage names, in order: it decides what the passage does.
   * Of very many declarations, one digest.
   */
  readonly uses: readonly string[];
}

export type CodeKind =
  /** `<script>`. */
  | 'script'
  /** `<iframe>`, `<object>`, `<embed>` and their like, but for players of well-known video hosts. */
  | 'frame'
  /** `onclick="…"`, `onLoad={…}`. */
  | 'handler'
  /** `javascript:` and other addresses that run code. */
  | 'script-url'
  /** `dangerouslySetInnerHTML`, `srcdoc`: HTML that no parser has seen. */
  | 'raw-html'
  /** `<base>`, `<meta http-equiv>`, `<link>`: changes the document around the page. */
  | 'document'
  /** An element that lies over the page, such as a dialog that nobody asked for. */
  | 'layer'
  /** Of anything but a local Markdown snippet. */
  | 'import'
  /** A function, component or class. */
  | 'function'
  /** A call, assignment, or another expression that does more than read a value. */
  | 'expression'
  /** `window`, `document`, `fetch` and other names of the browser. */
  | 'global'
  /** Any other name that the page does not define, in an expression or an attribute. */
  | 'undefined'
  /** `{id}` in the text, by a name that the page does not define: no code, but it may fail to build. */
  | 'placeholder'
  /** `{...props}`. */
  | 'spread';

export interface Sample {
  /** The word after the fence; empty for none, and where there is no fence. */
  readonly language: string;
  readonly lines: readonly string[];
  /** Of the fence, or of the first backquote. */
  readonly line: number;
}
