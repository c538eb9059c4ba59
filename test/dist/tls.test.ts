import { readFileSync } from 'node:fs';
import { createSecureServer } from 'node:http2';
import { createServer } from 'node:https';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { StepResult } from '../../sandbox/runner/runner.ts';
import { annotations, runAgent, runOnEvent } from '../helpers/run.ts';
import { created, done, githubToken, jobBody, portOf, scriptedApi } from '../helpers/servers.ts';

function sentenceOf(result: StepResult): string {
  const message = result.outputs['message'] ?? '';
  expect(annotations(result, 'error')).toEqual([message]);
  return message.replace(/127\.0\.0\.1:\d+/g, 'HOST');
}

const folder = new URL('../fixtures/tls/', import.meta.url);
const certificate = fileURLToPath(new URL('localhost-cert.pem', folder));

describe('the connection to the API', () => {
  async function secureApi() {
    const seen: string[] = [];
    const options = {
      cert: readFileSync(certificate),
      key: readFileSync(new URL('localhost-key.pem', folder)),
      allowHTTP1: true,
    };
    const server = createSecureServer(options, (request, response) => {
      seen.push(`${request.method} over ${request.httpVersion}`);
      const job = request.method === 'POST' ? {} : { status: 'completed', prLink: null };
      response.end(JSON.stringify(jobBody(job)));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    return { url: `https://127.0.0.1:${portOf(server.address())}`, seen };
  }

  it('with an unknown authority: nothing is sent, and the message says what to do', async () => {
    const { url, seen } = await secureApi();
    const result = await runAgent({ baseUrl: url, speed: 10 });
    expect(seen).toEqual([]);
    expect(result.outputs).toMatchObject({ result: 'error', reason: 'unreachable' });
    expect(sentenceOf(result)).toMatch(
      /^The API at HOST presented a certificate that this runner does not trust \(\w+\): if a private authority issued it, set NODE_EXTRA_CA_CERTS to the certificate file of that authority\.$/,
    );
  });

  it('with a private authority that the runner trusts: works', async () => {
    const { url, seen } = await secureApi();
    const env = { NODE_EXTRA_CA_CERTS: certificate };
    const result = await runAgent({ baseUrl: url, speed: 3, env });
    expect(result.outputs['result']).toBe('no-pull-request');
    // Even if HTTP/2 is offered, because the detection of sent requests relies on HTTP/1.1.
    expect(seen[0]).toBe('POST over 1.1');
  });
});

describe('the connection to GitHub', () => {
  it.each([
    ['of an unknown authority', {}, 'permission-check-failed'],
    ['of one that NODE_EXTRA_CA_CERTS names', { NODE_EXTRA_CA_CERTS: certificate }, ''],
  ])('needs a certificate that is trusted: %s', async (_name, env, reason) => {
    const seen: unknown[] = [];
    const server = createServer(
      {
        cert: readFileSync(certificate),
        key: readFileSync(new URL('localhost-key.pem', folder)),
      },
      (request, response) => {
        seen.push(request.headers.authorization);
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ permission: 'admin', role_name: 'admin' }));
      },
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const api = await scriptedApi([created, done]);
    onTestFinished(() => api.close());
    const result = await runOnEvent({
      eventName: 'issues',
      event: 'issues-labeled-by-owner',
      githubUrl: `https://localhost:${portOf(server.address())}`,
      baseUrl: api.url,
      speed: 3,
      inputs: { comment: 'false' },
      env,
    });
    expect(result.outputs['reason'] ?? '').toBe(reason);
    expect(seen).toEqual(reason === '' ? [`token ${githubToken}`] : []);
  });
});
