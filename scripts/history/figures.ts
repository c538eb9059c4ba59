import { basename } from 'node:path';
import type { MergedChange } from './changes.ts';
import type { Judged } from './judge-pulls.ts';

/** A change, and what the check made of it. */
export interface Row {
  /** Of the clone. */
  readonly folder: string;
  readonly root: string;
  readonly change: MergedChange;
  readonly judged: Judged;
}

const verdicts = ['passed', 'review', 'blocked', ''] as const;

/** Such as `blocked (dead-address, broken-link; quickstart.mdx:3: …)`, with the first finding that decided. */
export function describeJudged({ verdict, message, findings }: Judged): string {
  const [first] = findings.toSorted(
    (a, b) => Number(b.severity === 'block') - Number(a.severity === 'block'),
  );
  if (first === undefined) {
    return verdict || message;
  }
  const rules = [...new Set(findings.map(({ rule }) => rule))].join(', ');
  const { file, line, what } = first;
  return `${verdict} (${rules}; ${file}${line === undefined ? '' : `:${line}`}: ${what.replace(/\.$/, '')})`;
}

/** Counts of the verdicts by repository and author, and of the rules behind them, as Markdown. */
export function describeRows(rows: readonly Row[]): string {
  const folders = [...new Set(rows.map(({ folder }) => folder))];
  const groups: readonly (readonly [name: string, rows: readonly Row[]])[] = [
    ...folders.map(
      (folder) => [basename(folder), rows.filter((row) => row.folder === folder)] as const,
    ),
    ['all', rows],
    ...(['person', 'agent', 'bot'] as const).map(
      (kind) => [`by ${kind}s`, rows.filter(({ change }) => change.author === kind)] as const,
    ),
  ];
  return `| changes | number | passed | review | blocked | no verdict |
|---|---|---|---|---|---|
${groups.map(verdictRow).join('\n')}

| rule | changes | it alone decided | findings |
|---|---|---|---|
${ruleRows(rows).join('\n')}
`;
}

function verdictRow([name, rows]: readonly [name: string, rows: readonly Row[]]): string {
  const counts = verdicts.map(
    (verdict) => rows.filter(({ judged }) => judged.verdict === verdict).length,
  );
  const shares = counts.map((count) => share(count, rows.length));
  return `| ${[name, rows.length, ...shares].join(' | ')} |`;
}

/** The only rule whose findings make the verdict what it is. */
function onlyRule({ verdict, findings }: Judged): string | undefined {
  const severity = verdict === 'blocked' ? 'block' : 'review';
  const rules = new Set(
    findings.filter((finding) => finding.severity === severity).map(({ rule }) => rule),
  );
  return rules.size === 1 ? [...rules][0] : undefined;
}

function ruleRows(rows: readonly Row[]): readonly string[] {
  const all = rows.flatMap(({ judged }) => judged.findings.map(({ rule }) => rule));
  return [...new Set(all)]
    .map((name) => {
      const found = rows.filter(({ judged }) => judged.findings.some(({ rule }) => rule === name));
      const alone = found.filter(({ judged }) => onlyRule(judged) === name);
      return { name, changes: found.length, alone: alone.length };
    })
    .toSorted((a, b) => b.changes - a.changes)
    .map(({ name, changes, alone }) => {
      const findings = all.filter((rule) => rule === name).length;
      return `| \`${name}\` | ${share(changes, rows.length)} | ${alone} | ${findings} |`;
    });
}

/** Such as `3 (12 %)`. */
export function share(part: number, whole: number): string {
  return whole === 0 ? '0' : `${part} (${Math.round((part / whole) * 100)} %)`;
}
