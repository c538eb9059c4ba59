import { readFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { portOf } from '../helpers/servers.ts';

/** A request, as it was received. */
export interface RawRequest {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

/** How a server handles connections: bytes and sockets, without an HTTP library. */
export interface Treatment {
  /** Called with a connection before it is read; returns `true` if it handled the connection. */
  onConnection?(socket: Socket, server: RawServer): boolean;
  onRequest(socket: Socket, request: RawRequest, server: RawServer): void;
}

export interface RawServer extends AsyncDisposable {
  readonly port: number;
  readonly requests: readonly RawRequest[];
  readonly connections: number;
  /** Accepts no more connections, but keeps the open ones. */
  stopListening(): void;
  /** Switches TLS to an untrusted certificate. */
  becomeStranger(): void;
}

const folder = new URL('../fixtures/tls/', import.meta.url);

/** The certificate that a run trusts if `NODE_EXTRA_CA_CERTS` names this file. */
export const trustedCertificate = fileURLToPath(new URL('localhost-cert.pem', folder));

const identity = (name: 'localhost' | 'stranger') => ({
  cert: readFileSync(new URL(`${name}-cert.pem`, folder)),
  key: readFileSync(new URL(`${name}-key.pem`, folder)),
});

/** Starts a server on loopback that handles connections as `treatment` says. */
export async function startRawServer(
  treatment: Treatment,
  transport: 'plain' | 'tls' = 'plain',
): Promise<RawServer> {
  const requests: RawRequest[] = [];
  const sockets = new Set<Socket>();
  const tls = transport === 'tls' ? createTlsServer(identity('localhost')) : undefined;
  const server: Server | TlsServer = tls ?? createServer();
  let connections = 0;
  const self: RawServer = {
    get port() {
      return portOf(server.address());
    },
    get connections() {
      return connections;
    },
    requests,
    stopListening: () => void server.close(),
    becomeStranger: () => tls?.setSecureContext(identity('stranger')),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
  server.on('tlsClientError', () => undefined);
  server.on(tls === undefined ? 'connection' : 'secureConnection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    if (treatment.onConnection?.(socket, self) !== true) {
      readRequests(socket, (request) => {
        requests.push(request);
        treatment.onRequest(socket, request, self);
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return self;
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
