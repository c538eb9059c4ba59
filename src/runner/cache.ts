import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runBounded } from './bounded-process.ts';
import type { CacheRequest, CacheSave, CacheSearch, CacheWork } from './cache-process.ts';

/** GitHub's cache service, in which only the keys of entries matter here. */
export interface Cache {
  /** The newest key that begins so, among those of this run's branch. Never rejects, unless aborted. */
  find(prefix: string, signal: AbortSignal): Promise<CacheSearch>;
  /** Saves an entry with this key. Never rejects, unless aborted. */
  save(key: string, signal: AbortSignal): Promise<CacheSave>;
}

/** What tells the bundle that it was started as the process which talks to the cache service. */
export const cacheArgument = 'talk-to-the-cache-service';

/** The library tries again a few times, seconds apart. A step that waits for it needs an answer. */
const timeoutMs = 20_000;

const memoryMb = 256;

/**
 * Talks to the cache service in a process of its own: the library prints to the log, swallows its
 * errors, and cannot be cancelled.
 *
 * @param entry the action's entry, which starts that process when it gets `cacheArgument`
 * @param variables of this process; the other one gets those that it needs, and no input
 */
export function createCache(entry: URL, variables: NodeJS.ProcessEnv): Cache {
  const env = cacheVariables(variables);
  const ask = async <Outcome>(request: CacheRequest, signal: AbortSignal) => {
    if (!isSetUp(env)) {
      return { kind: 'unavailable' } as const;
    }
    const options = { arguments: [cacheArgument], env };
    const bounds = { timeoutMs, memoryMb, signal };
    const folder = await openFolder(env);
    try {
      const work = { request, folder };
      const result = await runBounded<CacheWork, Outcome>(entry, work, bounds, options);
      return result.kind === 'done' ? result.output : failed('it did not respond in time');
    } catch (error) {
      signal.throwIfAborted();
      return failed(String(error));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };
  return {
    find: (prefix, signal) => ask<CacheSearch>({ kind: 'find', prefix }, signal),
    save: (key, signal) => ask<CacheSave>({ kind: 'save', key }, signal),
  };
}

function failed(why: string) {
  return { kind: 'failed', problem: `the cache service failed (${why})` } as const;
}

/** With a usable address, and a token where one is needed; no later attempt would fare better. */
function isSetUp(env: NodeJS.ProcessEnv): boolean {
  const addresses = [env['ACTIONS_CACHE_URL'], env['ACTIONS_RESULTS_URL']].filter(Boolean);
  const others = [env['GITHUB_SERVER_URL']].filter(Boolean);
  return (
    // The older protocol does without, as in act.
    (Boolean(env['ACTIONS_RUNTIME_TOKEN']) || !env['ACTIONS_CACHE_SERVICE_V2']) &&
    addresses.length > 0 &&
    [...addresses, ...others].every((address) => URL.canParse(address ?? ''))
  );
}

/** A folder for the process, which may be ended before it could tidy up. */
async function openFolder(env: NodeJS.ProcessEnv): Promise<string> {
  const name = 'docs-agent-';
  return await mkdtemp(join(env['RUNNER_TEMP'] || tmpdir(), name)).catch(() =>
    mkdtemp(join(tmpdir(), name)),
  );
}

const neededVariables = [
  // What the runner says about the cache service.
  'ACTIONS_CACHE_URL',
  'ACTIONS_RESULTS_URL',
  'ACTIONS_RUNTIME_TOKEN',
  'ACTIONS_CACHE_SERVICE_V2',
  'ACTIONS_CACHE_MODE',
  'GITHUB_SERVER_URL',
  'RUNNER_TEMP',
  // How to find tar, and a place for temporary files.
  'PATH',
  'Path',
  'PATHEXT',
  'ComSpec',
  'PROGRAMFILES',
  'SYSTEMDRIVE',
  'TMPDIR',
  'TEMP',
  'TMP',
  // Where Node may keep compiled code.
  'NODE_COMPILE_CACHE',
  // How to get out.
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'NODE_EXTRA_CA_CERTS',
] as const;

/** Of this process's variables those that the cache service needs; no input is among them. */
function cacheVariables(variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    neededVariables.flatMap((name) => {
      const value = variables[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
