import { execFileSync } from 'node:child_process';
import { globSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { actions, repositoryFolder } from './actions.ts';
import { licensesOf } from './licenses.ts';

const compiledFolder = join(repositoryFolder, 'build');
const modulesFolder = join(repositoryFolder, 'node_modules');
const binFolder = join(modulesFolder, '.bin');

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
    const statistics = join(compiledFolder, `${action}.stats.json`);
    const entry = join(compiledFolder, action, 'index.js');
    run('ncc', ['build', entry, '--out', folder, '--stats-out', statistics, '--quiet']);
    const workers = bundleWorkers(action, folder);
    const bundled = [readFileSync(statistics, 'utf8'), ...workers].join('\n');
    writeFileSync(join(folder, 'licenses.txt'), licensesOf(bundled, modulesFolder));
    minify(folder);
  }
}

/** Without spaces and double quotes, which a shell on Windows would not pass on. */
const defineRequire =
  "import{createRequire}from'node:module';const/**/require=createRequire(import.meta.url);";

/**
 * Bundles the workers of an action, which run in separate processes. Each becomes one file next to the
 * entry, where `workerBeside` looks for it. ncc would copy such a file without its imports.
 *
 * @returns esbuild's lists of the bundled files
 */
function bundleWorkers(action: string, folder: string): string[] {
  return globSync(`${action}/**/*.worker.js`, { cwd: compiledFolder })
    .sort()
    .map((worker) => {
      const name = basename(worker);
      const metafile = join(compiledFolder, `${action}.${name}on`);
      run('esbuild', [
        join(compiledFolder, worker),
        '--bundle',
        '--platform=node',
        '--format=esm',
        // Packages in the older format load Node's own modules with it.
        `--banner:js=${defineRequire}`,
        '--log-level=warning',
        `--metafile=${metafile}`,
        `--outfile=${join(folder, name)}`,
      ]);
      return readFileSync(metafile, 'utf8');
    });
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
