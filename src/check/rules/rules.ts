import type { Change } from '../change.ts';
import {
  defaultSeverities,
  type Finding,
  type RuleFinding,
  type RuleName,
  type RuleSettings,
  type Versions,
} from '../finding.ts';
import { type Sentence, say } from '../sentence.ts';
import { deadAddress } from './addresses.ts';
import { apiChanged } from './api.ts';
import { brokenLink } from './broken-links.ts';
import { factChanged, sampleChanged } from './facts.ts';
import { navigationChanged, settingsChanged } from './navigation.ts';
import { notPlain } from './not-plain.ts';
import { notJudged, notValid } from './not-valid.ts';
import { sourceOf } from './page-changes.ts';
import { removed } from './removed.ts';

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
  return foldLines(findings).toSorted(inOrder);
}

/** Nobody reads more sentences in a row of the report. */
const maxSentences = 10;

/**
 * Makes one finding of all those in the same lines, what blocks first. Why the line is not plain comes last, and says
 * nothing more of what blocks.
 */
function foldLines(findings: readonly Finding[]): readonly Finding[] {
  const weightOf = ({ severity, rule }: Finding) =>
    severity === 'block' ? 0 : rule === 'not-plain' ? 2 : 1;
  const lines = Map.groupBy(findings, ({ places, ...event }) =>
    JSON.stringify(places[0].line === undefined ? [places, event] : places),
  );
  return [...lines.values()].flatMap((group) => {
    const [first, ...rest] = group.toSorted((one, other) => weightOf(one) - weightOf(other));
    if (first === undefined) {
      return [];
    }
    const said = [first, ...rest].filter(
      ({ rule }) => first.severity !== 'block' || rule !== 'not-plain' || rule === first.rule,
    );
    // Of five list items that are gone, the texts stand beside one sentence.
    const sentences = [...new Map(said.map(({ what }) => [JSON.stringify(what), what])).values()];
    const left = sentences.length - maxSentences;
    const more = left > 0 ? say` Further findings in the same place: ${left}.` : [];
    const what = sentences.slice(0, maxSentences).flatMap((one) => [' ', ...one]);
    const versions = { before: linesOf(group, 'before'), after: linesOf(group, 'after') };
    return { ...first, ...versions, what: [...what.slice(1), ...more] };
  });
}

/** The texts of one version of several findings, each once. */
function linesOf(findings: readonly Finding[], version: keyof Versions): string | undefined {
  const texts = new Set(findings.flatMap((finding) => finding[version] ?? []));
  return texts.size === 0 ? undefined : [...texts].filter((text) => text !== '').join('\n');
}

/** Makes one finding of what happened to a page and its translations, and of the same event in several files. */
function foldEvents(findings: readonly RuleFinding[], change: Change): readonly RuleFinding[] {
  const rankOf = ({ places: [{ file }] }: RuleFinding) =>
    Number(sourceOfFile(file, change) !== file);
  const sourcesFirst = findings.toSorted((one, other) => rankOf(one) - rankOf(other));
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

/** Addresses that died first, since they are why links break; then by file, in the order of the rules. */
function inOrder(one: Finding, other: Finding): number {
  const keyOf = ({ rule, places: [{ file }] }: Finding) =>
    `${Number(rule !== 'dead-address')}${file}`;
  return Number(keyOf(one) > keyOf(other)) - Number(keyOf(one) < keyOf(other));
}
