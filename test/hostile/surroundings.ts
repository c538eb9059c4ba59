import { connect, type Socket } from 'node:net';
import { acceptThenBreak, refuse, startProxy } from '../helpers/servers.ts';
import type { Surroundings } from './faults.ts';
import { startRawServer, trustedCertificate } from './raw-server.ts';

/** The network of a run. */
export interface Around extends AsyncDisposable {
  readonly baseUrl: string;
  readonly env: Readonly<Record<string, string>>;
  /** How many connections there were to servers that must not be used. */
  strays(): number;
}

const flakyNames = new URL('flaky-names.mjs', import.meta.url).href;
const trust = { NODE_EXTRA_CA_CERTS: trustedCertificate };

/**
 * Sets up the network around a service.
 * @param goodFirst how many connections succeed before the fault starts
 */
export async function surround(
  surroundings: Surroundings,
  port: number,
  goodFirst: number,
): Promise<Around> {
  const plainUrl = `http://127.0.0.1:${port}`;
  switch (surroundings) {
    case 'plain':
    case 'nobody listens':
      return without({ baseUrl: plainUrl, env: {} });
    case 'the name is lost':
      return without({
        baseUrl: `http://localhost:${port}`,
        env: { NODE_OPTIONS: `--import ${flakyNames}`, GOOD_LOOKUPS: String(goodFirst) },
      });
    case 'trusted TLS':
    case 'strange TLS':
      return without({ baseUrl: `https://127.0.0.1:${port}`, env: trust });
    case 'plain behind https':
      return behindFront(port, goodFirst);
    case 'proxy refuses':
      return behindProxy(port, goodFirst, refuse);
    case 'proxy breaks TLS':
      return behindProxy(port, goodFirst, acceptThenBreak);
    case 'proxy for nothing':
      return besideProxy(plainUrl);
  }
}

function without(around: Pick<Around, 'baseUrl' | 'env'>): Around {
  return { ...around, strays: () => 0, async [Symbol.asyncDispose]() {} };
}

async function behindProxy(
  port: number,
  goodFirst: number,
  fault: (socket: Socket) => void,
): Promise<Around> {
  let tunnels = 0;
  const proxy = await startProxy((socket) => {
    tunnels += 1;
    if (tunnels > goodFirst) {
      fault(socket);
    } else {
      tunnel(socket, port);
    }
  });
  return {
    baseUrl: 'https://service.test',
    env: { ...trust, HTTPS_PROXY: proxy.url },
    strays: () => proxy.asked.filter((line) => !line.startsWith('CONNECT service.test:443')).length,
    [Symbol.asyncDispose]: () => proxy.close(),
  };
}

/** A port that leads to the service, until it responds in plain HTTP. */
async function behindFront(port: number, goodFirst: number): Promise<Around> {
  const front = await startRawServer({
    onConnection(socket, { connections }) {
      if (connections <= goodFirst) {
        join(socket, port);
      } else {
        socket.end('HTTP/1.1 400 Bad Request\r\n\r\nplain HTTP was sent to nobody');
      }
      return true;
    },
    onRequest: () => undefined,
  });
  return {
    baseUrl: `https://127.0.0.1:${front.port}`,
    env: trust,
    strays: () => 0,
    [Symbol.asyncDispose]: () => front[Symbol.asyncDispose](),
  };
}

function tunnel(socket: Socket, port: number): void {
  socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
  join(socket, port);
}

function join(socket: Socket, port: number): void {
  const onward = connect(port, '127.0.0.1');
  socket.pipe(onward).pipe(socket);
  onward.on('error', () => socket.destroy());
  socket.on('close', () => onward.destroy());
}

/** A proxy in all of the proxy variables, and a service that must be reached without it. */
async function besideProxy(baseUrl: string): Promise<Around> {
  const proxy = await startProxy(refuse);
  const names = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY', 'ALL_PROXY'];
  return {
    baseUrl,
    env: Object.fromEntries(names.map((name) => [name, proxy.url])),
    strays: () => proxy.asked.length,
    [Symbol.asyncDispose]: () => proxy.close(),
  };
}
