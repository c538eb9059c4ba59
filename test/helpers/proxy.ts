import { createServer, type Socket } from 'node:net';
import { portOf } from './scripted-api.ts';

/** A proxy that records its requests, and handles the connection with a function. */
export interface Proxy {
  readonly url: string;
  /** The first line of each request: `CONNECT host:port HTTP/1.1`. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

/** Refuses every request with 403. */
export function refuse(socket: Socket): void {
  socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n');
}

/** Accepts a CONNECT, then breaks the connection during the TLS handshake. */
export function acceptThenBreak(socket: Socket): void {
  socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
  socket.once('data', () => socket.destroy());
}

export async function startProxy(handle: (socket: Socket) => void): Promise<Proxy> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('data', (bytes) => {
      asked.push(bytes.toString('latin1').split('\r\n')[0] ?? '');
      handle(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${portOf(server.address())}`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
