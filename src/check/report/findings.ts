import { code, link, textTable } from '../../text/markdown.ts';
import { grouped } from '../../text/number.ts';
import { shortened } from '../../text/plain.ts';
import type { Gap, JudgedFinding } from '../old-finding.ts';
import type { Judgement } from '../old-judgement.ts';
import { fileLink, type Place } from './links.ts';
import { listSection, type Section } from './section.ts';
import { type Folded, foldTranslations } from './translations.ts';

/** Longer quotations would push the other columns out of view; the link leads to the rest. */
const maxTextLength = 240;

/** The findings of one severity: rule, place, what is wrong, and what it was. */
export function findingsSection(
  title: string,
  severity: JudgedFinding['severity'],
  judgement: Judgement,
  place: Place,
): Section {
  const findings = judgement.findings.filter((finding) => finding.severity === severity);
  const folded = foldTranslations(
    findings,
    ({ rule, file }) => ({ path: file, group: rule }),
    judgement.change,
  );
  const isWithBefore = findings.some(({ was }) => was !== undefined);
  const header = ['Rule', 'Where', 'What', ...(isWithBefore ? ['Before'] : [])];
  return listSection(title, foldAlike(folded), (shown) =>
    textTable(
      header,
      shown.map(({ item, others, more }) => [
        code(item.rule),
        `${whereOf(item, place)}${translationsWords(others)}${moreWords(more)}`,
        whatOf(item),
        ...(isWithBefore ? [item.was === undefined ? '' : code(item.was, maxTextLength)] : []),
      ]),
    ),
  );
}

/** One deleted section has dozens of findings of one rule, which say no more than the first ones. */
const mostAlike = 3;

/** Keeps the first findings of a rule in a file; the last one of these says how many more there are. */
function foldAlike(
  rows: readonly Folded<JudgedFinding>[],
): readonly (Folded<JudgedFinding> & { readonly more: number })[] {
  const keyOf = ({ item }: Folded<JudgedFinding>) => JSON.stringify([item.rule, item.file]);
  const groups = Map.groupBy(rows, keyOf);
  return rows.flatMap((row) => {
    const group = groups.get(keyOf(row)) ?? [];
    const index = row.item.file === '' ? 0 : group.slice(0, mostAlike).indexOf(row);
    const more = index === mostAlike - 1 ? group.length - mostAlike : 0;
    return index < 0 ? [] : [{ ...row, more }];
  });
}

/** What was not judged, which is never routine. */
export function gapsSection({ gaps }: Judgement, place: Place): Section {
  return listSection('Not judged', gaps, (shown) =>
    shown.map((gap) => gapLine(gap, place)).join('\n'),
  );
}

function gapLine({ file, line, what }: Gap, place: Place): string {
  const where = file === '' ? '' : `${fileLink(file, line, place)}: `;
  return `- ${where}${code(what, maxTextLength)}`;
}

function whereOf({ file, line }: JudgedFinding, place: Place): string {
  return file === '' ? 'the pull request' : fileLink(file, line, place);
}

function moreWords(count: number): string {
  return count === 0 ? '' : `, and ${grouped(count)} more in this file`;
}

function whatOf({ what, link: url }: JudgedFinding): string {
  return url === undefined ? code(what, maxTextLength) : link(shortened(what, maxTextLength), url);
}

/** Such as ` and 3 translations`. */
export function translationsWords(count: number): string {
  if (count === 0) {
    return '';
  }
  return count === 1 ? ' and its translation' : ` and ${count} translations`;
}
