import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { localUses } from './workflow.ts';

/** Far more than any repository has. */
const maxFiles = 100;

/**
 * The content of all local actions and workflows that a workflow uses, directly or through others.
 */
export function readLocalFiles(checkout: string, workflow: string): readonly string[] {
  const texts = new Map<string, string>();
  const open = [...localUses(workflow)];
  for (let uses = open.pop(); uses !== undefined && texts.size < maxFiles; uses = open.pop()) {
    const text = texts.has(uses) ? undefined : readLocalFile(checkout, uses);
    if (text !== undefined) {
      texts.set(uses, text);
      open.push(...localUses(text));
    }
  }
  return [...texts.values()];
}

/** @param uses the path of an action, such as `./.github/actions/own`, or of a workflow */
function readLocalFile(checkout: string, uses: string): string | undefined {
  const names = /\.ya?ml$/.test(uses)
    ? [uses]
    : ['action.yml', 'action.yaml'].map((name) => join(uses, name));
  const path = names
    .map((name) => join(checkout, name))
    .find((candidate) => statSync(candidate, { throwIfNoEntry: false })?.isFile() === true);
  return path === undefined ? undefined : readFileSync(path, 'utf8');
}
