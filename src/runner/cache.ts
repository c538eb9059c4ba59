import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, parse } from 'node:path';
import { execPath } from 'node:process';
import { promisify } from 'node:util';
import { object, optional, unknown } from 'valibot';
import { parse as parseWith } from '../text/parse.ts';
import { oneLine } from '../text/plain.ts';

/** One request to the cache service; see `serveCache`. */
export type CacheRequest =
  | { readonly kind: 'find'; readonly prefixes: readonly string[] }
  | { readonly kind: 'save'; readonly key: string };

/**
 * The name of the file in an entry. The service finds an entry only by the path that it was saved with, so
 * the name is the same on every runner.
 */
export const entryName = 'docs-agent-action';

/** `unavailable`: this runner has no cache service. `problem` is a main clause. */
type NoOutcome =
  | { readonly kind: 'unavailable' }
  | { readonly kind: 'failed'; readonly problem: string };

/** The key that was found; an empty list if there is none. */
type CacheSearch = { readonly kind: 'ok'; readonly value: readonly string[] } | NoOutcome;

type CacheSave = { readonly kind: 'saved' } | NoOutcome;

/** GitHub's cache service. The action uses only the keys of the entries. */
export interface Cache {
  /**
   * Finds the newest key that begins with the first prefix, or else with the next one, among the entries that
   * this run's branch can read. Never rejects, unless aborted.
   */
  find(prefixes: readonly string[], signal: AbortSignal): Promise<CacheSearch>;
  /** Saves an entry with this key. Never rejects, unless aborted. */
  save(key: string, signal: AbortSignal): Promise<CacheSave>;
}

/** The library retries a few times, seconds apart. The step waits for the library no longer than this. */
const timeoutMs = 20_000;

/**
 * Talks to the cache service in a process of its own: the library prints to the log, swallows its errors, has
 * no time limit, and cannot be cancelled.
 *
 * @param entry the path of a script that calls `serveCache`
 * @param variables the variables of this process. The cache's process gets only those that it needs, and no
 *   input
 * @param limitMs the limit for one request, in wall time: a silent service uses no processor time
 */
export function createCache(
  entry: string,
  variables: NodeJS.ProcessEnv,
  limitMs = timeoutMs,
): Cache {
  const ask = async <Outcome>(
    request: CacheRequest,
    signal: AbortSignal,
    read: (printed: Printed) => Outcome,
  ): Promise<Outcome | NoOutcome> => {
    if (!isSetUp(variables)) {
      return { kind: 'unavailable' };
    }
    try {
      const printed = await run(request, entry, variables, limitMs, signal);
      return printed.returned === 'unavailable' ? { kind: 'unavailable' } : read(printed);
    } catch (error) {
      signal.throwIfAborted();
      return failed(isKilled(error) ? 'it did not respond in time' : String(error));
    }
  };
  return {
    find: (prefixes, signal) => ask({ kind: 'find', prefixes }, signal, found),
    save: (key, signal) => ask({ kind: 'save', key }, signal, saved),
  };
}

/** What the process printed: the library's own messages, and the value that the library returned. */
interface Printed {
  readonly text: string;
  readonly returned?: unknown;
}

async function run(
  request: CacheRequest,
  entry: string,
  variables: NodeJS.ProcessEnv,
  limitMs: number,
  signal: AbortSignal,
): Promise<Printed> {
  const folder = await mkdtemp(join(tmpdir(), 'docs-agent-'));
  try {
    await writeFile(join(folder, entryName), 'What matters is the key of this entry.\n');
    const { execFile } = await import('node:child_process');
    const { stdout } = await promisify(execFile)(execPath, [entry, JSON.stringify(request)], {
      env: variablesFor(variables, folder),
      timeout: limitMs,
      killSignal: 'SIGKILL',
      signal,
    });
    const end = stdout.lastIndexOf('\n');
    return {
      text: stdout.slice(0, end),
      ...parseWith(returnedSchema, JSON.parse(stdout.slice(end))),
    };
  } finally {
    // The process may have been ended before it could tidy up.
    await rm(folder, { recursive: true, force: true });
  }
}

const returnedSchema = object({ returned: optional(unknown()) });

function isKilled(error: unknown): boolean {
  return error instanceof Error && 'killed' in error && error.killed === true;
}

function failed(why: string): NoOutcome {
  return { kind: 'failed', problem: `the cache service failed (${oneLine(why, 200)})` };
}

/**
 * Whether the runner names a usable address, and a token where the protocol needs one. Otherwise no request
 * can succeed.
 */
function isSetUp(env: NodeJS.ProcessEnv): boolean {
  const addresses = [env['ACTIONS_CACHE_URL'], env['ACTIONS_RESULTS_URL']].filter(Boolean);
  const others = [env['GITHUB_SERVER_URL']].filter(Boolean);
  return (
    // The older protocol, which act speaks, needs no token.
    (Boolean(env['ACTIONS_RUNTIME_TOKEN']) || !env['ACTIONS_CACHE_SERVICE_V2']) &&
    addresses.length > 0 &&
    [...addresses, ...others].every((address) => URL.canParse(address ?? ''))
  );
}

/**
 * Matches what the library says if a policy denies this run the cache, or if the address has no cache service, as on
 * some Enterprise Servers. No later request changes that.
 */
const unavailable =
  /cache read denied:|cache restore skipped:|cache service responded with (?:404|405|406|501)\b/i;

function found({ text, returned }: Printed): CacheSearch {
  if (typeof returned === 'string') {
    return { kind: 'ok', value: [returned] };
  }
  const none: CacheSearch = { kind: 'ok', value: [] };
  return unavailable.test(text) ? { kind: 'unavailable' } : (failureIn(text) ?? none);
}

function saved({ text, returned }: Printed): CacheSave {
  if (/cache write denied:|cache save skipped:/i.test(text)) {
    return { kind: 'failed', problem: 'the cache is read-only for this run' };
  }
  const isSaved = typeof returned === 'number' && returned >= 0;
  return failureIn(text) ?? (isSaved ? { kind: 'saved' } : failed('nothing was saved'));
}

/**
 * The failure that the library warned of. The key, which says nothing to people, and the library's guesses
 * and advice are left out.
 */
function failureIn(text: string): NoOutcome | undefined {
  const warning =
    /^(?:::(?:warning|error)[^:]*::)?Failed to (?:save|restore): (.*?)(?:%0A| If you are using self-hosted runners|$)/m;
  const problem = warning.exec(text)?.[1]?.replace(/ with key [\w-]+(?:, another job[^.]*)?/, '');
  return problem === undefined ? undefined : failed(problem);
}

const neededVariables = [
  // The cache service.
  'ACTIONS_CACHE_URL',
  'ACTIONS_RESULTS_URL',
  'ACTIONS_RUNTIME_TOKEN',
  'ACTIONS_CACHE_SERVICE_V2',
  'ACTIONS_CACHE_MODE',
  'GITHUB_SERVER_URL',
  // For tar and temporary files.
  'PATH',
  'Path',
  'PATHEXT',
  'ComSpec',
  'PROGRAMFILES',
  'SYSTEMDRIVE',
  'TMPDIR',
  'TEMP',
  'TMP',
  // Where Node keeps compiled code.
  'NODE_COMPILE_CACHE',
  // Proxies and certificates.
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'NODE_EXTRA_CA_CERTS',
] as const;

/** Selects the variables that the cache's process needs. No input of the action is among them. */
function variablesFor(variables: NodeJS.ProcessEnv, folder: string): NodeJS.ProcessEnv {
  return {
    ...Object.fromEntries(neededVariables.map((name) => [name, variables[name]])),
    // Where the library looks for the entry, and puts its archive.
    HOME: folder,
    USERPROFILE: folder,
    RUNNER_TEMP: folder,
    // The library gives this path to tar without quotes, so it must not contain a space.
    GITHUB_WORKSPACE: parse(folder).root,
  };
}
