import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { WORDS } from '../sandbox/service/words.ts';
import {
  endings,
  failOnChoices,
  failOnDefault,
  type ResultName,
  resultNames,
} from '../src/agent/result.ts';
import {
  type Action,
  bundleOf,
  inRepository,
  readmeOf,
  repositoryFolder,
  repositoryName,
} from './actions.ts';
import { inputsTable, outputsTable, replaceBlock, table } from './tables.ts';

/** The generated text between `<!-- name -->` and `<!-- /name -->`, by name. */
type Blocks = Readonly<Record<string, () => string>>;

const tablesOf = (action: Action): Blocks => ({
  inputs: () => inputsTable(bundleOf(action).actionFile),
  outputs: () => outputsTable(bundleOf(action).actionFile),
});

const exampleOf = (file: string): Blocks => ({ [`example ${file}`]: () => exampleBlock(file) });

/** The documents that have generated parts. */
const documents: Readonly<Record<string, Blocks>> = {
  'README.md': {
    ...exampleOf('issue-label.yml'),
    examples: examplesTable,
  },
  'docs/reference.md': { ...tablesOf('agent'), results: resultsTable },
  [readmeOf('check')]: tablesOf('check'),
  [readmeOf('visitors')]: tablesOf('visitors'),
  'sandbox/README.md': { words: wordsTable },
};

/** What each result means. */
const meanings: Readonly<Record<ResultName, string>> = {
  'pull-request': 'The agent opened or changed a pull request.',
  'no-pull-request': 'The agent finished without a pull request.',
  failed: 'The job failed.',
  archived: 'Someone archived the job.',
  'timed-out': 'The waiting time is over. The job keeps running.',
  running: 'The job was started, and `wait-minutes` is `0`.',
  ready: 'A dry run met no error.',
  cancelled: 'The run was cancelled. The job keeps running.',
  skipped: 'Nothing was started: there was no need, or this run may not start a job.',
  error: 'Something is wrong. The message says what to do.',
};

/** Every result of the agent action, and what it does to the step. */
function resultsTable(): string {
  const byDefault: readonly string[] = failOnDefault;
  const choices: readonly string[] = failOnChoices;
  const rows = resultNames.map((name) => [
    `\`${name}\``,
    meanings[name],
    byDefault.includes(name) ? 'fails' : stepWords[endings[name].level],
    choices.includes(name) ? 'yes' : '',
  ]);
  return table(['Result', 'What happened', 'The step', '`fail-on` may name it'], rows);
}

const stepWords = {
  info: 'passes',
  notice: 'passes with a notice',
  warning: 'passes with a warning',
  failure: 'fails',
} as const;

/** Every word of the sandbox. */
function wordsTable(): string {
  return table(
    ['Word', 'Effect'],
    WORDS.map(([word, meaning]) => [`\`${word}\``, meaning]),
  );
}

/** A workflow of `examples`. */
interface Example {
  /** The first sentence of the comment at its top. */
  readonly purpose: string;
  /** The repository that the comment says it belongs in: "docs", "product" or "any". */
  readonly repository: string;
  /** The workflow without that comment. */
  readonly workflow: string;
}

/** @param file name in `examples` */
function readExample(file: string): Example {
  const text = readFileSync(inRepository(`examples/${file}`), 'utf8');
  const lines = text.split('\n');
  const start = lines.findIndex((line) => !line.startsWith('#'));
  const comment = lines
    .slice(0, start)
    .map((line) => line.replace(/^# ?/, ''))
    .join(' ');
  return {
    purpose: /^.*?\.(?= |$)/.exec(comment)?.[0] ?? '',
    repository: /\bIt belongs in (?:the|every) (docs|product)\b/.exec(comment)?.[1] ?? 'any',
    workflow: lines.slice(start).join('\n').trimEnd(),
  };
}

/** The examples by what people want, in the order of the table. */
const examplesByWish: Readonly<Record<string, readonly string[]>> = {
  'Keep the docs up to date': [
    'issue-label.yml',
    'after-merge.yml',
    'release.yml',
    'prompt-file.yml',
    'weekly-refresh.yml',
  ],
  'Review, check and merge': [
    'agent-and-check.yml',
    'check-agent-pulls.yml',
    'review-comment.yml',
    'release-and-merge.yml',
    'stop-auto-merge.yml',
  ],
  'Hold the docs until a release': ['hold-until-release.yml', 'release-held.yml'],
  'Serve many products or projects': ['hub.yml', 'hub-product.yml', 'many-projects.yml'],
  'Limit costs and risks': ['public-repository.yml', 'daily-limit.yml', 'check-setup.yml'],
  'Wait less or longer': ['start-only.yml', 'take-over.yml', 'wait-on.yml'],
  'Count visitors': ['visitors-report.yml'],
};

/**
 * All examples as a Markdown table with links.
 *
 * @throws when an example is in no group of `examplesByWish`
 */
function examplesTable(): string {
  const files = globSync('examples/*.yml', { cwd: repositoryFolder }).map((path) => basename(path));
  const listed = new Set(Object.values(examplesByWish).flat());
  const missing = files.filter((file) => !listed.has(file));
  if (missing.length > 0) {
    throw new Error(`examplesByWish in scripts/docs.ts lacks ${missing.join(', ')}.`);
  }
  const rowOf = (file: string) => {
    const { purpose, repository, workflow } = readExample(file);
    return [`[${purpose.slice(0, -1)}](examples/${file}).`, repository, needsOf(workflow)];
  };
  const rows = Object.entries(examplesByWish).flatMap(([wish, group]) => [
    [`**${wish}**`],
    ...group.map(rowOf),
  ]);
  return table(['Workflow', 'Repository', 'Secrets and variables'], rows);
}

/** The secrets and variables that a workflow reads. Nearly all need the first two, so these are short. */
function needsOf(workflow: string): string {
  const found = workflow.matchAll(/\b(?:secrets|vars)\.(\w+)/g);
  const names = new Set([...found].map(([, name = '']) => name));
  const short = new Map([
    ['DOCS_API_KEY', 'key'],
    ['DOCS_PROJECT_ID', 'id'],
  ]);
  return [...names].map((name) => short.get(name) ?? `\`${name}\``).join(', ');
}

/** An example as a code block of Markdown. */
function exampleBlock(file: string): string {
  return `\`\`\`yaml\n${readExample(file).workflow}\n\`\`\``;
}

/** The files that name this repository as its users have to write it. */
const filesWithName = ['*.md', '*/*.md', 'examples/*.yml', '.github/**/*.{yml,md}', 'zizmor.yml'];

/** The text that a file should have: its own, with the generated parts up to date. */
function refresh(path: string): string {
  const text = readFileSync(inRepository(path), 'utf8');
  const filled = Object.entries(documents[path] ?? {}).reduce(
    (document, [name, block]) => replaceBlock(document, name, block()),
    text,
  );
  return nameRepository(filled);
}

/** Puts the repository's name, which package.json defines, wherever a file uses it. */
function nameRepository(text: string): string {
  return text.replaceAll(
    /(?<=uses: |github\.com\/|--repo |^ {8})[\w.-]+\/docs-agent-action/gm,
    repositoryName(),
  );
}

function everyFile(): string[] {
  const found = globSync(filesWithName, {
    cwd: repositoryFolder,
    exclude: (path) => /^(?:node_modules|build|dist|\.tools)$/.test(path),
  });
  return [...new Set([...Object.keys(documents), ...found])];
}

/** The files whose generated parts are out of date. */
export function staleDocuments(): readonly string[] {
  return everyFile().filter((path) => readFileSync(inRepository(path), 'utf8') !== refresh(path));
}

if (import.meta.main) {
  for (const path of staleDocuments()) {
    writeFileSync(inRepository(path), refresh(path));
    console.log(`Wrote ${path}.`);
  }
}
