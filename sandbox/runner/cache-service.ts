import { createServer, type IncomingMessage } from 'node:http';
import * as v from 'valibot';
import { type HttpResponse, send } from '../http.ts';
import { closeServer, listen } from '../listen.ts';

/** What a client of the cache service does, in the order of a save. */
export type CacheOperation = 'find' | 'reserve' | 'upload' | 'commit';

/** What goes wrong with an operation: an HTTP status, a refusal by policy, or no response at all. */
export type CacheFault = number | 'denied' | 'silence';

interface CacheServiceOptions {
  /** Consulted for each request. */
  readonly fault?: (operation: CacheOperation) => CacheFault | undefined;
}

interface CacheEntry {
  readonly id: number;
  readonly key: string;
  readonly version: string;
  bytes: number;
  isCommitted: boolean;
}

export interface CacheService {
  /** The variables by which the runner tells a step of the service, for either protocol. */
  variables(protocol: 'v1' | 'v2'): Readonly<Record<string, string>>;
  /** All operations so far, oldest first. */
  readonly operations: readonly CacheOperation[];
  /** The keys of all entries, oldest first; a test may forge some. */
  readonly keys: readonly string[];
  /** Saves an entry as some other client would, with the version of the newest entry. */
  plant(key: string): void;
  close(): Promise<void>;
}

const token = 'runtime-t0ken';
const twirp = '/twirp/github.actions.results.api.v1.CacheService/';

/**
 * Starts a stand-in for GitHub's cache service on loopback. It speaks the protocol of github.com (v2),
 * with uploads as Azure takes them, and the older one of Enterprise Server and act (v1). Entries are
 * immutable, and found only once they are complete, by the longest-standing rules: the first key or
 * prefix that matches anything, and of its matches the newest.
 */
export async function startCacheService({
  fault = () => undefined,
}: CacheServiceOptions = {}): Promise<CacheService> {
  const entries: CacheEntry[] = [];
  const operations: CacheOperation[] = [];
  const server = createServer(async (request, response) => {
    const call = { entries, base: `http://${request.headers.host}`, body: await readBody(request) };
    const path = request.url ?? '';
    const route = routes.find((one) => one.method === request.method && one.path.test(path));
    if (route === undefined) {
      send(response, { status: 404, body: { message: 'No such operation' } });
      return;
    }
    operations.push(route.operation);
    const wrong = fault(route.operation) ?? missingToken(route, request);
    if (wrong === undefined) {
      const [, ...groups] = route.path.exec(path) ?? [];
      send(response, route.handle({ ...call, groups }));
    } else if (wrong !== 'silence') {
      send(response, failure(wrong, route));
    }
  });
  const url = await listen(server, 0);
  return {
    variables: (protocol) => ({
      ACTIONS_RUNTIME_TOKEN: token,
      ...(protocol === 'v2'
        ? { ACTIONS_RESULTS_URL: `${url}/`, ACTIONS_CACHE_SERVICE_V2: 'True' }
        : { ACTIONS_CACHE_URL: `${url}/` }),
      // The library speaks v2 to GitHub's own servers only.
      GITHUB_SERVER_URL: protocol === 'v2' ? 'https://github.com' : 'https://github.example',
    }),
    operations,
    get keys() {
      return entries.filter(({ isCommitted }) => isCommitted).map(({ key }) => key);
    },
    plant(key) {
      const version = entries.at(-1)?.version ?? '';
      entries.push({ id: entries.length + 1, key, version, bytes: 1, isCommitted: true });
    },
    close: () => closeServer(server),
  };
}

interface Call {
  readonly entries: CacheEntry[];
  readonly base: string;
  readonly body: Buffer;
  readonly groups: readonly string[];
}

interface Route {
  readonly operation: CacheOperation;
  readonly method: string;
  readonly path: RegExp;
  readonly handle: (call: Call) => HttpResponse;
}

/** The refusal of a request without the token. An upload needs no token, because its address is signed. */
function missingToken({ operation }: Route, { headers }: IncomingMessage): CacheFault | undefined {
  return operation === 'upload' || headers.authorization === `Bearer ${token}` ? undefined : 401;
}

function failure(fault: number | 'denied', { operation, path }: Route): HttpResponse {
  const act = operation === 'find' ? 'read' : 'write';
  const message =
    fault === 'denied' ? `cache ${act} denied: the token is read-only` : 'Something went wrong';
  if (fault === 'denied' && operation === 'reserve' && path.source.includes('Create')) {
    return { status: 200, body: { ok: false, message } };
  }
  const status = fault === 'denied' ? 403 : fault;
  return { status, body: { message, msg: message, code: 'permission_denied' } };
}

const v2Entry = v.object({ key: v.string(), version: v.string() });
const v2Search = v.object({
  ...v2Entry.entries,
  restore_keys: v.optional(v.array(v.string()), []),
});
const v2Commit = v.object({ ...v2Entry.entries, size_bytes: v.string() });
const v1Reserve = v.object({ key: v.string(), version: v.string() });

const routes: readonly Route[] = [
  {
    operation: 'find',
    method: 'POST',
    path: new RegExp(`^${twirp}GetCacheEntryDownloadURL$`),
    handle({ entries, base, body }) {
      const { key, restore_keys, version } = v.parse(v2Search, json(body));
      const entry = findEntry(entries, [key, ...restore_keys], version);
      const found = entry && {
        signed_download_url: `${base}/blob/${entry.id}`,
        matched_key: entry.key,
      };
      return { status: 200, body: { ok: entry !== undefined, ...found } };
    },
  },
  {
    operation: 'reserve',
    method: 'POST',
    path: new RegExp(`^${twirp}CreateCacheEntry$`),
    handle({ entries, base, body }) {
      const entry = reserve(entries, v.parse(v2Entry, json(body)));
      return {
        status: 200,
        body: {
          ok: entry !== undefined,
          signed_upload_url:
            entry === undefined ? '' : `${base}/account/blob/${entry.id}?sig=s3cret`,
        },
      };
    },
  },
  {
    operation: 'upload',
    method: 'PUT',
    path: /^\/account\/blob\/(\d+)\?/,
    handle({ entries, body, groups: [id] }) {
      const entry = entries[Number(id) - 1];
      if (entry !== undefined) {
        entry.bytes += body.length;
      }
      const headers = { ETag: '"1"', 'Last-Modified': new Date(0).toUTCString() };
      return { status: 201, body: '', headers: { ...headers, 'x-ms-request-id': '1' } };
    },
  },
  {
    operation: 'commit',
    method: 'POST',
    path: new RegExp(`^${twirp}FinalizeCacheEntryUpload$`),
    handle({ entries, body }) {
      const { key, version, size_bytes } = v.parse(v2Commit, json(body));
      const entry = entries.find((one) => one.key === key.toLowerCase() && one.version === version);
      const ok = commit(entry, Number(size_bytes));
      return { status: 200, body: { ok, entry_id: String(entry?.id ?? 0) } };
    },
  },
  {
    operation: 'find',
    method: 'GET',
    path: /^\/_apis\/artifactcache\/cache\?keys=([^&]*)&version=(\w+)$/,
    handle({ entries, base, groups: [keys = '', version = ''] }) {
      const entry = findEntry(entries, decodeURIComponent(keys).split(','), version);
      const archiveLocation = `${base}/blob/${entry?.id}`;
      return entry === undefined
        ? { status: 204, body: '' }
        : { status: 200, body: { archiveLocation, cacheKey: entry.key, scope: 'refs/heads/main' } };
    },
  },
  {
    operation: 'reserve',
    method: 'POST',
    path: /^\/_apis\/artifactcache\/caches$/,
    handle({ entries, body }) {
      const entry = reserve(entries, v.parse(v1Reserve, json(body)));
      return entry === undefined
        ? { status: 409, body: { message: 'Cache already exists' } }
        : { status: 201, body: { cacheId: entry.id } };
    },
  },
  {
    operation: 'upload',
    method: 'PATCH',
    path: /^\/_apis\/artifactcache\/caches\/(\d+)$/,
    handle({ entries, body, groups: [id] }) {
      const entry = entries[Number(id) - 1];
      if (entry !== undefined) {
        entry.bytes += body.length;
      }
      return { status: 204, body: '' };
    },
  },
  {
    operation: 'commit',
    method: 'POST',
    path: /^\/_apis\/artifactcache\/caches\/(\d+)$/,
    handle({ entries, body, groups: [id] }) {
      const { size } = v.parse(v.object({ size: v.number() }), json(body));
      return { status: commit(entries[Number(id) - 1], size) ? 204 : 400, body: '' };
    },
  },
];

function json(body: Buffer): unknown {
  return JSON.parse(body.toString('utf8'));
}

function findEntry(
  entries: readonly CacheEntry[],
  prefixes: readonly string[],
  version: string,
): CacheEntry | undefined {
  const usable = entries.filter((entry) => entry.isCommitted && entry.version === version);
  return prefixes
    .map((prefix) => usable.findLast(({ key }) => key.startsWith(prefix.toLowerCase())))
    .find((entry) => entry !== undefined);
}

/** `undefined` if there is one already: entries are immutable. */
function reserve(
  entries: CacheEntry[],
  { key: given, version }: { readonly key: string; readonly version: string },
): CacheEntry | undefined {
  // Some cache services return keys in lower case.
  const key = given.toLowerCase();
  if (entries.some((entry) => entry.key === key && entry.version === version)) {
    return undefined;
  }
  const entry = { id: entries.length + 1, key, version, bytes: 0, isCommitted: false };
  entries.push(entry);
  return entry;
}

/** Whether the upload is complete. */
function commit(entry: CacheEntry | undefined, size: number): boolean {
  if (entry === undefined || entry.bytes !== size) {
    return false;
  }
  entry.isCommitted = true;
  return true;
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) {
    chunks.push(Buffer.from(chunk));
  }
  return Buffer.concat(chunks);
}
