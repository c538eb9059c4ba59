import type { MergedChange } from './changes.ts';
import type { Judged } from './judge-changes.ts';
import type { Reverted } from './reverted.ts';

/** A change, what the check made of it, and what became of it. */
export interface Row {
  readonly change: MergedChange;
  readonly judged: Judged;
  readonly reverted: Reverted | undefined;
}

/** Counts of the verdicts, and the rules behind them, as text for people. */
export function describeRows(rows: readonly Row[]): string {
  const sections = [
    ['Verdicts', verdictTable(rows)],
    ['Rules: changes (only reason of the verdict), findings', ruleTable(rows)],
    ['Blocked', listOf(rows, 'blocked')],
    ['Without a verdict', rows.filter(({ judged }) => judged.verdict === '').map(line)],
    ['Reverted later', rows.filter(({ reverted }) => reverted !== undefined).map(line)],
  ] as const;
  return sections
    .map(([title, lines]) => `${title}\n${lines.map((each) => `  ${each}`).join('\n')}\n`)
    .join('\n');
}

const verdicts = ['routine', 'review', 'blocked', ''] as const;

function verdictTable(rows: readonly Row[]): readonly string[] {
  const groups: readonly (readonly [name: string, rows: readonly Row[]])[] = [
    ['all', rows],
    ['files of the docs only', rows.filter(({ change }) => change.isDocsOnly)],
    ['by people', rows.filter(({ change }) => change.author === 'person')],
    ['by bots', rows.filter(({ change }) => change.author === 'bot')],
    ['with an agent', rows.filter(({ change }) => change.author === 'agent')],
    ['not reverted', rows.filter(({ reverted }) => reverted === undefined)],
    ['reverted, by its own words', rows.filter(({ reverted }) => reverted === 'said')],
    ['reverted, all files', rows.filter(({ reverted }) => reverted === 'restored')],
    ['reverted, some files', rows.filter(({ reverted }) => reverted === 'partly-restored')],
    ['objects missing here', rows.filter(({ judged }) => judged.missing > 0)],
  ];
  return groups.map(([name, group]) => {
    const counts = verdicts.map((verdict) => {
      const count = group.filter(({ judged }) => judged.verdict === verdict).length;
      return `${verdict || 'none'} ${count} (${percent(count, group.length)})`;
    });
    return `${name}: ${group.length} changes · ${counts.join(' · ')}`;
  });
}

function ruleTable(rows: readonly Row[]): readonly string[] {
  const counts = new Map<string, { changes: number; alone: number; findings: number }>();
  for (const { judged } of rows) {
    const deciding = judged.verdict === 'blocked' ? 'block' : 'review';
    const deciders = new Set(
      judged.findings.filter(({ severity }) => severity === deciding).map(({ rule }) => rule),
    );
    for (const rule of new Set(judged.findings.map((finding) => finding.rule))) {
      const count = counts.get(rule) ?? { changes: 0, alone: 0, findings: 0 };
      counts.set(rule, count);
      count.changes += 1;
      count.alone += deciders.size === 1 && deciders.has(rule) ? 1 : 0;
      count.findings += judged.findings.filter((finding) => finding.rule === rule).length;
    }
  }
  return [...counts]
    .sort(([, a], [, b]) => b.changes - a.changes)
    .map(
      ([rule, { changes, alone, findings }]) =>
        `${rule}: ${changes} = ${percent(changes, rows.length)} (${alone}), ${findings}`,
    );
}

function listOf(rows: readonly Row[], verdict: string): readonly string[] {
  return rows
    .filter(({ judged }) => judged.verdict === verdict)
    .flatMap((row) => [line(row), ...reasons(row)]);
}

function line({ change, judged, reverted }: Row): string {
  const date = new Date(change.committedMs).toISOString().slice(0, 10);
  const end = judged.verdict === '' ? `: ${judged.message}` : '';
  const notes = [
    change.author,
    `${change.files.length} files`,
    ...(change.isDocsOnly ? [] : ['and others']),
    ...(reverted === undefined ? [] : [`reverted: ${reverted}`]),
  ];
  return `${judged.verdict || judged.result} ${change.sha.slice(0, 10)} ${date} [${notes.join(', ')}] ${change.subject}${end}`;
}

const mostReasons = 4;

function reasons({ judged }: Row): readonly string[] {
  const blocking = judged.findings.filter(({ severity }) => severity === 'block');
  const shown = blocking
    .slice(0, mostReasons)
    .map(({ rule, file, line: at, what }) => `    ${rule} ${file}${at ? `:${at}` : ''} ${what}`);
  const rest = blocking.length - shown.length;
  return rest === 0 ? shown : [...shown, `    and ${rest} more`];
}

function percent(part: number, whole: number): string {
  return whole === 0 ? '–' : `${((part / whole) * 100).toFixed(1)}%`;
}
