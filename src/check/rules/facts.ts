import type { Change, DocsVersion } from '../change.ts';
import { finalEnd, type LinkEnd } from '../docs/link-end.ts';
import { linksOf } from '../docs/links.ts';
import type { Block } from '../docs/page.ts';
import type { FactChanged, RuleFinding } from '../finding.ts';
import { keptPart, newItems, wordsOf } from './match.ts';
import { type PageChange, pageChangesOf, pathBefore } from './page-changes.ts';

/** A sentence that kept so much of another one's words says the same thing, or its opposite. */
const leastKept = 0.5;

/** Existing sentences that say something else now: another number, the opposite, no duty, another link. */
export function factChanged(change: Change): readonly RuleFinding[] {
  return pageChangesOf(change).flatMap((page) => {
    const { match, file } = page;
    const newText = textBySection(match?.added ?? []);
    return [...(match?.pairs ?? [])]
      .filter(([{ kind }]) => kind === 'paragraph' || kind === 'list-item' || kind === 'row')
      .flatMap(([old, now]) =>
        [
          ...changedSentences(old, now, newText.get(now.section) ?? ''),
          ...changedTargets(old, now, page, change),
        ].map((event) => ({
          rule: 'fact-changed' as const,
          places: [{ file: file.path, line: now.line }] as const,
          event,
        })),
      );
  });
}

function textBySection(added: readonly Block[]): ReadonlyMap<Block | undefined, string> {
  const groups = Map.groupBy(added, ({ section }) => section);
  return new Map(
    [...groups].map(([section, blocks]) => [section, blocks.map(({ text }) => text).join('\n')]),
  );
}

function changedSentences(old: Block, now: Block, elsewhere: string): readonly FactChanged[] {
  if (old.text === now.text) {
    return [];
  }
  const [before, after] = [sentencesOf(old.text), sentencesOf(now.text)];
  const gone = newItems(after, before, (sentence) => sentence);
  const added = newItems(before, after, (sentence) => sentence);
  return gone.flatMap((sentence) => {
    const successor = successorOf(sentence, added);
    const rest = successor ?? `${added.join(' ')} ${elsewhere}`;
    const what = factIn(sentence, rest, successor !== undefined);
    return what === undefined
      ? []
      : [{ kind: 'fact-changed', what, before: sentence, after: successor ?? '' }];
  });
}

/** A row of a table is one sentence, and so is a line of its own. */
function sentencesOf(text: string): readonly string[] {
  return text
    .split(/(?<=[.!?。！？])\s+(?=[\p{Lu}\p{Lo}`"'(])|(?<=[。！？])/u)
    .filter((one) => one !== '');
}

function successorOf(sentence: string, added: readonly string[]): string | undefined {
  const words = wordsOf(sentence);
  const [best] = added
    .slice(0, 50)
    .map((other) => ({ other, kept: keptPart(words, other) }))
    .toSorted((one, two) => two.kept - one.kept);
  return best !== undefined && best.kept >= leastKept ? best.other : undefined;
}

function factIn(before: string, after: string, isSame: boolean): FactChanged['what'] | undefined {
  const lost = (pattern: RegExp) =>
    newItems(partsOf(after, pattern), partsOf(before, pattern), String).length > 0;
  const differs = (pattern: RegExp) =>
    lost(pattern) || (isSame && partsOf(after, pattern).length !== partsOf(before, pattern).length);
  if (lost(numbers)) {
    return 'number';
  }
  if (differs(negations)) {
    return 'negation';
  }
  return differs(obligations) ? 'obligation' : undefined;
}

function partsOf(text: string, pattern: RegExp): readonly string[] {
  return (text.toLowerCase().match(pattern) ?? []).map(classOf);
}

/** Words that say the same count as one. */
function classOf(word: string): string {
  if (/^\p{N}/u.test(word)) {
    return word.replace(/[.,:]$/u, '').replaceAll(',', '');
  }
  return /^(?:requir|mandatory)/u.test(word)
    ? 'required'
    : /n['’]t$|^not$|^cannot$/u.test(word)
      ? 'not'
      : word;
}

const numbers = /(?<![\p{L}\p{N}_-])v?\p{N}[\p{N}.,:]*%?/gu;
const negations = /\b(?:not|no|never|none|neither|nor|without|cannot|unable|\w+n['’]t)\b/gu;
const obligations = /\b(?:must|only|required?|requires|mandatory|optional(?:ly)?)\b/gu;

function changedTargets(
  old: Block,
  now: Block,
  { file }: PageChange,
  change: Change,
): readonly FactChanged[] {
  const gone = newItems(now.targets, old.targets, (target) => target);
  const added = newItems(old.targets, now.targets, (target) => target);
  const ends = new Set(added.map((target) => placeOf(target, file.path, change.after)));
  const [first] = added;
  return gone
    .filter((target) => !ends.has(placeNow(target, pathBefore(file), change)))
    .map((before, index) => ({
      kind: 'fact-changed',
      what: 'link',
      before,
      after: added[index] ?? first ?? '',
    }));
}

/** Where an old link leads after the change: where its page moved, and to the page if its heading is gone. */
function placeNow(target: string, from: string, { before, after, files }: Change): string {
  const end = finalEnd(linksOf(before).resolve(target, from));
  if (end.kind !== 'page') {
    return nameOf(end, target);
  }
  const moved = files.find((file) => pathBefore(file) === end.file && file.status === 'renamed');
  const isHeadingGone =
    end.anchor !== undefined &&
    !(after.pages.get(moved?.path ?? end.file)?.anchors.has(end.anchor) ?? true);
  const page = { ...end, file: moved?.path ?? end.file };
  return nameOf(isHeadingGone ? { ...page, anchor: undefined } : page, target);
}

function placeOf(target: string, from: string, version: DocsVersion): string {
  return nameOf(finalEnd(linksOf(version).resolve(target, from)), target);
}

function nameOf(end: LinkEnd, target: string): string {
  switch (end.kind) {
    case 'page':
      return `${end.file}#${end.anchor ?? ''}`;
    case 'file':
      return end.file;
    default:
      return target.replace(/\/$/u, '');
  }
}
