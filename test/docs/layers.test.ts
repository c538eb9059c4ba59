import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { expect, it } from 'vitest';
import { actions, inRepository } from '../../scripts/actions.ts';

/*
 * Imports in src point downwards, types included, and never in a circle. In each list, the layers stand from top
 * to bottom, and the parts of one layer do not import each other.
 */

const layersOfSrc = [actions, ['common'], ['platform', 'github', 'runner'], ['network'], ['text']];

const layersOfAgent = [
  ['agent/index.ts'],
  ['agent/main.ts'],
  ['agent/step.ts', 'agent/hand-over.ts'],
  ['agent/dry-run.ts', 'agent/outputs.ts'],
  ['agent/report'],
  ['agent/stage.ts'],
  ['agent/plan.ts'],
  ['agent/earlier'],
  ['agent/job'],
];

/** The only folder that may import a package which talks to a world outside. */
const importers = new Map([
  ['@actions/core', 'runner/'],
  ['@actions/cache', 'runner/'],
  ['@actions/github', 'github/'],
  ['@octokit/core', 'github/'],
  ['undici', 'network/'],
]);

const files = globSync('src/**/*.ts', { cwd: inRepository('.') })
  .map((path) => path.replaceAll('\\', '/').replace('src/', ''))
  .filter((path) => !path.endsWith('.d.ts'));

/** Each import of a file in src: the path of another one, or the name of a package. */
const edges = files.flatMap((file) => {
  const text = readFileSync(inRepository(`src/${file}`), 'utf8');
  const names = [...text.matchAll(/(?:\bfrom |^import |\bimport\()'([^']+)'/gm)];
  return names.map(([, name = '']) => ({
    file,
    to: name.startsWith('.') ? posix.join(posix.dirname(file), name) : name,
  }));
});

/** The layer of a file, and its part of it; what no list names is below all others. */
function placeIn(layers: readonly (readonly string[])[], file: string) {
  const partOf = (layer: readonly string[]) =>
    layer.find((part) => file === part || file.startsWith(`${part}/`));
  const index = layers.findIndex((layer) => partOf(layer) !== undefined);
  return { level: index === -1 ? layers.length : index, part: partOf(layers[index] ?? []) };
}

function upwards(layers: readonly (readonly string[])[]): readonly string[] {
  const wrong = edges.filter(({ file, to }) => {
    const [from, target] = [placeIn(layers, file), placeIn(layers, to)];
    return target.level < from.level || (target.level === from.level && target.part !== from.part);
  });
  return wrong.map(({ file, to }) => `${file} imports ${to}`);
}

it('imports in src point downwards', () => {
  expect(upwards(layersOfSrc)).toEqual([]);
});

it('imports in src/agent do, too', () => {
  expect(upwards(layersOfAgent)).toEqual([]);
});

it('no imports make a circle', () => {
  // What imports nothing that is left is in no circle.
  let left = new Set(files);
  for (let size = -1; size !== left.size; ) {
    size = left.size;
    const leading = edges.filter(({ file, to }) => left.has(file) && left.has(to));
    left = new Set(leading.map(({ file }) => file));
  }
  expect([...left]).toEqual([]);
});

it('each world outside has one folder that talks to it', () => {
  const packageOf = (to: string) => /^(?:@[^/]+\/)?[^/]+/.exec(to)?.[0] ?? '';
  const wrong = edges.filter(
    ({ file, to }) => !file.startsWith(importers.get(packageOf(to)) ?? ''),
  );
  expect(wrong).toEqual([]);
});

it('every folder of src with an entry is an action in scripts/actions.ts', () => {
  const names = files
    .filter((path) => /^[^/]+\/index\.ts$/.test(path))
    .map((path) => path.split('/')[0]);
  expect(names.sort()).toEqual(actions.toSorted());
});
