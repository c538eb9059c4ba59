import { resolve } from 'node:path';
import { asksForUsage, parseCommandLine, sentenceOf } from '../sandbox/command-line.ts';
import { findDocsRoot, git, listChanges } from './history/changes.ts';
import { describeJudged, describeRows, type Row } from './history/figures.ts';
import { judgePulls } from './history/judge-pulls.ts';

const usage = `npm run judge:history -- CLONE… [--last N] [--until DATE] [--docs-root FOLDER]

Judges real pull requests with the rules of the check, through a local stand-in for GitHub: of the branch
that is checked out in each clone (in a bare repository, of the default branch) the newest N (40) changes
that touch a page and nothing outside of the docs. Nothing in the clones is changed. For each change, you
see its verdict, the rules behind it, and the first finding; in the end, a table.

--until    leaves out what was committed later, so that the same changes are judged again`;

const options = {
  last: { type: 'string', default: '40' },
  until: { type: 'string', default: 'now' },
  'docs-root': { type: 'string' },
} as const;
type Values = ReturnType<typeof parseCommandLine<typeof options>>['values'];

async function judgeClone(folder: string, values: Values): Promise<readonly Row[]> {
  const root = values['docs-root'] ?? (await findDocsRoot(folder));
  const { changes, leftOut } = await listChanges(folder, root, values.until);
  const pulls = changes.slice(0, Number(values.last));
  const branch = (await git(folder, 'rev-parse', '--abbrev-ref', 'HEAD')).trim();
  console.error(
    `${folder}, branch ${branch}: ${leftOut}. Judging the newest ${pulls.length} of the rest.`,
  );
  const rows: Row[] = [];
  await judgePulls(pulls, { folder, root }, ({ head, subject }, judged) => {
    rows.push({ folder, ...judged });
    const took = `${(judged.tookMs / 1000).toFixed(1)} s`;
    console.error(`${head.slice(0, 10)} ${describeJudged(judged)}, ${took}: ${subject}`);
  });
  return rows;
}

async function main(args: readonly string[]): Promise<void> {
  if (asksForUsage(args)) {
    console.log(usage);
    return;
  }
  const { values, positionals } = parseCommandLine(args, options);
  if (!/^[1-9]\d*$/.test(values.last)) {
    throw new Error(`--last is "${values.last}": give a number of changes, such as 40`);
  }
  const rows: Row[] = [];
  for (const folder of positionals) {
    rows.push(...(await judgeClone(resolve(folder), values)));
  }
  console.log(describeRows(rows));
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  console.error(`Not judged: ${sentenceOf(error)}`);
  process.exitCode = 1;
}
