import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, posix } from 'node:path';
import { parseArgs } from 'node:util';
import * as v from 'valibot';
import { git } from './history/changes.ts';
import { share } from './history/figures.ts';
import { type Judged, judgePulls } from './history/judge-pulls.ts';
import {
  apiSchema,
  type Docs,
  type Edit,
  type Edits,
  mistakes,
  settingsSchema,
} from './history/mistakes.ts';

const usage = `npm run judge:mistakes -- FILE… [--each N] [--only WORDS] [--json FILE]

Puts one typical mistake at a time into real pull requests that the check calls routine, and counts how
many it notices (not routine) and blocks. FILE is what judge:history --json wrote.

--each  how many pull requests get each mistake, spread over the repositories (12)
--only  only the mistakes whose name has these words`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    each: { type: 'string', default: '12' },
    only: { type: 'string', default: '' },
    json: { type: 'string' },
  },
});

const rowsSchema = v.array(
  v.object({
    folder: v.string(),
    root: v.string(),
    change: v.object({ sha: v.string(), base: v.string(), files: v.array(v.string()) }),
    judged: v.object({ verdict: v.string() }),
  }),
);

type Row = v.InferOutput<typeof rowsSchema>[number];

interface Trial {
  readonly row: Row;
  readonly name: string;
  readonly edits: { readonly base?: Edits; readonly head: Edits };
}

/** `undefined` of a change that edited no page, or whose docs.json is not plain JSON. */
async function readDocs({ folder, root, change }: Row): Promise<Docs | undefined> {
  const { sha, base } = change;
  const paths = (await git(folder, 'ls-tree', '-r', '--name-only', '-z', sha)).split('\0');
  const below = paths.filter((path) => root === '.' || path.startsWith(`${root}/`));
  const pages = below.filter((path) => /\.mdx?$/.test(path) && !path.includes('snippets/'));
  const read = (at: string, path = '') => git(folder, 'show', `${at}:${path}`).catch(() => '');
  const edited = await Promise.all(
    change.files
      .filter((path) => pages.includes(path))
      .map(async (path) => ({
        path,
        before: await read(base, path),
        after: await read(sha, path),
      })),
  );
  // A long page has a place for most mistakes.
  const [page] = edited
    .filter(({ before }) => before !== '')
    .toSorted((a, b) => b.after.length - a.after.length);
  const settingsPath = below.find((path) =>
    /^(?:docs|mint)\.json$/.test(posix.relative(root, path)),
  );
  const settings = parseJson(settingsSchema, await read(sha, settingsPath));
  if (page === undefined || settings === undefined || settingsPath === undefined) {
    return undefined;
  }
  const apiPath = below.find((path) => /openapi[^/]*\.json$/.test(path)) ?? '';
  const content = parseJson(apiSchema, await read(sha, apiPath));
  const addressOf = (path: string) => posix.relative(root, path).replace(/\.mdx?$/, '');
  const inNavigation = JSON.stringify(settings);
  return {
    ...page,
    settingsPath,
    settings,
    address: addressOf(page.path),
    others: pages
      .filter((path) => path !== page.path)
      .map(addressOf)
      .filter((address) => inNavigation.includes(JSON.stringify(address))),
    api: content && { path: apiPath, content },
  };
}

function parseJson<T>(schema: v.GenericSchema<unknown, T>, text: string): T | undefined {
  try {
    return v.parse(schema, JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Takes a change of each repository in turn. */
function takeTurns(rows: readonly Row[]): readonly Row[] {
  const groups = [...Map.groupBy(rows, ({ folder }) => folder).values()];
  const longest = Math.max(...groups.map(({ length }) => length));
  return Array.from({ length: longest }, (_, turn) => groups.map((group) => group[turn]))
    .flat()
    .filter((row) => row !== undefined);
}

async function makeTrials(rows: readonly Row[]): Promise<readonly Trial[]> {
  const read: (readonly [Row, Docs])[] = [];
  for (const row of takeTurns(rows)) {
    const docs = await readDocs(row);
    if (docs !== undefined) {
      read.push([row, docs]);
    }
  }
  return Object.values(mistakes)
    .flatMap((kinds) => Object.entries(kinds))
    .filter(([name]) => name.includes(values.only))
    .flatMap(([name, make], index) => {
      // Each mistake begins at another change, so that all changes get some.
      const at = (index * 7) % Math.max(1, read.length);
      return [...read.slice(at), ...read.slice(0, at)]
        .flatMap(([row, docs]) => makeTrial(name, make, row, docs) ?? [])
        .slice(0, Number(values.each));
    });
}

function makeTrial(name: string, make: Edit, row: Row, docs: Docs): Trial | undefined {
  const made = make(docs);
  if (made === undefined || made === docs.after) {
    return undefined;
  }
  return { row, name, edits: typeof made === 'string' ? { head: { [docs.path]: made } } : made };
}

/** Writes the trials of a repository as branches `base-0`, `head-0` and so on. */
function importTrials(folder: string, trials: readonly Trial[]): void {
  const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`;
  const commit = (branch: string, parents: string, edits: Edits = {}) =>
    [
      `commit refs/heads/${branch}\ncommitter Ada <ada@example.com> now\n${data('Edit')}${parents}`,
      ...Object.entries(edits).map(([path, text]) =>
        text === undefined ? `D ${path}\n` : `M 100644 inline ${path}\n${data(text)}`,
      ),
    ].join('');
  const input = trials.flatMap(({ row: { change }, edits }, index) => [
    commit(`base-${index}`, `from ${change.base}\n`, edits.base),
    // The head has both as parents, so that the merge base is the base.
    commit(`head-${index}`, `from ${change.sha}\nmerge refs/heads/base-${index}\n`, edits.head),
  ]);
  const options = ['fast-import', '--quiet', '--date-format=now'];
  execFileSync('git', ['-C', folder, ...options], { input: input.join('') });
}

type Outcome = Trial & { readonly judged: Judged };

async function judgeTrials(folder: string, trials: readonly Trial[]): Promise<readonly Outcome[]> {
  const scratch = mkdtempSync(join(tmpdir(), 'mistakes-'));
  try {
    await git(folder, 'clone', '--quiet', '--shared', '--bare', '.', scratch);
    importTrials(scratch, trials);
    const shaOf = async (name: string) => (await git(scratch, 'rev-parse', name)).trim();
    const pulls = await Promise.all(
      trials.map(async (trial, index) => ({
        ...trial,
        base: await shaOf(`base-${index}`),
        head: await shaOf(`head-${index}`),
      })),
    );
    const outcomes: Outcome[] = [];
    const root = trials[0]?.row.root ?? '.';
    await judgePulls(pulls, { folder: scratch, root }, (trial, judged) => {
      outcomes.push({ ...trial, judged });
      const sha = trial.row.change.sha.slice(0, 10);
      const rules = [...new Set(judged.findings.map(({ rule }) => rule))].join(', ');
      const verdict = judged.verdict || judged.message;
      console.error(`${basename(folder)} ${sha} ${trial.name}: ${verdict} (${rules})`);
    });
    return outcomes;
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

function describe(outcomes: readonly Outcome[]): string {
  const line = (name: string, trials: readonly Outcome[]) => {
    const noticed = trials.filter(({ judged }) => judged.verdict !== 'routine').length;
    const blocked = trials.filter(({ judged }) => judged.verdict === 'blocked').length;
    const figures = [share(noticed, trials.length), share(blocked, trials.length)];
    return `| ${[name, trials.length, ...figures].join(' | ')} |`;
  };
  const tables = Object.entries(mistakes).map(([effect, kinds]) => [
    `| ${effect} | number | not routine | blocked |`,
    '|---|---|---|---|',
    ...Object.keys(kinds).map((kind) =>
      line(
        kind,
        outcomes.filter(({ name }) => name === kind),
      ),
    ),
    line(
      'all',
      outcomes.filter(({ name }) => name in kinds),
    ),
  ]);
  return tables.map((lines) => lines.join('\n')).join('\n\n');
}

if (positionals.length === 0) {
  console.error(usage);
  process.exitCode = 1;
} else {
  const rows = positionals.flatMap((file) =>
    v.parse(rowsSchema, JSON.parse(readFileSync(file, 'utf8'))),
  );
  const trials = await makeTrials(rows.filter(({ judged }) => judged.verdict === 'routine'));
  const outcomes: Outcome[] = [];
  for (const [folder, group] of Map.groupBy(trials, ({ row }) => row.folder)) {
    outcomes.push(...(await judgeTrials(folder, group)));
  }
  console.log(describe(outcomes));
  if (values.json !== undefined) {
    writeFileSync(values.json, `${JSON.stringify(outcomes, null, 1)}\n`);
  }
}
