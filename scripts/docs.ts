import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Action, bundleOf } from './actions.ts';
import { repositoryFolder } from './bundle.ts';
import { exampleBlock, examplesTable } from './examples.ts';
import { repositoryName } from './repository-name.ts';
import { inputsTable, outputsTable, replaceBlock } from './tables.ts';

/** What stands between `<!-- name -->` and `<!-- /name -->`, made from the sources. */
type Blocks = Readonly<Record<string, () => string>>;

const tablesOf = (action: Action): Blocks => ({
  inputs: () => inputsTable(bundleOf(action).actionFile),
  outputs: () => outputsTable(bundleOf(action).actionFile),
});

const exampleOf = (file: string): Blocks => ({ [`example ${file}`]: () => exampleBlock(file) });

/** Documents with such blocks. */
const documents: Readonly<Record<string, Blocks>> = {
  'README.md': {
    ...tablesOf('agent'),
    ...exampleOf('issue-label.yml'),
    examples: () => examplesTable('issue-label.yml'),
  },
  'docs/waiting.md': exampleOf('wait-on.yml'),
  'visitors/README.md': { ...tablesOf('visitors'), ...exampleOf('weekly-refresh.yml') },
};

/** Files that name this repository the way people have to write it. */
const naming = ['*.md', '*/*.md', 'examples/*.yml', '.github/**/*.{yml,md}', 'zizmor.yml'];

/** A file of this repository as it has to be, from what it is and from the sources. */
export function refresh(path: string): string {
  const text = readFileSync(join(repositoryFolder, path), 'utf8');
  const filled = Object.entries(documents[path] ?? {}).reduce(
    (document, [name, block]) => replaceBlock(document, name, block()),
    text,
  );
  return nameRepository(filled);
}

/** The repository's name stands in package.json; everything else follows. */
function nameRepository(text: string): string {
  return text.replaceAll(
    /(?<=uses: |github\.com\/|--repo |^ {8})[\w.-]+\/docs-agent-action/gm,
    repositoryName(),
  );
}

function everyFile(): string[] {
  const found = globSync(naming, {
    cwd: repositoryFolder,
    exclude: (path) => /^(?:node_modules|build|dist|\.tools)$/.test(path),
  });
  return [...new Set([...Object.keys(documents), ...found])];
}

/** Files that are not what the sources say. */
export function staleDocuments(): readonly string[] {
  return everyFile().filter(
    (path) => readFileSync(join(repositoryFolder, path), 'utf8') !== refresh(path),
  );
}

if (import.meta.main) {
  for (const path of staleDocuments()) {
    writeFileSync(join(repositoryFolder, path), refresh(path));
    console.log(`Wrote ${path}.`);
  }
}
