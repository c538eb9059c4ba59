import { counted, listed } from '../../text/plain.ts';
import type { Change, ChangedFile } from '../change.ts';
import { kindOf } from '../docs/kinds.ts';
import { sourceOf } from '../docs/translations.ts';
import type { Finding } from '../old-finding.ts';

/** More than one person reads with care in one go. */
const mostPages = 30;
const mostLines = 2000;

/** Translations are counted with their source: of a page in four languages, the longest change counts. */
export function largeChange(change: Change): readonly Finding[] {
  const lines = new Map<string, number>();
  for (const file of change.files.filter((one) => isText(change, one))) {
    const source = sourceOf(file.path, file.status === 'deleted' ? change.before : change.after);
    lines.set(source, Math.max(lines.get(source) ?? 0, file.additions + file.deletions));
  }
  const total = [...lines.values()].reduce((sum, count) => sum + count, 0);
  const limits = [
    ...(lines.size > mostPages ? [`${counted(lines.size, 'page')} (more than ${mostPages})`] : []),
    ...(total > mostLines ? [`${counted(total, 'line')} (more than ${mostLines})`] : []),
  ];
  return limits.length === 0
    ? []
    : [{ rule: 'large-change', file: '', what: `the pull request changes ${listed(limits)}` }];
}

function isText({ before, after }: Change, { path, status }: ChangedFile): boolean {
  const kind = kindOf(path, (status === 'deleted' ? before : after).site);
  return kind === 'page' || kind === 'snippet';
}
