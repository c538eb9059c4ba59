import { globSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { actions, repositoryFolder } from './actions.ts';
import { licensesOf } from './licenses.ts';

/**
 * Bundles every action into its own folder below `outputFolder`, which is emptied first: its entry, with
 * what it imports dynamically in files of its own, and its workers, which run in other processes.
 */
export async function bundle(outputFolder: string): Promise<void> {
  rmSync(outputFolder, { recursive: true, force: true });
  for (const action of actions) {
    const folder = join(outputFolder, action);
    const workers = globSync(`src/${action}/**/*.worker.ts`, { cwd: repositoryFolder }).sort();
    const inputs = [
      // A worker shares nothing with the entry, so that each loads only the parts that it uses.
      ...(await bundleInto(folder, workers, false)),
      ...(await bundleInto(folder, [`src/${action}/index.ts`], true)),
    ];
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}\n');
    const modules = join(repositoryFolder, 'node_modules');
    writeFileSync(join(folder, 'licenses.txt'), licensesOf(inputs, modules));
  }
}

/** @returns the paths of the bundled files */
async function bundleInto(
  folder: string,
  entries: string[],
  splitting: boolean,
): Promise<string[]> {
  const { metafile } = await build({
    absWorkingDir: repositoryFolder,
    entryPoints: entries,
    outdir: folder,
    entryNames: '[name]',
    bundle: true,
    splitting,
    format: 'esm',
    platform: 'node',
    // jsonc-parser's other format requires its files in a way that no bundler can follow.
    mainFields: ['module', 'main'],
    // Node 24 runs it, but an older Node must be able to parse it, to say that it is too old.
    target: 'node20',
    // Packages in the older format load Node's own modules with it.
    banner: { js: defineRequire },
    plugins: [lessToLoad],
    // Half of the time until the first line of the log is spent on compiling.
    minify: true,
    // A file that is only ASCII needs no decoding.
    charset: 'ascii',
    // licenses.txt has them.
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  });
  return Object.keys(metafile.inputs);
}

const defineRequire =
  "import{createRequire as __require}from'node:module';const require=__require(import.meta.url);";

/**
 * Two packages would make up three quarters of what a run loads before its first request:
 *
 * - `@actions/core` brings an HTTP client along, for OIDC tokens that nobody here asks for. Neither says
 *   in its package.json that unused parts can be left out, so this does.
 * - The index of undici loads fetch, WebSocket, a cache and more. `src/network/http.ts` uses two
 *   dispatchers, and the HTTP client of the cache library a third one.
 */
const lessToLoad: Plugin = {
  name: 'less-to-load',
  setup({ onLoad, onResolve, resolve }) {
    onResolve({ filter: /./ }, async ({ path, pluginData, ...from }) => {
      const isUnmarked = /@actions[\\/](?:core|http-client)\b/.test(from.importer + path);
      return isUnmarked && pluginData !== 'marked'
        ? { ...(await resolve(path, { ...from, pluginData: 'marked' })), sideEffects: false }
        : undefined;
    });
    onLoad({ filter: /[\\/]undici[\\/]index\.js$/ }, () => ({ contents: undiciIndex }));
  },
};

const undiciIndex = `
  import Dispatcher from './lib/dispatcher/dispatcher.js';
  import api from './lib/api/index.js';
  Object.assign(Dispatcher.prototype, api);
  export { default as Agent } from './lib/dispatcher/agent.js';
  export { default as EnvHttpProxyAgent } from './lib/dispatcher/env-http-proxy-agent.js';
  export { default as ProxyAgent } from './lib/dispatcher/proxy-agent.js';
`;
