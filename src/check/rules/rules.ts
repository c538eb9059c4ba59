import type { Change } from '../change.ts';
import { isKnown } from '../docs/site.ts';
import { sourceOf } from '../docs/translations.ts';
import {
  defaultSeverities,
  type Finding,
  type Place,
  type RuleFinding,
  type RuleName,
  type RuleSettings,
} from '../finding.ts';
import type { Sentence } from '../sentence.ts';
import { deadAddress } from './addresses.ts';
import { apiChanged } from './api.ts';
import { brokenLink } from './broken-links.ts';
import { factChanged, sampleChanged } from './facts.ts';
import { navigationChanged } from './navigation.ts';
import { notPlain } from './not-plain.ts';
import { notJudged, notValid } from './not-valid.ts';
import { removed } from './removed.ts';
import { settingsChanged } from './settings.ts';

/** Finds what one rule is about. It asks nobody, and what stood there before the change is not judged again. */
type Find = (change: Change) => readonly RuleFinding[];

/** All rules. A finding can be one of another rule, if only that search could tell. */
const rules = {
  'not-valid': notValid,
  'dead-address': deadAddress,
  'broken-link': brokenLink,
  removed,
  'fact-changed': factChanged,
  'sample-changed': sampleChanged,
  'api-changed': apiChanged,
  'navigation-changed': navigationChanged,
  'settings-changed': settingsChanged,
  'not-plain': notPlain,
  'not-judged': notJudged,
} as const satisfies Record<RuleName, Find>;

/** Judges a change by all rules that are not off: one finding for each event. */
export function judgeChange(change: Change, settings: RuleSettings): readonly Finding[] {
  const found = Object.values(rules).flatMap((find) => find(change));
  const findings = foldEvents(found, change).flatMap((finding): readonly Finding[] => {
    const severity = settings.get(finding.rule) ?? defaultSeverities[finding.rule];
    return severity === 'off' ? [] : [{ ...finding, severity }];
  });
  return withoutRepeats(findings, change).toSorted(inOrder);
}

/**
 * Leaves out what is the same event as a finding that blocks: it is about the same words at the same place,
 * or about settings that nobody can read any more. The verdict stays, because what blocks stays.
 */
function withoutRepeats(findings: readonly Finding[], { after }: Change): readonly Finding[] {
  const blocking = findings.filter(({ severity }) => severity === 'block');
  const words = new Set(
    blocking.flatMap(({ places, ...finding }) =>
      places.flatMap((place) => wordsAt(place, finding)),
    ),
  );
  const isUnreadable = !isKnown(after) && blocking.some(({ rule }) => rule === 'not-valid');
  const isRepeat = ({ rule, places, ...finding }: Finding) =>
    (isUnreadable && (rule === 'navigation-changed' || rule === 'settings-changed')) ||
    places.every((place) => wordsAt(place, finding).some((word) => words.has(word)));
  return findings.filter((finding) => finding.severity === 'block' || !isRepeat(finding));
}

/** The texts of the pull request that a finding names, each with its place. */
function wordsAt(
  { file, line }: Place,
  { what, after }: Pick<Finding, 'what' | 'after'>,
): readonly string[] {
  const quotes = what.flatMap((part) => (typeof part === 'string' ? [] : [part.quote]));
  return [...quotes, ...(after ? [after] : [])].map((text) => `${file}:${line} ${text}`);
}

/** Makes one finding of the same event in several files, and of a page and its translations. */
function foldEvents(findings: readonly RuleFinding[], change: Change): readonly RuleFinding[] {
  const sourceFirst = findings.toSorted(
    (one, other) => Number(isSource(other, change)) - Number(isSource(one, change)),
  );
  const counts = new Map<string, number>();
  const events = new Map<string, string>();
  const groups = Map.groupBy(sourceFirst, ({ places: [{ file }], ...finding }) => {
    const { rule, what } = finding;
    const page = JSON.stringify([rule, ownWordsOf(what), sourceOfFile(file, change)]);
    // The second change of a page is the second one of its translation.
    const count = counts.get(`${page} ${file}`) ?? 0;
    counts.set(`${page} ${file}`, count + 1);
    const event = events.get(`${page} ${count}`) ?? JSON.stringify(finding);
    events.set(`${page} ${count}`, event);
    return event;
  });
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    const [place, ...others] = distinct(group.flatMap(({ places }) => places));
    return first === undefined || place === undefined
      ? []
      : [{ ...first, places: [place, ...others] }];
  });
}

function distinct(places: readonly Place[]): readonly Place[] {
  return [...new Map(places.map((place) => [`${place.file}:${place.line}`, place])).values()];
}

/** What a sentence says of any page: without texts of the pull request, and without counts. */
function ownWordsOf(sentence: Sentence): string {
  const words = sentence.filter((part) => typeof part === 'string');
  return words.join(' ').replace(/\p{N}+/gu, '');
}

function isSource({ places: [{ file }] }: RuleFinding, change: Change): boolean {
  return sourceOfFile(file, change) === file;
}

/** The page that a page is, or was, a translation of; the page itself if it is none. */
function sourceOfFile(file: string, { before, after }: Change): string {
  const now = sourceOf(file, after);
  return now === file ? sourceOf(file, before) : now;
}

function inOrder(one: Finding, other: Finding): number {
  const [first, second] = [one.places[0], other.places[0]];
  return (
    compare(first.file, second.file) ||
    (first.line ?? 0) - (second.line ?? 0) ||
    compare(JSON.stringify(one), JSON.stringify(other))
  );
}

function compare(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}
