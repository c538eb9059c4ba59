import { createServer } from 'node:http';
import { networkInterfaces } from 'node:os';
import { describe, expect, it, onTestFinished } from 'vitest';
import { closeServer } from '../../../sandbox/listen.ts';
import { createHttp } from '../../../src/network/http.ts';

const hasIpv6 = Object.values(networkInterfaces()).some((list) =>
  list?.some(({ address }) => address === '::1'),
);

/** Sends a request to `localhost`, where a server listens on one address. */
async function askLocalhost(address: string) {
  const server = createServer((_request, response) => response.end('{}'));
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  onTestFinished(() => closeServer(server));
  const found = server.address();
  const port = typeof found === 'object' ? found?.port : undefined;
  const origin = `http://localhost:${port}`;
  const http = createHttp({
    origin,
    secret: '',
    proxy: { httpProxy: '', httpsProxy: '', noProxy: '' },
    maxResponseBytes: 1000,
  });
  onTestFinished(() => http.close());
  const { signal } = new AbortController();
  return await http.send({
    method: 'GET',
    url: new URL(origin),
    headers: {},
    timeoutMs: 60_000,
    signal,
  });
}

describe('localhost', () => {
  it('is reached on 127.0.0.1', async () => {
    expect(await askLocalhost('127.0.0.1')).toMatchObject({ kind: 'response', status: 200 });
  });

  it.runIf(hasIpv6)('is reached on ::1 alone, whatever the list of hosts says', async () => {
    expect(await askLocalhost('::1')).toMatchObject({ kind: 'response', status: 200 });
  });
});
