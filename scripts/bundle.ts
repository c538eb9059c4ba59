import { execFileSync } from 'node:child_process';
import { globSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
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
    const workers = bundleWorkers(action, folder);
    const bundled = [readFileSync(statistics, 'utf8'), ...workers].join('\n');
    writeFileSync(join(folder, 'licenses.txt'), licensesOf(bundled, modulesFolder));
    minify(folder);
  }
}

/**
 * Bundles what an action runs in threads of their own: each worker is one file beside the entry,
 * where `workerBeside` looks for it. ncc would copy such a file without what it imports.
 *
 * @returns esbuild's lists of what went into them
 */
function bundleWorkers(action: string, folder: string): string[] {
  return globSync(`${action}/**/*.worker.js`, { cwd: compiledFolder })
    .sort()
    .map((worker) => {
      const name = basename(worker);
      const list = join(compiledFolder, `${action}.${name}on`);
      run('esbuild', [
        join(compiledFolder, worker),
        '--bundle',
        '--platform=node',
        '--format=esm',
        '--log-level=warning',
        `--metafile=${list}`,
        `--outfile=${join(folder, name)}`,
      ]);
      return readFileSync(list, 'utf8');
    });
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
