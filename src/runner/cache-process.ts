import { writeFile } from 'node:fs/promises';
import { join, parse } from 'node:path';
import { isFeatureAvailable, restoreCache, saveCache } from '@actions/cache';
import { oneLine } from '../text/plain.ts';
import { serve } from './bounded-worker.ts';

export type CacheRequest =
  | { readonly kind: 'find'; readonly prefix: string }
  | { readonly kind: 'save'; readonly key: string };

export interface CacheWork {
  readonly request: CacheRequest;
  /** A folder that is removed afterwards. */
  readonly folder: string;
}

interface NoOutcome {
  /** `unavailable`: this runner has no cache service. */
  readonly kind: 'unavailable';
}

interface Failed {
  readonly kind: 'failed';
  /** A main clause. */
  readonly problem: string;
}

export type CacheSearch =
  | { readonly kind: 'found'; readonly key: string }
  | { readonly kind: 'none' }
  | NoOutcome
  | Failed;

export type CacheSave = { readonly kind: 'saved' } | NoOutcome | Failed;

/**
 * Makes this process the one that talks to the cache service, for one request.
 *
 * Entries are looked up, and never restored: what is needed stands in the key, and to unpack an
 * archive could write any file that the one who saved it had in mind.
 */
export function serveCache(): void {
  const printed = collectPrinted();
  serve(async ({ request, folder }: CacheWork): Promise<CacheSearch | CacheSave> => {
    if (!isFeatureAvailable()) {
      return { kind: 'unavailable' };
    }
    moveHome(folder);
    return request.kind === 'find'
      ? await find(request.prefix, printed)
      : await save(request.key, folder, printed);
  });
}

/** The library reports what went wrong by printing a command for the runner, and in no other way. */
function collectPrinted(): readonly string[] {
  const printed: string[] = [];
  process.stdout.write = (chunk: string | Uint8Array) => {
    printed.push(String(chunk));
    return true;
  };
  return printed;
}

/** The library takes these for home and the place of its archive. */
function moveHome(folder: string): void {
  for (const name of ['HOME', 'USERPROFILE', 'RUNNER_TEMP']) {
    process.env[name] = folder;
  }
  // It gives this path to tar without quotes, so it must not have a space.
  process.env['GITHUB_WORKSPACE'] = parse(folder).root;
}

/** An entry is found again only under the same path, so it must not depend on the runner. */
const fileName = 'docs-agent-action';
const paths = [`~/${fileName}`];

async function find(prefix: string, printed: readonly string[]): Promise<CacheSearch> {
  const key: unknown = await restoreCache(paths, prefix, [], { lookupOnly: true });
  if (typeof key === 'string') {
    return { kind: 'found', key };
  }
  // A policy that keeps a run from reading is there for good.
  const isDenied = /cache read denied:|cache restore skipped:/i.test(printed.join(''));
  return isDenied ? { kind: 'unavailable' } : (failureIn(printed) ?? { kind: 'none' });
}

async function save(key: string, folder: string, printed: readonly string[]): Promise<CacheSave> {
  await writeFile(join(folder, fileName), 'What matters is the key of this entry.\n');
  const id = await saveCache(paths, key);
  if (/cache write denied:|cache save skipped:/i.test(printed.join(''))) {
    return { kind: 'failed', problem: 'the cache is read-only for this run' };
  }
  const unknown = { kind: 'failed', problem: 'the cache service failed' } as const;
  return failureIn(printed, key) ?? (id < 0 ? unknown : { kind: 'saved' });
}

/** @param key is left out of the words: it is long, and says nothing to people */
function failureIn(printed: readonly string[], key = ''): Failed | undefined {
  const pattern = /^(?:::(?:warning|error)[^:]*::)?(?:Failed to (?:save|restore): )(.*)$/m;
  const [, words] = pattern.exec(printed.join('')) ?? [];
  return words === undefined
    ? undefined
    : {
        kind: 'failed',
        problem: `the cache service failed (${oneLine(withoutKey(words, key), 200)})`,
      };
}

/** What the library adds is guesses and advice that do not fit here. */
function withoutKey(words: string, key: string): string {
  const line = words
    .replace(/(?:%0A| )*If you are using self-hosted runners.*/, '')
    .replace(/, another job may be creating this cache\b/, '')
    .replaceAll('%0A', ' ');
  return key === '' ? line : line.replaceAll(` with key ${key}`, '');
}
