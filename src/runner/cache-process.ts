import { isFeatureAvailable, restoreCache, saveCache } from '@actions/cache';
import { timeLimit } from '../network/timer.ts';
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
  const returned = isFeatureAvailable() ? await send(request) : 'unavailable';
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
