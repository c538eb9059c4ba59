import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { repositoryFolder } from './bundle.ts';
import { table } from './tables.ts';

/** A workflow of `examples`: what its head says, and what comes after. */
export interface Example {
  readonly file: string;
  /** The first paragraph of the comment that it begins with. */
  readonly purpose: string;
  /** The workflow without that comment. */
  readonly workflow: string;
}

/** @param file name in `examples` */
export function readExample(file: string): Example {
  const text = readFileSync(join(repositoryFolder, 'examples', file), 'utf8');
  const lines = text.split('\n');
  const start = lines.findIndex((line) => !line.startsWith('#'));
  const comment = lines.slice(0, start).map((line) => line.replace(/^# ?/, ''));
  const end = comment.indexOf('');
  return {
    file,
    purpose: comment.slice(0, end < 0 ? undefined : end).join(' '),
    workflow: lines.slice(start).join('\n').trimEnd(),
  };
}

/** All examples as a Markdown table, with links. */
export function examplesTable(): string {
  const rows = globSync('examples/*.yml', { cwd: repositoryFolder })
    .map((path) => readExample(basename(path)))
    .sort((a, b) => (a.file < b.file ? -1 : 1))
    .map(({ file, purpose }) => [`[\`${file}\`](examples/${file})`, purpose]);
  return table(['Workflow', 'What it does'], rows);
}

/** An example as a code block of Markdown. */
export function exampleBlock(file: string): string {
  return `\`\`\`yaml\n${readExample(file).workflow}\n\`\`\``;
}
