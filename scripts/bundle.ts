import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { licensesOf } from './licenses.ts';

/** The folder that holds package.json. */
export const repositoryFolder = fileURLToPath(new URL('..', import.meta.url));

const modulesFolder = join(repositoryFolder, 'node_modules');

/** The actions of this repository: every folder of `src` that has an entry. */
export const actions = readdirSync(join(repositoryFolder, 'src'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .filter((folder) => readdirSync(join(repositoryFolder, 'src', folder.name)).includes('index.ts'))
  .map((folder) => folder.name)
  .sort();

/**
 * Bundles every action into its own folder below `outputFolder`, with the licenses of what was
 * bundled. The folder is emptied first.
 */
export async function bundle(outputFolder: string): Promise<void> {
  rmSync(outputFolder, { recursive: true, force: true });
  for (const action of actions) {
    await bundleAction(action, join(outputFolder, action));
  }
}

/**
 * Not minified: anybody can read what is shipped, and it starts as fast. What is imported by
 * `import()` becomes a file of its own, named after its module and not after its content, so that
 * a changed line is a changed line.
 */
async function bundleAction(action: string, folder: string): Promise<void> {
  const build = await rolldown({
    cwd: repositoryFolder,
    input: { index: join('src', action, 'index.ts') },
    platform: 'node',
    transform: { target: 'node24' },
    // Paths in comments stay inside the repository, wherever node_modules really lies.
    resolve: { symlinks: false },
    treeshake: { moduleSideEffects: hasSideEffects },
  });
  const { output } = await build.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    // Licenses have a file of their own.
    comments: { legal: false },
    // One file for what the entry ($initial) shares with what is loaded later, since every file
    // costs a moment at the start.
    codeSplitting: { groups: [{ name: 'shared', tags: ['$initial'], minShareCount: 2 }] },
  });
  await build.close();
  const modules = output.flatMap((file) =>
    file.type === 'chunk' ? Object.keys(file.modules) : [],
  );
  // The runner finds out by the nearest package.json that the entry is an ES module.
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}\n');
  writeFileSync(join(folder, 'licenses.txt'), licensesOf(modules, modulesFolder));
}

/**
 * The toolkit's packages only define things when they are loaded. Their authors do not say so, and
 * without it `@actions/core` brings an HTTP client for tokens that no action of ours asks for:
 * half of the time from the start to the first line.
 */
function hasSideEffects(moduleId: string): boolean {
  return !/node_modules[\\/](?:@actions|tunnel)[\\/]/.test(moduleId);
}
