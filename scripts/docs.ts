import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { object, parse, string } from 'valibot';
import { repositoryFolder } from './bundle.ts';
import { inputsTable, outputsTable, replaceBlock } from './tables.ts';

/** Files whose tables are made from an action.yml. */
const documents = [
  { document: 'README.md', manifest: 'action.yml' },
  { document: 'visitors/README.md', manifest: 'visitors/action.yml' },
];

/** A document as it has to be, from what it is and from its action.yml. */
export function refresh(document: string, manifest: string): string {
  const path = join(repositoryFolder, manifest);
  const text = readFileSync(join(repositoryFolder, document), 'utf8');
  const withInputs = replaceBlock(text, 'inputs', inputsTable(path));
  return nameOwner(replaceBlock(withInputs, 'outputs', outputsTable(path)));
}

/** The repository's name stands in package.json; every example uses that one. */
function nameOwner(text: string): string {
  const { repository } = parse(
    object({ repository: string() }),
    JSON.parse(readFileSync(join(repositoryFolder, 'package.json'), 'utf8')),
  );
  const name = repository.replace('github:', '');
  return text.replaceAll(/(uses: )[\w.-]+\/docs-agent-action/g, `$1${name}`);
}

/** Documents whose tables are not what their action.yml says. */
export function staleDocuments(): readonly string[] {
  return documents
    .filter(({ document, manifest }) => {
      const text = readFileSync(join(repositoryFolder, document), 'utf8');
      return text !== refresh(document, manifest);
    })
    .map(({ document }) => document);
}

if (import.meta.main) {
  for (const { document, manifest } of documents) {
    writeFileSync(join(repositoryFolder, document), refresh(document, manifest));
  }
}
