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

const { actionFile: agentFile } = bundleOf('agent');

/** What most workflows need. The reference has everything. */
const firstInputs = ['prompt', 'prompt-file', 'api-key', 'project-id', 'pr-label', 'dry-run'];
const firstOutputs = ['pr-link', 'status', 'pr-number', 'result', 'message', 'job-id'];

/** The documents that have generated parts. */
const documents: Readonly<Record<string, Blocks>> = {
  'README.md': {
    ...exampleOf('issue-label.yml'),
    inputs: () => inputsTable(agentFile, firstInputs),
    outputs: () => outputsTable(agentFile, firstOutputs),
    examples: () => examplesTable('issue-label.yml'),
  },
  'docs/reference.md': { ...tablesOf('agent'), results: resultsTable },
  'docs/waiting.md': exampleOf('wait-on.yml'),
  [readmeOf('visitors')]: { ...tablesOf('visitors'), ...exampleOf('weekly-refresh.yml') },
  [readmeOf('check')]: tablesOf('check'),
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
  ready: 'A dry run found nothing wrong.',
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
  /** The workflow without that comment. */
  readonly workflow: string;
}

/** @param file name in `examples` */
function readExample(file: string): Example {
  const text = readFileSync(inRepository(`examples/${file}`), 'utf8');
  const lines = text.split('\n');
  const start = lines.findIndex((line) => !line.startsWith('#'));
  const comment = lines.slice(0, start).map((line) => line.replace(/^# ?/, ''));
  return {
    purpose: /^.*?\.(?= |$)/.exec(comment.join(' '))?.[0] ?? '',
    workflow: lines.slice(start).join('\n').trimEnd(),
  };
}

/**
 * All examples except `shown`, as a Markdown table with links. The variants that call a reusable
 * workflow stand beside the examples that they are a variant of.
 */
function examplesTable(shown: string): string {
  const files = globSync('examples/*.yml', { cwd: repositoryFolder }).map((path) => basename(path));
  const rows = files
    .filter((file) => file !== shown && !file.startsWith('reuse-'))
    .sort()
    .map((file) => {
      const variant = `reuse-${file}`;
      const purpose = readExample(file).purpose;
      return [
        `[\`${file}\`](examples/${file})`,
        files.includes(variant) ? `${purpose} Also [in nine lines](examples/${variant}).` : purpose,
      ];
    });
  return table(['Workflow', 'What it does'], rows);
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
