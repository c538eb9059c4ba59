import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type CacheFault, startCacheService } from '../../../sandbox/runner/cache-service.ts';
import { bundleOf, inRepository } from '../../../scripts/actions.ts';
import { createCache } from '../../../src/runner/cache.ts';

const silent = inRepository('test/fixtures/silent.worker.ts');
const broken = inRepository('test/fixtures/no-such.worker.ts');
const printing = inRepository('test/fixtures/printing.worker.ts');
const telling = inRepository('test/fixtures/environment.worker.ts');
const { signal } = new AbortController();

const variables = {
  PATH: process.env['PATH'],
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
  ACTIONS_CACHE_URL: 'http://127.0.0.1:9/',
  RUNNER_TEMP: tmpdir(),
};

describe('the cache', () => {
  /** What the cache makes of this, printed by its process. */
  const outcomeOf = (kind: 'find' | 'save', text: string, env: NodeJS.ProcessEnv = variables) => {
    const cache = createCache(printing, { PATH: process.env['PATH'], ...env });
    const hex = Buffer.from(text).toString('hex');
    return kind === 'find' ? cache.find([hex], signal) : cache.save(hex, signal);
  };
  const failed = (why: string) => ({
    kind: 'failed',
    problem: `the cache service failed (${why})`,
  });
  const readOnly = { kind: 'failed', problem: 'the cache is read-only for this run' };

  it.concurrent.each<['find' | 'save', string, object]>([
    ['find', '\n{"returned":"a-key"}', { kind: 'ok', value: ['a-key'] }],
    ['find', 'Cache read denied: no\n{}', { kind: 'unavailable' }],
    ['find', 'cache restore skipped: no\n{}', { kind: 'unavailable' }],
    ['find', 'x\n::warning::Failed to restore: Bad%0AMore\n{}', failed('Bad')],
    ['find', 'Failed to restore: Bad If you are using self-hosted runners\n{}', failed('Bad')],
    ['save', '\n{"returned":0}', { kind: 'saved' }],
    ['save', '\n{"returned":-1}', failed('nothing was saved')],
    ['save', 'cache write denied: no\n{"returned":-1}', readOnly],
    ['save', 'Cache save skipped: no\n{"returned":-1}', readOnly],
    [
      'save',
      '::error::Failed to save: Unable to reserve cache with key a-1, another job may be at it. Wait\n{"returned":1}',
      failed('Unable to reserve cache. Wait'),
    ],
    ['save', `Failed to save: ${'x'.repeat(201)}\n{}`, failed(`${'x'.repeat(199)}…`)],
  ])('reads what its process says of a %s: %j', async (kind, text, outcome) => {
    expect(await outcomeOf(kind, text)).toEqual(outcome);
  });

  const url = 'http://127.0.0.1:9/';
  const v2 = { ACTIONS_RESULTS_URL: url, ACTIONS_CACHE_SERVICE_V2: 'True' };

  it.concurrent.each<[NodeJS.ProcessEnv, string]>([
    [{}, 'unavailable'],
    [{ ACTIONS_RESULTS_URL: url }, 'ok'],
    [v2, 'unavailable'],
    [{ ...v2, ACTIONS_RUNTIME_TOKEN: 'x' }, 'ok'],
    [{ ...variables, ACTIONS_RESULTS_URL: 'cache' }, 'unavailable'],
    [{ ...variables, GITHUB_SERVER_URL: 'github' }, 'unavailable'],
  ])('is set up by these variables: %j', async (env, kind) => {
    expect(await outcomeOf('find', '\n{}', env)).toMatchObject({ kind });
  });

  it('has failed when its service stays silent, although that takes no processor time', async () => {
    const found = await createCache(silent, variables, 200).find(['a'], signal);
    const problem = 'the cache service failed (it did not respond in time)';
    expect(found).toEqual({ kind: 'failed', problem });
  });

  it('rejects only when the run is cancelled', async () => {
    const cancel = new AbortController();
    const finding = createCache(silent, variables).find(['a'], cancel.signal);
    const reason = new Error('received SIGINT');
    cancel.abort(reason);
    await expect(finding).rejects.toBe(reason);
  });

  it('gives its process no input, no token and no other secret of the step', async () => {
    const secrets = {
      'INPUT_API-KEY': 'mint_k3y',
      'INPUT_GITHUB-TOKEN': 'ghs_t0ken',
      INPUT_PROMPT: 'a secret plan',
      GITHUB_TOKEN: 'ghs_t0ken-of-the-job',
      DOCS_KEY: 'mint_k3y-in-the-environment',
    };
    const needed = {
      ACTIONS_RUNTIME_TOKEN: 'of the cache service',
      NODE_EXTRA_CA_CERTS: '/etc/corp.pem',
      ...Object.fromEntries(
        ['http_proxy', 'https_proxy', 'no_proxy'].flatMap((name) => [
          [name, `${name}.example`],
          [name.toUpperCase(), `${name}.example`],
        ]),
      ),
    };
    const cache = createCache(telling, { ...variables, ...needed, ...secrets });
    const found = await cache.find(['a'], signal);
    const told = found.kind === 'ok' ? found.value.join() : '';
    // It is the process's own environment, in which the cache service's token has to be.
    expect(JSON.parse(told).env).toMatchObject(needed);
    for (const secret of Object.values(secrets)) {
      expect(told).not.toContain(secret);
    }
  });

  it('has failed when its process cannot start', async () => {
    const found = await createCache(broken, variables).find(['a'], signal);
    expect(found).toMatchObject({ kind: 'failed' });
  });

  it('has failed when there is no folder for temporary files', async () => {
    vi.stubEnv('TMPDIR', '/nowhere');
    const found = await createCache(silent, { ...variables, RUNNER_TEMP: '/nowhere' }).find(
      ['a'],
      signal,
    );
    vi.unstubAllEnvs();
    expect(found).toMatchObject({ kind: 'failed', problem: expect.stringContaining('ENOENT') });
  });
});

describe('a cache service', () => {
  const source = inRepository('src/agent/cache-process.ts');
  const bundle = join(dirname(bundleOf('agent').entry), 'cache-process', 'index.js');

  async function start(
    protocol: 'v1' | 'v2',
    fault?: (operation: string) => CacheFault | undefined,
    more: NodeJS.ProcessEnv = {},
    entry = source,
  ) {
    const service = await startCacheService(fault && { fault });
    onTestFinished(() => service.close());
    const env = { ...variables, ACTIONS_CACHE_URL: '', ...service.variables(protocol), ...more };
    return { service, cache: createCache(entry, env, 60_000) };
  }

  it.each(['v1', 'v2'] as const)('of %s keeps keys, and finds the newest one', async (protocol) => {
    const { cache, service } = await start(protocol);
    expect(await cache.save('a-1', signal)).toEqual({ kind: 'saved' });
    expect(service.operations).toEqual(['reserve', 'upload', 'commit']);
    service.plant('a-2');
    expect(await cache.find(['b-', 'a-'], signal)).toEqual({ kind: 'ok', value: ['a-2'] });
    expect(await cache.find(['b-'], signal)).toEqual({ kind: 'ok', value: [] });
  });

  it.each<[string, (folder: string) => NodeJS.ProcessEnv]>([
    ['with a space in RUNNER_TEMP', (folder) => ({ RUNNER_TEMP: folder })],
    ['whose RUNNER_TEMP does not exist', (folder) => ({ RUNNER_TEMP: join(folder, 'missing') })],
    ['without a home', () => ({ HOME: '' })],
  ])('is used on a runner %s, which keeps no file', async (_name, envIn) => {
    const folder = mkdtempSync(join(tmpdir(), 'runner temp '));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const { cache } = await start('v2', undefined, envIn(folder), bundle);
    expect(await cache.save('a-1', signal)).toEqual({ kind: 'saved' });
    expect(await cache.find(['a-'], signal)).toEqual({ kind: 'ok', value: ['a-1'] });
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([
    ['a token', { ACTIONS_RUNTIME_TOKEN: '' }],
    ['a usable address', { ACTIONS_RESULTS_URL: 'nowhere' }],
  ])('is none without %s', async (_name, env) => {
    const { cache } = await start('v2', undefined, env);
    expect(await cache.find(['a-'], signal)).toEqual({ kind: 'unavailable' });
  });

  const failed = (words: string) => ({
    kind: 'failed',
    problem: expect.stringContaining(`the cache service failed (${words}`),
  });
  const readOnly = { kind: 'failed', problem: 'the cache is read-only for this run' };

  it.each<['v1' | 'v2' | 'ghe.com', CacheFault, object, object?]>([
    // Some Enterprise Servers name an address where they have no cache service.
    ['v1', 404, { kind: 'unavailable' }, failed('Unable to reserve cache')],
    ['v1', 405, { kind: 'unavailable' }],
    ['v1', 406, { kind: 'unavailable' }],
    ['v1', 501, { kind: 'unavailable' }],
    ['v1', 500, failed('getCacheEntry failed: ')],
    ['v2', 404, failed('Failed to Get')],
    ['ghe.com', 404, failed('Failed to Get')],
    ['v1', 'denied', { kind: 'unavailable' }, readOnly],
    ['v2', 'denied', { kind: 'unavailable' }, readOnly],
  ])('of %s that answers %s', async (protocol, fault, found, saved) => {
    const isCloud = protocol === 'ghe.com';
    const server = isCloud ? { GITHUB_SERVER_URL: 'https://acme.ghe.com' } : {};
    const { cache } = await start(isCloud ? 'v2' : protocol, () => fault, server);
    expect(await cache.find(['a-'], signal)).toEqual(found);
    if (saved !== undefined) {
      expect(await cache.save('a-1', signal)).toEqual(saved);
    }
  });

  it('of an Enterprise Server has failed if it lost what it had reserved', async () => {
    const { cache } = await start('v1', (operation) => (operation === 'upload' ? 404 : undefined));
    expect(await cache.save('a-1', signal)).toMatchObject({ kind: 'failed' });
  });
});
