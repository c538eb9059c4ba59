import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { repositoryFolder } from './bundle.ts';
import { table } from './tables.ts';

/** A workflow of `examples`: what its head says, and what comes after. */
export interface Example {
  readonly file: string;
  /** The first sentence of the comment that it begins with. */
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
  return {
    file,
    purpose: /^.*?\.(?= |$)/.exec(comment.join(' '))?.[0] ?? '',
    workflow: lines.slice(start).join('\n').trimEnd(),
  };
}

/** All examples but `shown` as a Markdown table, with links. */
export function examplesTable(shown: string): string {
  const rows = globSync('examples/*.yml', { cwd: repositoryFolder })
    .map((path) => readExample(basename(path)))
    .filter(({ file }) => file !== shown)
    .sort((a, b) => (a.file < b.file ? -1 : 1))
    .map(({ file, purpose }) => [`[\`${file}\`](examples/${file})`, purpose]);
  return table(['Workflow', 'What it does'], rows);
}

/** An example as a code block of Markdown. */
export function exampleBlock(file: string): string {
  return `\`\`\`yaml\n${readExample(file).workflow}\n\`\`\``;
}
