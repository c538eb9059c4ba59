import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { actions } from './actions.ts';
import { licensesOf } from './licenses.ts';

/** The folder that holds package.json. */
export const repositoryFolder = fileURLToPath(new URL('..', import.meta.url));

const compiledFolder = join(repositoryFolder, 'build');
const modulesFolder = join(repositoryFolder, 'node_modules');
const binFolder = join(modulesFolder, '.bin');

/**
 * Compiles `src` and bundles every action into its own folder below `outputFolder`.
 *
 * Two steps, because ncc 0.45 cannot read TypeScript 7 sources: tsc emits JavaScript, ncc bundles
 * that. Both folders are emptied first, since neither tool removes what an earlier build left.
 */
export function bundle(outputFolder: string): void {
  rmSync(compiledFolder, { recursive: true, force: true });
  rmSync(outputFolder, { recursive: true, force: true });
  run('tsc', ['--project', 'tsconfig.build.json']);
  for (const action of actions) {
    const folder = join(outputFolder, action);
    const statistics = join(compiledFolder, `${action}.stats.json`);
    const entry = join(compiledFolder, action, 'index.js');
    run('ncc', ['build', entry, '--out', folder, '--stats-out', statistics, '--quiet']);
    const licenses = licensesOf(readFileSync(statistics, 'utf8'), modulesFolder);
    writeFileSync(join(folder, 'licenses.txt'), licenses);
    minify(folder);
  }
}

/**
 * Half of the time to the first line goes into compiling text: with half as much of it, and without
 * the brackets that make the engine compile every module at once, a run starts about a tenth faster.
 * ncc's own `--minify` is slower than none, since it puts such brackets around every argument.
 */
function minify(folder: string): void {
  const files = readdirSync(folder).filter((name) => name.endsWith('.js'));
  run('esbuild', [
    ...files.map((name) => join(folder, name)),
    '--minify',
    // What runs it is Node 24, but an older one must be able to read it, to say that it is too old.
    '--target=node20',
    // A file of ASCII alone needs no decoding.
    '--charset=ascii',
    // They stand in licenses.txt.
    '--legal-comments=none',
    // What is bundled is the same wherever the folder lies, near a tsconfig.json or not.
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
