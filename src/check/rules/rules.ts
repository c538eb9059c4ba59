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
import { type Sentence, say } from '../sentence.ts';
import { deadAddress } from './addresses.ts';
import { apiChanged } from './api.ts';
import { brokenLink } from './broken-links.ts';
import { factChanged, sampleChanged } from './facts.ts';
import { maxNear } from './match.ts';
import { navigationChanged } from './navigation.ts';
import { notPlain } from './not-plain.ts';
import { notJudged, notValid } from './not-valid.ts';
import { removed } from './removed.ts';
import { settingsChanged } from './settings.ts';

/** Finds what one rule is about, from the change alone. What stood there before is not judged again. */
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
  return withReasons(withoutRepeats(findings, change)).toSorted(inOrder);
}

/**
 * Leaves out what is the same event as a finding that blocks: it is about the same words at the same place,
 * or about settings that nobody can read any more. The verdict stays, because what blocks stays.
 */
function withoutRepeats(findings: readonly Finding[], { after }: Change): readonly Finding[] {
  const blocking = findings.filter(({ severity }) => severity === 'block');
  const words = new Set(
    blocking.flatMap((finding) => finding.places.flatMap((place) => wordsAt(place, finding))),
  );
  const isUnreadable = !isKnown(after) && blocking.some(({ rule }) => rule === 'not-valid');
  const isRepeat = (finding: Finding) =>
    (isUnreadable && /^(?:navigation|settings)-changed$/u.test(finding.rule)) ||
    finding.places.every((place) => wordsAt(place, finding).some((word) => words.has(word)));
  return findings.filter((finding) => finding.severity === 'block' || !isRepeat(finding));
}

/** The texts of the pull request that a finding names, each with its place. */
function wordsAt({ file, line }: Place, { what, after }: Finding): readonly string[] {
  return [...quotesIn(what), ...(after ? [after] : [])].map((text) => `${file}:${line} ${text}`);
}

function quotesIn(sentence: Sentence): readonly string[] {
  return sentence.flatMap((part) => (typeof part === 'string' ? [] : [part.quote]));
}

/** Makes one finding of a change and of what is not plain about the text that it led to. */
function withReasons(findings: readonly Finding[]): readonly Finding[] {
  const placesOf = ({ places, severity }: Finding) => JSON.stringify([places, severity]);
  const changes = Map.groupBy(
    findings.filter(({ rule, after }) => rule !== 'not-plain' && after),
    placesOf,
  );
  const isAbout = ({ what }: Finding, { after = '' }: Finding) =>
    quotesIn(what).some((quote) => after.includes(quote));
  const changeOf = (finding: Finding) => {
    const near = finding.rule === 'not-plain' ? changes.get(placesOf(finding)) : undefined;
    return near?.slice(0, maxNear).find((change) => isAbout(finding, change)) ?? finding;
  };
  return [...Map.groupBy(findings, changeOf)].map(([change, group]) => ({
    ...change,
    what: group.map(({ what }) => what).reduce((one, other) => say`${one} ${other}`),
  }));
}

/** Makes one finding of what happened to a page and its translations, and of the same event in several files. */
function foldEvents(findings: readonly RuleFinding[], change: Change): readonly RuleFinding[] {
  const isTranslation = ({ places: [{ file }] }: RuleFinding) =>
    Number(sourceOfFile(file, change) !== file);
  const sourcesFirst = findings.toSorted((one, other) => isTranslation(one) - isTranslation(other));
  const counts = new Map<string, number>();
  const ofPages = foldBy(sourcesFirst, ({ rule, what, places: [{ file }] }) => {
    const event = JSON.stringify([rule, ownWordsOf(what), sourceOfFile(file, change)]);
    // The second change of a page is the second one of its translation.
    const count = counts.get(`${event} ${file}`) ?? 0;
    counts.set(`${event} ${file}`, count + 1);
    return `${event} ${count}`;
  });
  return foldBy(ofPages, ({ places, ...event }) => JSON.stringify(event));
}

/** Makes one finding of those with the same key: the first one, with the places of all. */
function foldBy(
  findings: readonly RuleFinding[],
  keyOf: (finding: RuleFinding) => string,
): readonly RuleFinding[] {
  return [...Map.groupBy(findings, keyOf).values()].flatMap((group) => {
    const [first] = group;
    const places = group.flatMap((finding) => finding.places);
    const distinct = new Map(places.map((place) => [`${place.file}:${place.line}`, place]));
    const [place, ...others] = distinct.values();
    return first === undefined || place === undefined
      ? []
      : [{ ...first, places: [place, ...others] }];
  });
}

/** What a sentence says of any page: without texts of the pull request, and without counts. */
function ownWordsOf(sentence: Sentence): string {
  const words = sentence.filter((part) => typeof part === 'string');
  return words.join(' ').replace(/\p{N}+/gu, '');
}

/** The page that a page is, or was, a translation of; the page itself if it is none. */
function sourceOfFile(file: string, { before, after }: Change): string {
  const now = sourceOf(file, after);
  return now === file ? sourceOf(file, before) : now;
}

/** By file and line; at the same place in the order of the rules. */
function inOrder({ places: [one] }: Finding, { places: [other] }: Finding): number {
  const byFile = Number(one.file > other.file) - Number(one.file < other.file);
  return byFile || (one.line ?? 0) - (other.line ?? 0);
}
