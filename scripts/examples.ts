import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { inRepository, repositoryFolder } from './actions.ts';

/** A workflow of `examples`. All but the name comes from the comment at its top. */
export interface Example {
  /** Its file's name without `.yml`. */
  readonly name: string;
  /** What it does, as a sentence. */
  readonly purpose: string;
  /** The repository that it belongs in: "docs", "product" or "any". */
  readonly repository: string;
  /** What to set before it runs: secrets, variables, and names in the file. */
  readonly toChange: string;
  /** The workflow without that comment. */
  readonly workflow: string;
  /** The whole file. */
  readonly text: string;
}

/** The examples by what people want. Those that no group names are in the last one. */
const groups: Readonly<Record<string, readonly string[]>> = {
  'Keep the docs up to date': [
    'issue-label',
    'issue-comment',
    'after-merge',
    'release',
    'prompt-file',
    'weekly-refresh',
  ],
  'Review, check and merge': [
    'agent-and-check',
    'mend',
    'check-agent-pulls',
    'review-comment',
    'release-and-merge',
    'stop-auto-merge',
  ],
  'Hold the docs until a release': ['hold-until-release', 'release-held'],
  'Serve many products or projects': ['hub', 'hub-product', 'many-projects'],
  'Limit costs and risks': ['public-repository', 'daily-limit', 'check-setup', 'monthly-report'],
  'Wait less or longer': ['start-only', 'take-over', 'wait-on'],
  'Count visitors': ['visitors-report'],
};

/** All examples, by what people want. */
export function examplesByWish(): ReadonlyMap<string, readonly Example[]> {
  const listed = new Set(Object.values(groups).flat());
  const others = globSync('examples/*.yml', { cwd: repositoryFolder })
    .map((path) => basename(path, '.yml'))
    .filter((name) => !listed.has(name))
    .sort();
  return new Map(
    [...Object.entries(groups), ['More', others] as const]
      .filter(([, names]) => names.length > 0)
      .map(([wish, names]) => [wish, names.map(readExample)]),
  );
}

/** @param name the name of a file in `examples`, without `.yml` */
export function readExample(name: string): Example {
  const text = readFileSync(inRepository(`examples/${name}.yml`), 'utf8');
  const lines = text.split('\n');
  const start = lines.findIndex((line) => !line.startsWith('#'));
  const comment = lines
    .slice(0, start)
    .map((line) => line.replace(/^# ?/, ''))
    .join('\n');
  const paragraphs = comment.split('\n\n').map((paragraph) => paragraph.replaceAll('\n', ' '));
  return {
    name,
    purpose: /^.*?\.(?= |$)/.exec(paragraphs[0] ?? '')?.[0] ?? '',
    repository:
      /\bIt belongs in (?:the|every) (docs|product)\b/.exec(paragraphs.join(' '))?.[1] ?? 'any',
    toChange: paragraphs.find((paragraph) => paragraph.startsWith('To change: ')) ?? '',
    workflow: lines.slice(start).join('\n').trimEnd(),
    text,
  };
}
