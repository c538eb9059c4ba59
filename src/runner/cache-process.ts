import { subscribe } from 'node:diagnostics_channel';
import { isFeatureAvailable, restoreCache, saveCache } from '@actions/cache';
import { number, object } from 'valibot';
import { timeLimit } from '../network/timer.ts';
import { parse } from '../text/parse.ts';
import { type CacheRequest, entryName } from './cache.ts';
import { stopSignals } from './host.ts';

/** Ends this process in time, even if the process that waits for it is gone. */
const lifetimeMs = 30_000;

/**
 * Sends the request that this process was started with to the cache service, and prints what the library
 * returns as JSON: the key that was found, or the id of the new entry. The library prints its errors
 * itself, and reports them in no other way.
 *
 * Entries are only looked up, because the key holds all that is needed, and unpacking an archive of a
 * stranger could write any file.
 */
export async function serveCache(thisProcess: NodeJS.Process): Promise<void> {
  const request: CacheRequest = JSON.parse(thisProcess.argv[2] ?? '');
  // A signal from the keyboard reaches this process, too, but only the step's process decides when this process ends.
  for (const signal of stopSignals) {
    thisProcess.on(signal, () => undefined);
  }
  timeLimit(lifetimeMs).addEventListener('abort', () => thisProcess.exit(1));
  const statuses = watchStatuses();
  const outcome = isFeatureAvailable() ? await send(request) : 'unavailable';
  const returned = isMissing(statuses, thisProcess.env) ? 'unavailable' : outcome;
  thisProcess.stdout.write(`\n${JSON.stringify({ returned })}`, () => thisProcess.exit());
}

async function send(request: CacheRequest): Promise<unknown> {
  const paths = [`~/${entryName}`];
  if (request.kind === 'save') {
    return await saveCache(paths, request.key);
  }
  const [first = '', ...others] = request.prefixes;
  return await restoreCache(paths, first, others, { lookupOnly: true });
}

const responseSchema = object({ response: object({ statusCode: number() }) });

/** Collects the statuses of all responses, because the library does not report each of them. */
function watchStatuses(): readonly number[] {
  const statuses: number[] = [];
  subscribe('http.client.response.finish', (message) => {
    const status = parse(responseSchema, message)?.response.statusCode;
    if (status !== undefined) {
      statuses.push(status);
    }
  });
  return statuses;
}

/** The statuses by which a server says that it has nothing at an address. */
const missingStatuses: ReadonlySet<number> = new Set([404, 405, 406, 501]);

/** Some Enterprise Servers name the address of a cache service that they do not have. */
function isMissing(statuses: readonly number[], env: NodeJS.ProcessEnv): boolean {
  const host = URL.parse(env['GITHUB_SERVER_URL'] || 'https://github.com')?.hostname ?? '';
  const isEnterpriseServer = !/^(?:github\.com|.*\.ghe\.com)$/i.test(host);
  return (
    isEnterpriseServer &&
    statuses.length > 0 &&
    statuses.every((status) => missingStatuses.has(status))
  );
}
