import { readFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { fileURLToPath } from 'node:url';
import type { StepResult } from '../../sandbox/runner/runner.ts';
import {
  acceptThenBreak,
  apiKey,
  githubToken,
  portOf,
  refuse,
  startProxy,
} from '../helpers/servers.ts';
import { type Call, soundGitHub, soundService, type Verdict } from './calls.ts';
import { type Fault, type RawRequest, type Surroundings, send } from './faults.ts';

/** How a server handles connections: bytes and sockets, without an HTTP library. */
interface Treatment {
  /** Called with a connection before it is read; returns `true` if it handled the connection. */
  onConnection?(socket: Socket): boolean;
  onRequest(socket: Socket, request: RawRequest): void;
}

interface RawServer extends AsyncDisposable {
  readonly port: number;
  readonly requests: readonly RawRequest[];
  readonly connections: number;
  /** Accepts no more connections, but keeps the open ones. */
  stopListening(): void;
}

const certificates = new URL('../fixtures/tls/', import.meta.url);
const trust = {
  NODE_EXTRA_CA_CERTS: fileURLToPath(new URL('localhost-cert.pem', certificates)),
};

const identity = (name: 'localhost' | 'stranger') => ({
  cert: readFileSync(new URL(`${name}-cert.pem`, certificates)),
  key: readFileSync(new URL(`${name}-key.pem`, certificates)),
});

/** Starts a server on loopback that handles connections as `treatment` says. */
async function startRawServer(
  treatment: Treatment,
  tlsIdentity?: 'localhost' | 'stranger',
): Promise<RawServer> {
  const requests: RawRequest[] = [];
  const sockets = new Set<Socket>();
  const tls = tlsIdentity === undefined ? undefined : createTlsServer(identity(tlsIdentity));
  const server = tls ?? createServer();
  let connections = 0;
  server.on('tlsClientError', () => undefined);
  server.on(tls === undefined ? 'connection' : 'secureConnection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    if (treatment.onConnection?.(socket) !== true) {
      readRequests(socket, (request) => {
        requests.push(request);
        treatment.onRequest(socket, request);
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: portOf(server.address()),
    get connections() {
      return connections;
    },
    requests,
    stopListening: () => void server.close(),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
}

function readRequests(socket: Socket, onRequest: (request: RawRequest) => void): void {
  let bytes = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
    for (let found = takeRequest(bytes); found !== undefined; found = takeRequest(bytes)) {
      bytes = bytes.subarray(found.length);
      onRequest(found.request);
    }
  });
}

function takeRequest(bytes: Buffer): { request: RawRequest; length: number } | undefined {
  const headLength = bytes.indexOf('\r\n\r\n') + 4;
  const head = bytes.subarray(0, headLength).toString('latin1');
  const bodyLength = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
  const length = headLength + bodyLength;
  if (headLength < 4 || bytes.length < length) {
    return undefined;
  }
  const [method = '', path = ''] = head.split(' ');
  return { request: { method, path, body: bytes.toString('utf8', headLength, length) }, length };
}

/** How a server is reached. */
interface Route {
  readonly url: string;
  readonly env: Readonly<Record<string, string>>;
  /** How many connections there were to servers that must not be used. */
  strays(): number;
  close(): Promise<void>;
}

async function routeTo(port: number, surroundings: Surroundings): Promise<Route> {
  const around = { strays: () => 0, close: async () => {} };
  switch (surroundings) {
    case 'plain':
    case 'nobody listens':
      return { ...around, url: `http://127.0.0.1:${port}`, env: {} };
    case 'trusted TLS':
    case 'strange TLS':
    case 'plain behind https':
      return { ...around, url: `https://127.0.0.1:${port}`, env: trust };
    case 'proxy refuses':
    case 'proxy breaks TLS': {
      const proxy = await startProxy(surroundings === 'proxy refuses' ? refuse : acceptThenBreak);
      return {
        url: 'https://service.test',
        env: { ...trust, HTTPS_PROXY: proxy.url },
        strays: () =>
          proxy.asked.filter((line) => !line.startsWith('CONNECT service.test:443')).length,
        close: proxy.close,
      };
    }
    case 'proxy for nothing': {
      const proxy = await startProxy(refuse);
      const names = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY', 'ALL_PROXY'];
      return {
        url: `http://127.0.0.1:${port}`,
        env: Object.fromEntries(names.map((name) => [name, proxy.url])),
        strays: () => proxy.asked.length,
        close: proxy.close,
      };
    }
  }
}

/**
 * How many times faster than real time the clocks of a bundle and its servers run, after the good
 * responses before the fault.
 *
 * Time-outs are scaled with the clock, and on a busy machine even a good response would come too late. So
 * runs that wait for nothing, or only for the comment, use the real clock. The others run only as fast as
 * necessary to end within seconds.
 */
function speedFor({ name }: Call, { isSilent, knowledge }: Fault, verdict: Verdict): number {
  const isPatient =
    isSilent === true ||
    knowledge === 'never-left' ||
    verdict.result === 'timed-out' ||
    verdict.arrivals === 'three' ||
    verdict.arrivals === 'several';
  if (!isPatient || name === 'comment') {
    return 1;
  }
  // An export retries for ten minutes, and the other runs for two.
  return name === 'visitors' ? 60 : 12;
}

/** The secret that is sent to each server. */
export const secrets = { service: apiKey, github: githubToken } as const;

/** The outcome of a run with a fault. */
export interface Outcome {
  readonly step: StepResult;
  /** Tested requests that arrived, or connections without a readable request. */
  readonly arrivals: number;
  /** Requests to the server without the fault. */
  readonly requestsElsewhere: number;
  /** Connections to another origin, or to a proxy that must not be used. */
  readonly strays: number;
}

/** Runs an action once, with one fault at one of its requests. */
export async function runUnderFire(call: Call, fault: Fault, verdict: Verdict): Promise<Outcome> {
  const { surroundings = 'plain' } = fault;
  const speed = speedFor(call, fault, verdict);
  await using trap = await startRawServer({ onRequest: (socket) => void socket.end() });
  const elsewhere = `http://127.0.0.1:${trap.port}`;
  const isOfGitHub = call.server === 'github';
  const sound = isOfGitHub ? soundGitHub() : soundService();
  let responded = 0;
  let arrivals = 0;
  const tlsIdentities = { 'trusted TLS': 'localhost', 'strange TLS': 'stranger' } as const;
  const tlsIdentity =
    surroundings === 'trusted TLS' || surroundings === 'strange TLS'
      ? tlsIdentities[surroundings]
      : undefined;
  await using server = await startRawServer(
    {
      onConnection(socket) {
        if (fault.connection === undefined || responded < call.goodFirst) {
          return false;
        }
        arrivals += 1;
        fault.connection(socket);
        return true;
      },
      onRequest(socket, request) {
        const isUnderFire = call.isUnderFire(request) && responded >= call.goodFirst;
        const good = sound(request);
        arrivals += isUnderFire ? 1 : 0;
        if (isUnderFire && fault.request !== undefined) {
          fault.request(socket, { good, elsewhere, secret: secrets[call.server], speed });
          return;
        }
        responded += 1;
        send(socket, good);
        breakOff();
      },
    },
    tlsIdentity,
  );
  const breakOff = () => {
    if (surroundings === 'nobody listens' && responded >= call.goodFirst) {
      server.stopListening();
    }
  };
  breakOff();
  const other = isOfGitHub ? soundService() : soundGitHub();
  await using otherServer = await startRawServer({
    onRequest: (socket, request) => send(socket, other(request)),
  });
  const otherUrl = `http://127.0.0.1:${otherServer.port}`;
  const route = await routeTo(server.port, surroundings);
  try {
    const step = await call.run({
      serviceUrl: isOfGitHub ? otherUrl : route.url,
      githubUrl: isOfGitHub ? route.url : otherUrl,
      env: { ...route.env, FAST_CLOCK_AFTER: String(call.goodFirst) },
      speed,
    });
    return {
      step,
      arrivals,
      requestsElsewhere: otherServer.requests.length,
      strays: trap.connections + route.strays(),
    };
  } finally {
    await route.close();
  }
}
