import { globSync, readFileSync, writeFileSync } from 'node:fs';
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
import { type Example, examplesByWish, readExample } from './examples.ts';
import { inputsTable, outputsTable, replaceBlock, table } from './tables.ts';

/** The generated text between `<!-- name -->` and `<!-- /name -->`, by name. */
type Blocks = Readonly<Record<string, () => string>>;

const tablesOf = (action: Action): Blocks => ({
  inputs: () => inputsTable(bundleOf(action).actionFile),
  outputs: () => outputsTable(bundleOf(action).actionFile),
});

/** The documents that have generated parts. */
const documents: Readonly<Record<string, Blocks>> = {
  'README.md': {
    'example issue-label.yml': () => exampleBlock('issue-label'),
    examples: frontTable,
  },
  'docs/examples.md': { examples: examplesTable },
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

/** The examples of the README, with what each is for. docs/examples.md has all of them. */
const frontPage: Readonly<Record<string, string>> = {
  'issue-label': 'Answer an issue',
  'after-merge': 'Keep up with the code',
  release: 'Keep up with releases',
  'weekly-refresh': 'Keep the most-read pages right',
  'check-agent-pulls': 'See what breaks, before a merge',
  mend: 'Have the agent mend what its change breaks',
  'review-comment': 'Ask for changes in a review',
  'monthly-report': "Report on the agent's pull requests",
};

/** The examples of the README as a Markdown table with links. */
function frontTable(): string {
  const rows = Object.entries(frontPage).map(([name, wish]) => {
    const [link, ...others] = exampleCells(readExample(name), 'examples');
    return [wish, link, ...others];
  });
  return table(['To …', 'Name', ...needHeads], rows);
}

/** All examples as a Markdown table with links. */
function examplesTable(): string {
  const rows = [...examplesByWish()].flatMap(([wish, examples]) => [
    [`**${wish}**`],
    ...examples.map((example) => {
      const [link, ...others] = exampleCells(example, '../examples');
      return [link, example.purpose.slice(0, -1), ...others];
    }),
  ]);
  return table(['Name', 'What it does', ...needHeads], rows);
}

const needHeads = ['Repository', 'Secrets and variables'];

/** @param folder the path of `examples` from the document */
function exampleCells(
  { name, repository, workflow }: Example,
  folder: string,
): readonly [link: string, repository: string, needs: string] {
  return [`[${name}](${folder}/${name}.yml)`, repository, needsOf(workflow)];
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
function exampleBlock(name: string): string {
  return `\`\`\`yaml\n${readExample(name).workflow}\n\`\`\``;
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
