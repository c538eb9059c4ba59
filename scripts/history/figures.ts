import { basename } from 'node:path';
import type { Judged } from './judge-pulls.ts';

/** What the check made of a change of a clone. */
export interface Row extends Judged {
  readonly folder: string;
}

/** Such as `blocked (dead-address, broken-link; quickstart.mdx:3: …)`, with the first finding that decided. */
export function describeJudged({ verdict, message, findings }: Judged): string {
  const first = findings.find(({ severity }) => severity === 'block') ?? findings[0];
  if (first === undefined) {
    return verdict || message;
  }
  const rules = [...new Set(findings.map(({ rule }) => rule))].join(', ');
  const { file, line, what } = first;
  return `${verdict} (${rules}; ${file}${line === undefined ? '' : `:${line}`}: ${what.replace(/\.$/, '')})`;
}

/** Counts of the verdicts by repository, and of the changes in which each rule found something, as Markdown. */
export function describeRows(rows: readonly Row[]): string {
  const folders = [...new Set(rows.map(({ folder }) => folder))];
  const verdictRow = (name: string, of: readonly Row[]) => {
    const counts = (['passed', 'review', 'blocked', ''] as const).map(
      (verdict) => of.filter((row) => row.verdict === verdict).length,
    );
    return `| ${[name, of.length, ...counts].join(' | ')} |`;
  };
  const found = rows.flatMap(({ findings }) => [...new Set(findings.map(({ rule }) => rule))]);
  const ruleRows = [...new Set(found)]
    .map((name) => ({ name, changes: found.filter((rule) => rule === name).length }))
    .toSorted((a, b) => b.changes - a.changes)
    .map(({ name, changes }) => `| \`${name}\` | ${changes} |`);
  const byFolder = folders.map((folder) =>
    verdictRow(
      basename(folder),
      rows.filter((row) => row.folder === folder),
    ),
  );
  return `| changes | number | passed | review | blocked | no verdict |
|---|---|---|---|---|---|
${[...byFolder, verdictRow('all', rows)].join('\n')}

| rule | changes |
|---|---|
${ruleRows.join('\n')}
`;
}
