import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path/posix';
import { expect, it } from 'vitest';
import { actions, inRepository } from '../../scripts/actions.ts';

/*
 * Imports of src point downwards: an action never imports another one, a client no action and no other
 * client, and inside agent, folders import one way too. Imports of types count.
 */

/** What the files of a folder may import besides their own folder and packages. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  text: [],
  network: ['text'],
  platform: ['network', 'text'],
  github: ['network', 'text'],
  runner: ['network', 'text'],
  common: ['platform', 'github', 'runner', 'network', 'text'],
  visitors: ['common', 'platform', 'github', 'runner', 'network', 'text'],
  check: ['common', 'platform', 'github', 'runner', 'network', 'text'],
  agent: ['common', 'platform', 'github', 'runner', 'network', 'text'],
};

/** Folders of agent, each with those that it may not import. */
const refusedInAgent: Readonly<Record<string, readonly string[]>> = {
  prompt: ['job', 'earlier', 'report'],
  job: ['prompt', 'earlier', 'report'],
  earlier: ['prompt', 'report'],
  report: [],
};

/** Packages that talk to a world outside, each with the only folder that may. */
const ownerOf: Readonly<Record<string, string>> = {
  '@actions/core': 'runner',
  '@actions/cache': 'runner',
  '@actions/github': 'github',
  '@octokit/core': 'github',
  undici: 'network',
};

interface Import {
  readonly file: string;
  /** A path below src, or a package. */
  readonly target: string;
  readonly isOfSrc: boolean;
}

const files = globSync('src/**/*.ts', { cwd: inRepository('.') }).map((path) =>
  relative('src', path.replaceAll('\\', '/')),
);

const imports: readonly Import[] = files.flatMap((file) => {
  const text = readFileSync(inRepository(`src/${file}`), 'utf8');
  return [...text.matchAll(/\b(?:from|import\()\s*'([^']+)'/g)].map(([, name = '']) => ({
    file,
    target: name.startsWith('.') ? join(file, '..', name) : name,
    isOfSrc: name.startsWith('.'),
  }));
});

const folderOf = (path: string) => path.split('/')[0] ?? '';
/** The folder inside agent; empty for the files beside them. */
const partOf = (path: string) => /^agent\/([^/]+)\//.exec(path)?.[1] ?? '';
const listed = (found: readonly Import[]) => found.map(({ file, target }) => `${file}: ${target}`);

it('every folder of src has its layer, and every entry is an action', () => {
  expect([...new Set(files.map(folderOf))].sort()).toEqual(Object.keys(allowed).sort());
  const entries = files.filter((file) => /^[^/]+\/index\.ts$/.test(file)).map(folderOf);
  expect(entries.sort()).toEqual(actions.toSorted());
});

it('imports of src point downwards', () => {
  expect(imports.filter(({ isOfSrc }) => isOfSrc).length).toBeGreaterThan(files.length);
  const wrong = imports.filter(({ file, target, isOfSrc }) => {
    const [from, to] = [folderOf(file), folderOf(target)];
    return isOfSrc && from !== to && !allowed[from]?.includes(to);
  });
  expect(listed(wrong)).toEqual([]);
});

it('inside agent, folders import one way', () => {
  const wrong = imports.filter(({ file, target, isOfSrc }) => {
    const [from, to] = [partOf(file), partOf(target)];
    return isOfSrc && from !== to && refusedInAgent[from]?.includes(to);
  });
  expect(listed(wrong)).toEqual([]);
});

it('each world outside has one folder that talks to it', () => {
  const wrong = imports.filter(({ file, target, isOfSrc }) => {
    const name = target
      .split('/')
      .slice(0, target.startsWith('@') ? 2 : 1)
      .join('/');
    return !isOfSrc && ownerOf[name] !== undefined && ownerOf[name] !== folderOf(file);
  });
  expect(listed(wrong)).toEqual([]);
});
