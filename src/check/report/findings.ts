import { code, textTable } from '../../text/markdown.ts';
import type { Gap, JudgedFinding } from '../finding.ts';
import type { Judgement } from '../judgement.ts';
import { fileLink, type Place } from './links.ts';
import { listSection, type Section } from './section.ts';
import { foldTranslations } from './translations.ts';

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
  return listSection(title, folded, (shown) =>
    textTable(
      header,
      shown.map(({ item, others }) => [
        code(item.rule),
        `${whereOf(item, place)}${translationsWords(others)}`,
        code(item.what, maxTextLength),
        ...(isWithBefore ? [item.was === undefined ? '' : code(item.was, maxTextLength)] : []),
      ]),
    ),
  );
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

/** Such as ` and 3 translations`. */
export function translationsWords(count: number): string {
  if (count === 0) {
    return '';
  }
  return count === 1 ? ' and its translation' : ` and ${count} translations`;
}
