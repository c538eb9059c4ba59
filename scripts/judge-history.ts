import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { findDocsRoot, listChanges } from './history/changes.ts';
import { describeRows, type Row } from './history/figures.ts';
import { judgePulls } from './history/judge-pulls.ts';

const usage = `npm run judge:history -- CLONE… [--last N] [--until DATE] [--docs-root FOLDER] [--json FILE]

Judges real pull requests with the rules of the check, through a local stand-in for GitHub: of each
clone (a checkout or a bare repository) the newest N (40) changes of the default branch that touch a page
and nothing outside of the docs. Nothing in the clones is changed.

--until    leaves out what was committed later, so that the same changes are judged again
--json     writes each verdict with its findings`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    last: { type: 'string', default: '40' },
    until: { type: 'string', default: 'now' },
    'docs-root': { type: 'string' },
    json: { type: 'string' },
  },
});

async function judgeClone(folder: string): Promise<readonly Row[]> {
  const root = values['docs-root'] ?? (await findDocsRoot(folder));
  const all = await listChanges(folder, root, values.until);
  const pulls = all
    .slice(0, Number(values.last))
    .map((change) => ({ ...change, head: change.sha }));
  const rows: Row[] = [];
  await judgePulls(pulls, { folder, root }, ({ head, ...change }, judged) => {
    rows.push({ folder, root, change, judged });
    const took = `${(judged.tookMs / 1000).toFixed(1)} s`;
    const rules = [...new Set(judged.findings.map(({ rule }) => rule))].join(', ');
    const verdict = `${judged.verdict || judged.message} ${rules && `(${rules})`}`.trim();
    console.error(`${head.slice(0, 10)} ${verdict}, ${took}: ${change.subject}`);
  });
  return rows.toSorted((a, b) => b.change.committedMs - a.change.committedMs);
}

if (positionals.length === 0) {
  console.error(usage);
  process.exitCode = 1;
} else {
  const rows: Row[] = [];
  for (const folder of positionals) {
    rows.push(...(await judgeClone(resolve(folder))));
  }
  console.log(describeRows(rows));
  if (values.json !== undefined) {
    writeFileSync(values.json, `${JSON.stringify(rows, null, 1)}\n`);
  }
}
