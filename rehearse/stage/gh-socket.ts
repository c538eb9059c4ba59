import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { join } from 'node:path';

/**
 * Makes GitHub's command line tool use the local GitHub as if it were github.com.
 *
 * For any other host, `gh` needs https and another kind of token. But its configuration can name a
 * Unix socket, and then it sends all requests through that.
 *
 * @param folder an empty folder for the socket and the configuration
 * @param apiUrl the address of the local GitHub
 */
export async function openGhSocket(folder: string, apiUrl: string): Promise<GhSocket> {
  const socketPath = join(folder, 'gh.sock');
  const { hostname, port } = new URL(apiUrl);
  const server = createServer((incoming, outgoing) => {
    const { method, url: path, headers } = incoming;
    // With its own host, so that links to the next page of a list get the token, too.
    const forwarded = request({ hostname, port, method, path, headers });
    forwarded.on('response', (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    forwarded.on('error', () => outgoing.writeHead(502).end());
    incoming.pipe(forwarded);
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

interface GhSocket {
  /** The environment variables that `gh` needs. */
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/**
 * Creates a `gh` for which a link to the local GitHub is one to github.com. It would take the local one for a
 * GitHub Enterprise Server, which has other paths and tokens.
 *
 * @param program name or path of the real one
 * @returns the folder to put on the PATH
 */
export function createGh(folder: string, program: string, url: string): string {
  mkdirSync(folder);
  const real = execFileSync('sh', ['-c', 'command -v "$0"', program], { encoding: 'utf8' }).trim();
  const script = `#!/bin/sh
for word do
  shift
  case $word in
    '${url}'/*) word=https://github.com\${word#'${url}'} ;;
  esac
  set -- "$@" "$word"
done
exec '${real}' "$@"
`;
  writeFileSync(join(folder, 'gh'), script, { mode: 0o755 });
  return folder;
}
