import { globSync, readFileSync } from 'node:fs';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import { actions, inRepository, repositoryFolder } from '../../scripts/actions.ts';

/* The layers of src, as biome.json enforces them: nothing imports an action. */

const { overrides } = v.parse(
  v.object({
    overrides: v.array(
      v.object({
        includes: v.array(v.string()),
        linter: v.object({
          rules: v.object({
            style: v.object({
              noRestrictedImports: v.object({
                options: v.object({
                  patterns: v.array(v.object({ group: v.array(v.string()) })),
                }),
              }),
            }),
          }),
        }),
      }),
    ),
  }),
  JSON.parse(readFileSync(inRepository('biome.json'), 'utf8')),
);

const folders = globSync('src/*/', { cwd: repositoryFolder }).map((path) =>
  path.replace(/^src[/\\]/, '').replace(/[/\\]$/, ''),
);

/** What the files of a folder of src may not import; `undefined` if biome.json does not say. */
function refusedBy(folder: string): readonly string[] | undefined {
  const override = overrides.find(({ includes }) => includes.includes(`src/${folder}/**`));
  return override?.linter.rules.style.noRestrictedImports.options.patterns.flatMap(
    ({ group }) => group,
  );
}

it('every folder of src with an entry is an action in scripts/actions.ts', () => {
  const entries = globSync('src/*/index.ts', { cwd: repositoryFolder });
  const names = entries.map((path) => path.split(/[/\\]/)[1]);
  expect(names.sort()).toEqual(actions.toSorted());
});

it('every folder of src has an override in biome.json', () => {
  const missing = folders.filter((folder) => refusedBy(folder) === undefined);
  expect(missing.map((folder) => `biome.json lacks an override for src/${folder}/**`)).toEqual([]);
});

it('no folder of src may import an action, except its own', () => {
  const missing = folders.flatMap((folder) =>
    actions
      .filter((action) => action !== folder && !refusedBy(folder)?.includes(`**/${action}/**`))
      .map((action) => `biome.json lacks "**/${action}/**" in the group of src/${folder}/**`),
  );
  expect(missing).toEqual([]);
});
