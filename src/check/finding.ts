import { counted, listed } from '../text/plain.ts';
import { inQuotes, plainOf, type Sentence, say, unquoted } from './sentence.ts';

/** How serious a finding is: `block` must not be merged as it is, `review` needs a person. */
export type Severity = 'block' | 'review';

/** The rules and their severities, unless input `rules` has others. check/README.md explains each. */
export const defaultSeverities = {
  'not-valid': 'block',
  'dead-address': 'block',
  'broken-link': 'block',
  gone: 'review',
  'navigation-changed': 'review',
  'access-changed': 'review',
  'settings-changed': 'review',
  'api-changed': 'review',
  unseen: 'review',
  'other-file': 'review',
  'not-judged': 'review',
} as const satisfies Record<string, Severity>;

export type RuleName = keyof typeof defaultSeverities;

/** The severities that input `rules` sets, or `off`. All other rules keep their `defaultSeverities`. */
export type RuleSettings = ReadonlyMap<RuleName, Severity | 'off'>;

/** `passed` says that no rule found anything, never that the text is right. */
export type Verdict = 'blocked' | 'review' | 'passed';

/** A place in the repository that a finding is about. */
export interface Place {
  /**
   * Path in the repository after the change. For a deleted file: the path before the change. Empty if the
   * finding is about the pull request as a whole.
   */
  readonly file: string;
  /** The line in the file after the change, from 1; `undefined` if the finding is about no line of it. */
  readonly line?: number | undefined;
}

/** The text before and after the change, in one or several lines. Each is left out if the sentence quotes it. */
export interface Versions {
  readonly before?: string | undefined;
  /** Empty if the change takes the text away. */
  readonly after?: string | undefined;
}

/** What became of a text. */
export function fateOf({ before, after }: Versions): Sentence {
  return unquoted(before === undefined ? 'is new' : after === undefined ? 'is gone' : 'changed');
}

/** One event, which becomes one row of the report. Input `rules` has not given it a severity yet. */
export interface RuleFinding extends Versions {
  readonly rule: RuleName;
  /** What happened, and what to do if that does not follow from it. */
  readonly what: Sentence;
  /**
   * The key by which findings on a page and on its translations are merged. By default, that is the sentence without
   * numbers and quotations.
   */
  readonly event?: string;
  /**
   * All places of the event, if it happened in several files, or in a page and its translations. The page comes
   * before its translations, and the texts of the finding are those of the first place.
   */
  readonly places: readonly [Place, ...(readonly Place[])];
}

/** A finding with the severity that the reports show. */
export interface Finding extends RuleFinding {
  readonly severity: Severity;
}

/** Six places show a change of a site in six languages as a whole. */
export const maxPlaces = 6;

/**
 * Writes a whole finding as one line of plain text: where it is, what happened, both versions, and where
 * the same stands. Texts of the pull request in it are quoted, and still have to be escaped.
 */
export function sentenceOf(finding: Finding): string {
  const [place] = finding.places;
  return place.file === ''
    ? sentenceWithoutPlace(finding)
    : `${placeText(place)}: ${sentenceWithoutPlace(finding)}`;
}

/** The sentence without the first place, which is shown beside it, such as in an annotation. */
export function sentenceWithoutPlace({ what, before, after, places }: Finding): string {
  const [, ...others] = places;
  const shown = others.slice(0, maxPlaces).map(placeText);
  const rest = others.length - shown.length;
  const more = rest === 0 ? [] : [counted(rest, 'more place')];
  const parts = [
    plainOf(what),
    before && `Before: ${inQuotes(before)}.`,
    after && `Now: ${inQuotes(after)}.`,
    shown.length > 0 && `The same is in ${listed([...shown, ...more])}.`,
  ];
  return parts.filter(Boolean).join(' ');
}

function placeText({ file, line }: Place): string {
  const path = plainOf(say`${file}`);
  return line === undefined ? path : `${path}:${line}`;
}

export function found(
  rule: RuleName,
  place: Place,
  what: Sentence,
  versions: Versions = {},
): RuleFinding {
  return { rule, what, ...versions, places: [place] };
}

/**
 * Makes a finding about a part that could not be read or compared, so that it does not pass.
 * @param problem a main clause, such as `the file is binary`
 */
export function unjudged(place: Place, problem: Sentence): RuleFinding {
  return found('not-judged', place, say`A part could not be judged: ${problem}.`);
}
