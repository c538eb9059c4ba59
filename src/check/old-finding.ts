/** How serious a finding is: `block` must not be merged as it is, `review` needs a person. */
export type Severity = 'block' | 'review';

/** The rules and their severities, unless input `rules` has others. check/README.md explains each. */
export const defaultSeverities = {
  'unexpected-file': 'block',
  'code-in-page': 'block',
  'undefined-name': 'review',
  'page-without-redirect': 'block',
  'page-not-in-navigation': 'review',
  'navigation-without-page': 'block',
  'still-used': 'block',
  'navigation-changed': 'review',
  'redirect-to-other-host': 'review',
  'settings-changed': 'block',
  'broken-link': 'block',
  'broken-anchor': 'review',
  'new-domain': 'review',
  'text-lost': 'review',
  'large-change': 'review',
  'sample-changed': 'review',
  'api-changed': 'review',
  'front-matter-changed': 'review',
  'text-for-agents': 'review',
  'reverted-lines': 'review',
  'conflict-marker': 'block',
  'agent-chatter': 'review',
  'provider-key': 'block',
  'failing-check': 'block',
  'base-branch': 'review',
} as const satisfies Record<string, Severity>;

export type RuleName = keyof typeof defaultSeverities;

/** What input `rules` makes of the rules it names; the others keep their `defaultSeverities`. */
export type RuleSettings = ReadonlyMap<RuleName, Severity | 'off'>;

/** What a rule found. The texts come from the pull request: escape them wherever they are shown. */
export interface Finding {
  readonly rule: RuleName;
  /**
   * Path in the repository, as it is after the change; of a deleted file, as it was. Empty for the pull
   * request as a whole.
   */
  readonly file: string;
  /** In the file as it is after the change, from 1; left out where there is no such line. */
  readonly line?: number;
  /** What is wrong now, as a clause such as `links to /guides/setup, which does not exist`. */
  readonly what: string;
  /** https, as URL parsers write it; of the page that says more. */
  readonly link?: string;
  /** What it was before, where that can be shown; as it stood in the file. */
  readonly was?: string;
}

/** A finding with the severity that its rule has in this run. */
export interface JudgedFinding extends Finding {
  readonly severity: Severity;
}

/** A part of the change that could not be judged, so that the verdict is never `routine`. */
export interface Gap {
  /** Path in the repository; empty for the pull request as a whole. */
  readonly file: string;
  /** In the file as it is after the change, from 1; left out where there is no such line. */
  readonly line?: number;
  /** Why not, as a main clause, such as `the page is not valid MDX`. */
  readonly what: string;
}
