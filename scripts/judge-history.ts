import { existsSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { folderStore } from '../sandbox/github/git/folder-store.ts';
import { bundleOf } from './actions.ts';
import { findDocsRoot, listChanges } from './history/changes.ts';
import { describeRows, type Row } from './history/figures.ts';
import { judgeChanges } from './history/judge-changes.ts';
import { findReverted } from './history/reverted.ts';

const usage = `npm run judge:history -- DIR [--last N] [--docs-root FOLDER] [--json FILE]
  [--docs-only] [--reverted-only] [--skip N] [--allowed-paths GLOB] [--entry FILE] [--at-once N]

Judges the last N (100) merged changes of the docs in a git checkout or a bare repository with the check
action in dist, through a local stand-in for GitHub. Nothing in the repository is changed.

--docs-only      leaves out changes with files outside of the docs root
--reverted-only  leaves out those that nobody took back later
--skip           leaves out the newest ones, which nobody had time to take back
--allowed-paths  the input of the same name
--entry          runs another program instead of dist/check/index.js`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    last: { type: 'string', default: '100' },
    skip: { type: 'string', default: '0' },
    'docs-root': { type: 'string' },
    json: { type: 'string' },
    'allowed-paths': { type: 'string', default: '' },
    entry: { type: 'string' },
    'at-once': { type: 'string', default: String(availableParallelism()) },
    'docs-only': { type: 'boolean', default: false },
    'reverted-only': { type: 'boolean', default: false },
  },
});

async function main(folder: string): Promise<void> {
  const { entry = bundleOf('check').entry } = values;
  if (!existsSync(entry)) {
    throw new Error(`There is no ${entry}: build it first.`);
  }
  const root = values['docs-root'] ?? (await findDocsRoot(folder));
  const all = await listChanges(folder, root);
  const reverted = findReverted(all);
  const first = Number(values.skip);
  const changes = all
    .filter(({ isDocsOnly }) => isDocsOnly || !values['docs-only'])
    .filter(({ sha }) => reverted.has(sha) || !values['reverted-only'])
    .slice(first, first + Number(values.last));
  const rows: Row[] = [];
  const store = folderStore(folder);
  await judgeChanges(changes, {
    store,
    root,
    entry,
    allowedPaths: values['allowed-paths'],
    atOnce: Number(values['at-once']),
    onJudged(change, judged) {
      rows.push({ change, judged, reverted: reverted.get(change.sha) });
      const seconds = (judged.tookMs / 1000).toFixed(1);
      console.error(
        `${rows.length}/${changes.length} ${judged.verdict || judged.result} ${change.sha.slice(0, 10)} ${seconds} s, ${judged.requests} requests`,
      );
    },
  });
  await store.close();
  rows.sort((a, b) => b.change.committedMs - a.change.committedMs);
  console.log(describeRows(rows));
  if (values.json !== undefined) {
    writeFileSync(values.json, `${JSON.stringify(rows, null, 1)}\n`);
  }
}

const [folder] = positionals;
if (folder === undefined) {
  console.error(usage);
  process.exitCode = 1;
} else {
  await main(folder);
}
