import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import {
  type Action,
  actions,
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

/** Every action's README has its tables. */
const tables = new Map(actions.map((action) => [readmeOf(action), tablesOf(action)]));

const exampleOf = (file: string): Blocks => ({ [`example ${file}`]: () => exampleBlock(file) });

/** The documents that have other blocks. */
const others: Readonly<Record<string, Blocks>> = {
  'README.md': {
    ...exampleOf('issue-label.yml'),
    examples: () => examplesTable('issue-label.yml'),
  },
  'docs/waiting.md': exampleOf('wait-on.yml'),
  'visitors/README.md': exampleOf('weekly-refresh.yml'),
};

const documents = [...new Set([...tables.keys(), ...Object.keys(others)])];

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
  const filled = Object.entries({ ...tables.get(path), ...others[path] }).reduce(
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
  return [...new Set([...documents, ...found])];
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
