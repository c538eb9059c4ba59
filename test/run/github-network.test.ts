import { describe, expect, it, onTestFinished } from 'vitest';
import { annotations, runOnEvent, runWithComment } from '../helpers/run.ts';
import {
  created,
  done,
  githubToken,
  installation,
  left,
  list,
  ok,
  permissions,
  type Routes,
  refuse,
  scriptedApi,
  scriptedGitHub,
  startBoth,
  startProxy,
  working,
} from '../helpers/servers.ts';
import { findKeyTraces } from '../hostile/oracles.ts';

async function run(githubUrl: string, env: Readonly<Record<string, string>>) {
  const api = await scriptedApi([created, done]);
  onTestFinished(() => api.close());
  return await runOnEvent({
    eventName: 'issues',
    event: 'issues-labeled-by-owner',
    githubUrl,
    baseUrl: api.url,
    inputs: { comment: 'false' },
    env,
  });
}

describe('the way to GitHub', () => {
  it('goes through the proxy that the runner names', async () => {
    const proxy = await startProxy(refuse);
    onTestFinished(() => proxy.close());
    const result = await run('https://ghe.test', { HTTPS_PROXY: proxy.url });
    expect(result.outputs['reason']).toBe('permission-check-failed');
    expect(new Set(proxy.asked)).toEqual(new Set(['CONNECT ghe.test:443 HTTP/1.1']));
  });

  it('bypasses it if the runner says so, and always on loopback', async () => {
    const proxy = await startProxy(refuse);
    onTestFinished(() => proxy.close());
    const github = await scriptedGitHub(permissions({ owner: 'admin' }));
    onTestFinished(() => github.close());
    const env = { http_proxy: proxy.url, https_proxy: proxy.url, no_proxy: 'ghe.test' };
    expect((await run(github.url, env)).outputs['result']).toBe('pull-request');
    await run('https://ghe.test', env);
    expect(proxy.asked).toEqual([]);
  });

  it('is an error if a proxy variable cannot be used', async () => {
    const result = await run('https://ghe.test', { HTTPS_PROXY: 'user:secret@proxy:3128' });
    expect(result.outputs).toMatchObject({ result: 'error', reason: 'bad-input' });
    expect(result.outputs['message']).toContain('HTTPS_PROXY');
    expect(result.stdout).not.toContain('secret@');
  });

  it('gives up a response without end', async () => {
    const github = await scriptedGitHub({
      'GET /repos/acme/product/collaborators/owner/permission': (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.on('error', () => {});
        const more = (): void => {
          if (!response.destroyed && response.write('x'.repeat(1_000_000))) setImmediate(more);
          else response.once('drain', more);
        };
        more();
      },
    });
    onTestFinished(() => github.close());
    const result = await run(github.url, {});
    expect(result.outputs['reason']).toBe('permission-check-failed');
  });

  it.each(['application/json', 'text/plain'])(
    'shows no token that a response contains, in escapes or not: %s',
    async (type) => {
      const escapedToken = [...githubToken]
        .map((unit) => `\\u00${unit.charCodeAt(0).toString(16).padStart(2, '0')}`)
        .join('');
      const github = await scriptedGitHub({
        'GET /repos/acme/product/collaborators/owner/permission': {
          status: 403,
          headers: { 'content-type': type },
          body: `{"message":"Bad token ${type.endsWith('json') ? escapedToken : githubToken}"}`,
        },
      });
      onTestFinished(() => github.close());
      const result = await run(github.url, {});
      expect(result.outputs['reason']).toBe('permission-check-failed');
      expect(result.outputs['message']).toContain('"Bad token ***"');
      const rest = result.stdout.split('\n').filter((line) => !line.startsWith('::add-mask::'));
      const left = JSON.stringify([rest, result.stderr, result.summary, result.outputs]);
      expect(findKeyTraces(left, githubToken)).toEqual([]);
    },
  );
});

describe('an Enterprise server', () => {
  it('gets requests only at its own paths', async () => {
    const below = (routes: Routes): Routes =>
      Object.fromEntries(
        Object.entries(routes).map(([route, reply]) => [
          route.replace(' /repos', ' /api/v3/repos').replace(' /graphql', ' /api/graphql'),
          reply,
        ]),
      );
    const { github, api } = await startBoth(below({ ...working, [list]: ok([left()]) }), () => [
      created,
      done,
    ]);
    const result = await runOnEvent({
      eventName: 'issues',
      event: 'issues-labeled-by-owner',
      githubUrl: github.url,
      apiPath: '/api/v3',
      baseUrl: api.url,
      inputs: { comment: 'true' },
    });
    expect(result.outputs['result']).toBe('pull-request');
    expect(annotations(result, 'warning')).toEqual([]);
    expect(github.calls.every((call) => call.includes(' /api/'))).toBe(true);
    expect(github.calls).toContain('POST /api/graphql');
  });

  it('is asked for GraphQL at its own address, whatever the runner names', async () => {
    const other = await scriptedGitHub(installation);
    const { github } = await runWithComment(
      { [list]: ok([left()]) },
      { env: { GITHUB_GRAPHQL_URL: `${other.url}/graphql` } },
    );
    expect(other.calls).toEqual([]);
    expect(github.calls).toContain('POST /graphql');
    await other.close();
  });
});
