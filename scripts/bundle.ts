import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ncc from '@vercel/ncc';
import { actions, repositoryFolder } from './actions.ts';
import { licensesOf } from './licenses.ts';

const compiledFolder = join(repositoryFolder, 'build/compiled-sources');
const modulesFolder = join(repositoryFolder, 'node_modules');
const binFolder = join(modulesFolder, '.bin');

/** Keeps a parser out of the bundles that undici loads only if UNDICI_USE_MILO is set. */
const milo = { '../milo/simd.js': '../milo/simd.js', '../milo/no-simd.js': '../milo/no-simd.js' };

/**
 * Compiles `src` and bundles every action into its own folder below `outputFolder`.
 *
 * This takes two steps, because ncc 0.45 cannot read TypeScript 7: tsc emits JavaScript, and ncc
 * bundles that.
 */
export async function bundle(outputFolder: string): Promise<void> {
  rmSync(compiledFolder, { recursive: true, force: true });
  rmSync(outputFolder, { recursive: true, force: true });
  run('tsc', ['--project', 'tsconfig.build.json']);
  for (const action of actions) {
    const folder = join(outputFolder, action);
    const statistics = [await build(`${action}/index.js`, folder)];
    if (action === 'agent') {
      const cacheFolder = join(folder, 'cache-process');
      statistics.push(await build('agent/cache-process.js', cacheFolder));
    }
    writeFileSync(join(folder, 'licenses.txt'), licensesOf(statistics.join(), modulesFolder));
  }
}

/** Bundles a compiled entry into a folder, and returns the statistics as JSON. */
async function build(entry: string, folder: string): Promise<string> {
  const path = join(compiledFolder, entry);
  const options = { cache: false, quiet: true, externals: milo } as const;
  const { code, assets, stats } = await ncc(path, options);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'index.js'), code);
  for (const [name, { source }] of Object.entries(assets)) {
    writeFileSync(join(folder, name), source);
  }
  minify(folder);
  return JSON.stringify(stats.toJson());
}

/**
 * Makes a run start about a tenth faster. Half of the time until the first line of log is spent on
 * compiling, so less text helps. So does leaving out the parentheses around functions, which make
 * the engine compile every module at once. ncc's own `--minify` adds such parentheses, and makes a run
 * slower than without minifying.
 */
function minify(folder: string): void {
  const files = readdirSync(folder).filter((name) => name.endsWith('.js'));
  run('esbuild', [
    ...files.map((name) => join(folder, name)),
    '--minify',
    // Node 24 runs it, but an older Node must be able to parse it, to say that it is too old.
    '--target=node20',
    // A file that is only ASCII needs no decoding.
    '--charset=ascii',
    // licenses.txt has them.
    '--legal-comments=none',
    // Ignores a tsconfig.json near the folder, so that the bundle is the same everywhere.
    '--tsconfig-raw={}',
    '--allow-overwrite',
    '--log-level=warning',
    `--outdir=${folder}`,
  ]);
}

function run(tool: string, args: readonly string[]): void {
  execFileSync(join(binFolder, tool), args, {
    cwd: repositoryFolder,
    stdio: ['ignore', 'inherit', 'inherit'],
    // npm's shims are .cmd files on Windows, which only a shell can start.
    shell: process.platform === 'win32',
  });
}
