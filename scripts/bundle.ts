import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { actions, repositoryFolder } from './actions.ts';
import { licensesOf } from './licenses.ts';

const compiledFolder = join(repositoryFolder, 'build');
const modulesFolder = join(repositoryFolder, 'node_modules');
const binFolder = join(modulesFolder, '.bin');

/** undici loads this parser only where UNDICI_USE_MILO is set: a quarter of what it would weigh here. */
const unused = ['../milo/simd.js', '../milo/no-simd.js'].flatMap((name) => ['--external', name]);

/**
 * Compiles `src` and bundles every action into its own folder below `outputFolder`.
 *
 * This takes two steps, because ncc 0.45 cannot read TypeScript 7: tsc emits JavaScript, and ncc
 * bundles that. Both folders are emptied first, since neither tool removes the files of an earlier
 * build.
 */
export function bundle(outputFolder: string): void {
  rmSync(compiledFolder, { recursive: true, force: true });
  rmSync(outputFolder, { recursive: true, force: true });
  run('tsc', ['--project', 'tsconfig.build.json']);
  for (const action of actions) {
    const folder = join(outputFolder, action);
    const entry = join(compiledFolder, action, 'index.js');
    const statistics = join(compiledFolder, `${action}.stats.json`);
    const options = ['--out', folder, '--stats-out', statistics, '--quiet', ...unused];
    run('ncc', ['build', entry, ...options]);
    const licenses = licensesOf(readFileSync(statistics, 'utf8'), modulesFolder);
    writeFileSync(join(folder, 'licenses.txt'), licenses);
    minify(folder);
  }
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
    stdio: ['ignore', 'ignore', 'inherit'],
    // npm's shims are .cmd files on Windows, which only a shell can start.
    shell: process.platform === 'win32',
  });
}
