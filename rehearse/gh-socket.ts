import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { join } from 'node:path';

/**
 * Lets GitHub's command line tool talk to the local GitHub as if it were github.com.
 *
 * `gh` takes no other address without https and another kind of token; but it can be told, by its
 * own configuration, to send everything through a socket.
 *
 * @param folder an empty folder for the socket and the configuration
 * @param apiUrl where the local GitHub listens
 */
export async function openGhSocket(folder: string, apiUrl: string): Promise<GhSocket> {
  const socketPath = join(folder, 'gh.sock');
  const { hostname, port, host } = new URL(apiUrl);
  const server = createServer((incoming, answer) => {
    const { method, url: path, headers } = incoming;
    const onward = request({ hostname, port, method, path, headers: { ...headers, host } });
    onward.on('response', (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    onward.on('error', () => answer.writeHead(502).end());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  const configFolder = join(folder, 'gh');
  mkdirSync(configFolder);
  writeFileSync(join(configFolder, 'config.yml'), `http_unix_socket: ${socketPath}\n`);
  return {
    env: { GH_CONFIG_DIR: configFolder },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export interface GhSocket {
  /** What `gh` has to find in its environment. */
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}
