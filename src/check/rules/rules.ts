import type { Change } from '../change.ts';
import {
  defaultSeverities,
  type Finding,
  type RuleFinding,
  type RuleName,
  type RuleSettings,
} from '../finding.ts';
import type { Sentence } from '../sentence.ts';
import { deadAddress } from './addresses.ts';
import { apiChanged } from './api.ts';
import { brokenLink } from './broken-links.ts';
import { gone } from './gone.ts';
import { accessChanged, navigationChanged, settingsChanged } from './navigation.ts';
import { notJudged, notValid } from './not-valid.ts';
import { otherFile } from './other-file.ts';
import { canCompareSettings, sourceOfFile } from './page-changes.ts';
import { unseen } from './unseen.ts';

/**
 * What each rule finds, from the change alone: what stood there before is not judged again. A search that comes across
 * what another rule is about returns a finding of that rule.
 */
const rules = {
  'not-valid': notValid,
  'dead-address': deadAddress,
  'broken-link': brokenLink,
  gone,
  'navigation-changed': navigationChanged,
  'access-changed': accessChanged,
  'settings-changed': settingsChanged,
  'api-changed': apiChanged,
  unseen,
  'other-file': otherFile,
  'not-judged': notJudged,
} as const satisfies Record<RuleName, (change: Change) => readonly RuleFinding[]>;

/** Rules that compare the settings, or ask them where an address leads. */
const rulesOnSettings: readonly string[] = [
  'dead-address',
  'broken-link',
  'navigation-changed',
  'settings-changed',
] satisfies readonly RuleName[];

/** Judges a change by all rules that are not off: one finding for each event. */
export function judgeChange(change: Change, settings: RuleSettings): readonly Finding[] {
  const hasSettings = canCompareSettings(change);
  const found = Object.entries(rules).flatMap(([name, find]) =>
    hasSettings || !rulesOnSettings.includes(name) ? find(change) : [],
  );
  return foldEvents(found, change)
    .flatMap((finding): readonly Finding[] => {
      const severity = settings.get(finding.rule) ?? defaultSeverities[finding.rule];
      return severity === 'off' ? [] : [{ ...finding, severity }];
    })
    .toSorted(inOrder);
}

/** Merges findings about a page and its translations, and findings about the same event in several files. */
function foldEvents(findings: readonly RuleFinding[], change: Change): readonly RuleFinding[] {
  const rankOf = ({ places: [{ file }] }: RuleFinding) =>
    Number(sourceOfFile(file, change) !== file);
  const sourcesFirst = findings.toSorted((one, other) => rankOf(one) - rankOf(other));
  const counts = new Map<string, number>();
  const ofPages = foldBy(sourcesFirst, ({ rule, what, event = ownWordsOf(what), places }) => {
    const [{ file }] = places;
    const key = JSON.stringify([rule, event, sourceOfFile(file, change)]);
    // Equal findings in a file are numbered, so that the second one joins the second one of the translation.
    const count = counts.get(`${key} ${file}`) ?? 0;
    counts.set(`${key} ${file}`, count + 1);
    return `${key} ${count}`;
  });
  return foldBy(ofPages, ({ places, ...others }) => JSON.stringify(others));
}

/** Merges findings with the same key: the first one stays, with the places of all. */
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

/** A sentence without the texts of the pull request and without counts, so that it is equal for any page. */
function ownWordsOf(sentence: Sentence): string {
  const words = sentence.filter((part) => typeof part === 'string');
  return words.join(' ').replace(/\p{N}+/gu, '');
}

/**
 * Findings that block come first, and among them dead addresses, because links break for them. The others are
 * sorted by file, then by rule.
 */
function inOrder(one: Finding, other: Finding): number {
  const keyOf = ({ severity, rule, places: [{ file }] }: Finding) =>
    `${Number(severity !== 'block')}${Number(rule !== 'dead-address')}${file}`;
  return Number(keyOf(one) > keyOf(other)) - Number(keyOf(one) < keyOf(other));
}
