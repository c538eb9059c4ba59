import { tmpdir } from 'node:os';
import { describe, expect, it, vi } from 'vitest';
import { inRepository } from '../../../scripts/actions.ts';
import { createCache } from '../../../src/runner/cache.ts';

const silent = inRepository('test/fixtures/silent.worker.ts');
const broken = inRepository('test/fixtures/no-such.worker.ts');
const telling = inRepository('test/fixtures/environment.worker.ts');
const { signal } = new AbortController();

const variables = {
  PATH: process.env['PATH'],
  ACTIONS_CACHE_URL: 'http://127.0.0.1:9/',
  RUNNER_TEMP: tmpdir(),
};

describe('the cache', () => {
  it('is unavailable where the runner names no service', async () => {
    const cache = createCache(silent, { PATH: process.env['PATH'] });
    await expect(cache.find(['a'], signal)).resolves.toEqual({ kind: 'unavailable' });
    await expect(cache.save('a', signal)).resolves.toEqual({ kind: 'unavailable' });
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
    const token = { ACTIONS_RUNTIME_TOKEN: 'of the cache service' };
    const cache = createCache(telling, { ...variables, ...token, ...secrets });
    const found = await cache.find(['a'], signal);
    const told = found.kind === 'found' ? found.key : '';
    // It is the process's own environment, in which the cache service's token has to be.
    expect(told).toContain('of the cache service');
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
