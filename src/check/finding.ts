import type { BlockKind } from './docs/page.ts';

/** How serious a finding is: `block` must not be merged as it is, `review` needs a person. */
export type Severity = 'block' | 'review';

/** The rules and their severities, unless input `rules` has others. check/README.md explains each. */
export const defaultSeverities = {
  'not-valid': 'block',
  'dead-address': 'block',
  'broken-link': 'block',
  removed: 'review',
  'fact-changed': 'review',
  'sample-changed': 'review',
  'api-changed': 'review',
  'navigation-changed': 'review',
  'settings-changed': 'review',
  'not-plain': 'review',
  'not-judged': 'review',
} as const satisfies Record<string, Severity>;

export type RuleName = keyof typeof defaultSeverities;

/** What input `rules` makes of the rules it names; the others keep their `defaultSeverities`. */
export type RuleSettings = ReadonlyMap<RuleName, Severity | 'off'>;

/** `routine` says that all of it is plain and nothing vanished, never that the text is right. */
export type Verdict = 'blocked' | 'review' | 'routine';

/** Where something happened. */
export interface Place {
  /**
   * Path in the repository, as it is after the change; of a deleted file, as it was. Empty for the pull
   * request as a whole.
   */
  readonly file: string;
  /** In the file as it is after the change, from 1; left out where there is no such line. */
  readonly line?: number;
}

/** A finding before input `rules` has given it a severity. */
export interface RuleFinding {
  readonly rule: RuleName;
  readonly event: Event;
  /**
   * The places of this one event: the same in several files, or in a page (which comes first) and its
   * translations. All texts of the event are those of the first place.
   */
  readonly places: readonly [Place, ...(readonly Place[])];
}

/** What one rule found: one event, which is one row of the report. */
export interface Finding extends RuleFinding {
  readonly severity: Severity;
}

/**
 * What happened, as facts of which the report makes a sentence. All texts come from the pull request:
 * escape them wherever they are shown. A text of the page is as readers see it, without markup.
 */
export type Event =
  | NotValid
  | DeadAddress
  | BrokenLink
  | Removed
  | FactChanged
  | SampleChanged
  | ApiChanged
  | NavigationChanged
  | SettingsChanged
  | NotPlain
  | { readonly kind: 'not-judged'; readonly problem: string };

/** Of rule `not-valid`: the site does not build, or drops a part of the page. */
export type NotValid =
  /** A page, a settings file or an API description cannot be parsed. `problem` is a clause such as `is not valid JSON`. */
  | { readonly kind: 'unparsable'; readonly problem: string }
  /** A component that nothing defines: the site drops it, with all that stands in it. */
  | { readonly kind: 'unknown-component'; readonly name: string }
  /** An expression that names something that nothing declares: the site drops it. */
  | { readonly kind: 'undefined-name'; readonly name: string }
  /** What a tool or a model left in the page. `fenced-page`: the whole page stands in one code block. */
  | {
      readonly kind: 'leftover';
      readonly what: 'conflict-marker' | 'placeholder' | 'fenced-page';
      readonly text: string;
    };

/** Of rule `dead-address`. Addresses begin with a slash, as readers know them. */
export type DeadAddress =
  /** Somebody who follows `address` finds nothing any more. */
  | {
      readonly kind: 'dead-address';
      readonly address: string;
      readonly cause: 'deleted' | 'moved' | 'redirect-removed';
      /** Where the page is now, or where the redirect led. */
      readonly destination?: string;
    }
  | {
      readonly kind: 'bad-redirect';
      readonly source: string;
      readonly destination: string;
      /** `hides-page`: a page exists at `source`, and nobody can reach it any more. */
      readonly problem: 'loop' | 'leads-nowhere' | 'hides-page';
    };

/** Of rule `broken-link`: leads nowhere because of this change. */
export interface BrokenLink {
  readonly kind: 'broken-link';
  readonly what: 'link' | 'anchor' | 'import' | 'picture' | 'navigation-entry' | 'api-file';
  /** As it is written. */
  readonly target: string;
  /** Whether the file that has it was not changed: then the change took its target away. */
  readonly isUnchanged: boolean;
}

/** What a reader can lose. `step` to `card` are components with a title. */
export type RemovedKind = 'page' | BlockKind;

/** Of rule `removed`. */
export type Removed =
  | {
      readonly kind: 'removed';
      readonly what: RemovedKind;
      /** A page's title, a section's heading, or the text. */
      readonly text: string;
      /** The heading that it stood below; empty for none. */
      readonly section: string;
      /** What stands in its place now, if that is something else. */
      readonly replacement?: string;
      /** Of a page: its address, and where a redirect leads from it now. */
      readonly address?: string;
      readonly destination?: string;
      /** Of a section: how many other things went with it, which have no rows of their own. */
      readonly others?: number;
    }
  /** A page lost a fifth of its words or more, though nothing larger went. */
  | { readonly kind: 'shrunk'; readonly wordsBefore: number; readonly wordsAfter: number };

/** Of rule `fact-changed`: an existing sentence, list item or cell says something else now. */
export interface FactChanged {
  readonly kind: 'fact-changed';
  readonly what: 'number' | 'negation' | 'obligation' | 'link';
  /** The two sentences; of a link, the two targets. */
  readonly before: string;
  readonly after: string;
}

/** Of rule `sample-changed`. */
export interface SampleChanged {
  readonly kind: 'sample-changed';
  /** The word after the fence; empty for none. */
  readonly language: string;
  /** The lines that changed or went, and those that stand there now. */
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** Of rule `api-changed`. */
export interface ApiChanged {
  readonly kind: 'api-changed';
  /** Such as `GET /users/{id}`, or empty for the API as a whole and for fields on pages. */
  readonly operation: string;
  /** Such as `parameter`, `field`, `status`, `operation`, `server`, `security`. */
  readonly what: string;
  /** Of the parameter, field or status. */
  readonly name: string;
  /** What about it, such as `type: string`; empty where it was not there, or is gone. */
  readonly before: string;
  readonly after: string;
}

/** Of rule `navigation-changed`. */
export interface NavigationChanged {
  readonly kind: 'navigation-changed';
  /** `first-page`: the page that the site opens with. `group`: something that a group says of itself. */
  readonly what: 'removed' | 'moved' | 'first-page' | 'group';
  /** A page, a link, a group or an endpoint, as the navigation names it. */
  readonly entry: string;
  /** The groups around it, or what stood there; empty where there is none. */
  readonly before: string;
  readonly after: string;
}

/** Of rule `settings-changed`. */
export type SettingsChanged =
  | {
      readonly kind: 'setting-changed';
      /** Such as `colors`, or `title` of the front matter. */
      readonly key: string;
      /** Compact JSON; empty where it was not there, or is gone. */
      readonly before: string;
      readonly after: string;
    }
  | {
      readonly kind: 'redirect';
      readonly source: string;
      readonly destination: string;
      /** `from-file`: from a file that the site serves. `not-moved`: no page of this change moved there. */
      readonly problem: 'from-root' | 'from-file' | 'to-other-host' | 'not-moved' | 'changed';
    };

/** Of rule `not-plain`: on no list of what is harmless. */
export interface NotPlain {
  readonly kind: 'not-plain';
  readonly what: NotPlainKind;
  /** Such as the name of an attribute, a host, or the text of a comment. */
  readonly text: string;
  /** What stood there before, where that can be told. */
  readonly before?: string;
}

export type NotPlainKind =
  | 'file'
  | 'file-mode'
  | 'front-matter'
  | 'component'
  | 'attribute'
  | 'element'
  | 'expression'
  | 'import'
  | 'link'
  | 'host'
  | 'sample'
  | 'diagram'
  | 'comment'
  | 'link-title'
  | 'alt-text'
  | 'invisible-character'
  | 'hidden-page'
  | 'navigation-entry'
  | 'api-text'
  | 'page-not-in-navigation';
