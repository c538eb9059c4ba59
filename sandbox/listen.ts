import type { Server } from 'node:http';
import type { Server as SocketServer } from 'node:net';

/**
 * Starts a server on loopback.
 *
 * @param port 0 takes any free one.
 * @returns The server's base URL, without a slash at the end.
 */
export function listen(server: SocketServer, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      const address = server.address();
      const actualPort = typeof address === 'object' && address !== null ? address.port : port;
      resolve(`http://127.0.0.1:${actualPort}`);
    });
  });
}

/** Stops a server at once, and closes the connections that clients keep open. */
export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => (error === undefined ? resolve() : reject(error)));
    server.closeAllConnections();
  });
}
