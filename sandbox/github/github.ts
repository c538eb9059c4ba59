import { createSign, generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import { createEmulator, type Emulator } from 'emulate';
import * as v from 'valibot';
import { closeServer, findFreePort, listen } from '../listen.ts';
import { githubClient } from './client.ts';
import { answerAsGitHub } from './front.ts';
import type { GitHubRequest, Identity } from './rule.ts';
import type { WorkflowRun } from './runs.ts';
import {
  ACTIONS_APP,
  type App,
  DOCS_APP,
  emulateSeed,
  fillGitHub,
  PEOPLE,
  type Person,
  tokenOf,
} from './seed.ts';

/** A GitHub on this machine: two repositories, five people and two apps, all in memory. */
export interface LocalGitHub {
  /** Web pages and the REST API are both below this URL, which ends without a slash. */
  readonly url: string;
  readonly tokens: Readonly<Record<Person, string>> & {
    /** Acts as `docs-agent[bot]`, which opens the pull requests. */
    readonly docsAgent: string;
    /** Acts as `github-actions[bot]`, like a workflow's own token. */
    readonly actions: string;
  };
  /** Every request since it was started, oldest first. */
  readonly requests: readonly GitHubRequest[];
  /** Workflow runs to tell of when asked; empty, and there to be added to. */
  readonly runs: WorkflowRun[];
  close(): Promise<void>;
}

/**
 * Starts the local GitHub: `emulate`, and in front of it what it lacks.
 *
 * @param options.port 0, the default, takes any free port.
 */
export async function startGitHub(options: { port?: number } = {}): Promise<LocalGitHub> {
  const started = new AsyncDisposableStack();
  try {
    return await start(options.port ?? 0, started);
  } catch (error) {
    await started.disposeAsync();
    throw error;
  }
}

/** @param started Gets everything that is to be closed again. */
async function start(port: number, started: AsyncDisposableStack): Promise<LocalGitHub> {
  const identities = new Map<string, Identity>(
    PEOPLE.map((login) => [tokenOf(login), { login, isApp: false }]),
  );
  let answer: ReturnType<typeof answerAsGitHub> | undefined;
  const front = createServer((request, response) => void answer?.(request, response));
  const url = await listen(front, port);
  started.defer(() => closeServer(front));

  // Made anew each time: a key in the repository would look like a leaked secret.
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    publicKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
  const { emulator, behind } = await startEmulator(privateKey, url);
  started.defer(() => emulator.close());
  await fillGitHub(behind);

  async function tokenFor(app: App): Promise<string> {
    const token = await installationToken(behind, app, privateKey);
    identities.set(token, { login: `${app.slug}[bot]`, isApp: true });
    return token;
  }
  const docsAgent = await tokenFor(DOCS_APP);
  const actions = await tokenFor(ACTIONS_APP);
  const requests: GitHubRequest[] = [];
  const runs: WorkflowRun[] = [];
  answer = answerAsGitHub({
    front: url,
    behind,
    identities,
    runs,
    onRequest: (request) => requests.push(request),
  });

  return {
    url,
    tokens: {
      owner: tokenOf('owner'),
      maintainer: tokenOf('maintainer'),
      writer: tokenOf('writer'),
      triager: tokenOf('triager'),
      stranger: tokenOf('stranger'),
      docsAgent,
      actions,
    },
    requests,
    runs,
    close: () => started.disposeAsync(),
  };
}

const ATTEMPTS = 5;

/** @param url What emulate writes into links. */
async function startEmulator(
  privateKey: string,
  url: string,
): Promise<{ emulator: Emulator; behind: string }> {
  for (let attempt = 1; ; attempt++) {
    // emulate does not tell which port it took, so it is given one.
    const port = await findFreePort();
    try {
      const seed = emulateSeed(privateKey);
      const emulator = await createEmulator({ service: 'github', port, baseUrl: url, seed });
      return { emulator, behind: `http://127.0.0.1:${port}` };
    } catch (error) {
      // Somebody else was faster with that port.
      if (attempt === ATTEMPTS) throw error;
    }
  }
}

/** A token that acts as the app, asked for the way every GitHub App does it. */
async function installationToken(url: string, app: App, privateKey: string): Promise<string> {
  const nowSeconds = Math.floor(Date.now() / 1000);
  const claims = { iss: String(app.id), iat: nowSeconds - 60, exp: nowSeconds + 540 };
  const unsigned = [{ alg: 'RS256', typ: 'JWT' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const signature = createSign('RSA-SHA256').update(unsigned).sign(privateKey, 'base64url');
  const client = githubClient(url, `${unsigned}.${signature}`);
  const path = `/app/installations/${app.id}/access_tokens`;
  const { token } = await client.request('POST', path, v.object({ token: v.string() }), {});
  return token;
}
