import { counted, listed, oneLine } from '../text/plain.ts';
import { maxQuoteLength, plainOf, type Sentence, say } from './sentence.ts';

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

/** What input `rules` makes of the rules it names; the others keep their `defaultSeverities`. */
export type RuleSettings = ReadonlyMap<RuleName, Severity | 'off'>;

/** `passed` says that no rule found anything, never that the text is right. */
export type Verdict = 'blocked' | 'review' | 'passed';

/** Where something happened. */
export interface Place {
  /**
   * Path in the repository, as it is after the change; of a deleted file, as it was. Empty for the pull
   * request as a whole.
   */
  readonly file: string;
  /** In the file as it is after the change, from 1; `undefined` where there is no such line. */
  readonly line?: number | undefined;
}

/** Two versions of a text, of one or several lines; left out where there was none, or the sentence says it. */
export interface Versions {
  readonly before?: string | undefined;
  /** Empty if what stood there is gone. */
  readonly after?: string | undefined;
}

/** A finding before input `rules` has given it a severity: one event, which is one row of the report. */
export interface RuleFinding extends Versions {
  readonly rule: RuleName;
  /** What happened, with what to do where that is not plain from it. */
  readonly what: Sentence;
  /**
   * The places of this one event: the same in several files, or in a page (which comes first) and its
   * translations. All texts are those of the first place.
   */
  readonly places: readonly [Place, ...(readonly Place[])];
}

/** A finding as the reports show it. */
export interface Finding extends RuleFinding {
  readonly severity: Severity;
}

/** A change in a few languages is shown with all of its places. */
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

/** For where the place of the finding is shown beside its sentence. */
export function sentenceWithoutPlace({ what, before, after, places }: Finding): string {
  const [, ...others] = places;
  const shown = others.slice(0, maxPlaces).map(placeText);
  const rest = others.length - shown.length;
  const more = rest === 0 ? [] : [counted(rest, 'more place')];
  const parts = [
    plainOf(what),
    before && `Before: "${oneLine(before, maxQuoteLength)}".`,
    after && `Now: "${oneLine(after, maxQuoteLength)}".`,
    shown.length > 0 && `The same is in ${listed([...shown, ...more])}.`,
  ];
  return parts.filter(Boolean).join(' ');
}

function placeText({ file, line }: Place): string {
  const path = plainOf(say`${file}`);
  return line === undefined ? path : `${path}:${line}`;
}

/** A finding at one place. */
export function found(
  rule: RuleName,
  place: Place,
  what: Sentence,
  versions: Versions = {},
): RuleFinding {
  return { rule, what, ...versions, places: [place] };
}

/**
 * A finding about something that could not be read or compared: it never passes.
 * @param problem a main clause, such as `the file is binary`
 */
export function unjudged(place: Place, problem: Sentence): RuleFinding {
  return found('not-judged', place, say`A part could not be judged: ${problem}.`);
}

/**
 * A finding about something that has a value or none.
 * @param before the value; empty where it was not there
 * @param after the value; empty where it is gone
 */
export function foundValue(
  rule: RuleName,
  place: Place,
  thing: Sentence,
  before: string,
  after: string,
): RuleFinding {
  const versions = { before: before || undefined, after: after || undefined };
  return found(rule, place, say`${thing} ${[fateOf(before, after)]}.`, versions);
}

/** What became of a value that differs, of which the empty one is none. */
function fateOf(before: string, after: string): string {
  return before === '' ? 'is new' : after === '' ? 'is gone' : 'changed';
}
