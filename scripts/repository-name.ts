import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { object, parse, pipe, regex, string } from 'valibot';
import { repositoryFolder } from './bundle.ts';

const manifestSchema = object({
  repository: pipe(string(), regex(/^github:[\w.-]+\/[\w.-]+$/)),
});

/** `owner/name` of this repository on GitHub: package.json is the one place that says it. */
export function repositoryName(): string {
  const text = readFileSync(join(repositoryFolder, 'package.json'), 'utf8');
  return parse(manifestSchema, JSON.parse(text)).repository.replace('github:', '');
}
