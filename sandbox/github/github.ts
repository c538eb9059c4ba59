import { createSign, generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import { createEmulator, type Emulator } from 'emulate';
import * as v from 'valibot';
import { closeServer, findFreePort, listen } from '../listen.ts';
import { type CommitReports, noReports } from './checks.ts';
import { githubClient } from './client.ts';
import type { WorkflowAccess } from './permissions.ts';
import { createProxy } from './proxy.ts';
import type { GitHubRequest, Identity } from './route.ts';
import type { Dispatch, WorkflowRun } from './runs.ts';
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

/** A local GitHub with five repositories, five people and two apps, all in memory. */
export interface LocalGitHub {
  /** The base URL of the web pages and the REST API, without a slash at the end. */
  readonly url: string;
  readonly tokens: Readonly<Record<Person, string>> & {
    /** Belongs to `docs-agent[bot]`, which opens the pull requests. */
    readonly docsAgent: string;
    /** Belongs to `github-actions[bot]`, like a workflow's own token. */
    readonly actions: string;
  };
  /** A new token of `github-actions[bot]` that may do only what a workflow's file allows. */
  workflowToken(access: WorkflowAccess): Promise<string>;
  /** All requests so far, oldest first. */
  readonly requests: readonly GitHubRequest[];
  /** The workflow runs that the API lists. Callers add to it. */
  readonly runs: WorkflowRun[];
  /** The runs that were asked for with `workflow_dispatch`, oldest first. */
  readonly dispatches: readonly Dispatch[];
  /** The deployments that the API lists. Callers add to it. emulate keeps the check runs. */
  readonly reports: Omit<CommitReports, 'checkRuns'>;
  close(): Promise<void>;
}

/**
 * Starts the local GitHub: `emulate`, and a proxy that adds what emulate lacks.
 *
 * @param options.port 0, the default, for any free port.
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

/** @param started collects everything that has to be closed */
async function start(port: number, started: AsyncDisposableStack): Promise<LocalGitHub> {
  const identities = new Map<string, Identity>(
    PEOPLE.map((login) => [tokenOf(login), { login, isApp: false }]),
  );
  let proxy: ReturnType<typeof createProxy> | undefined;
  const server = createServer((request, response) => void proxy?.(request, response));
  const url = await listen(server, port);
  started.defer(() => closeServer(server));

  // Created at each start, because a key in the repository would look like a leaked secret.
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    publicKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
  const { emulator, emulateUrl } = await startEmulator(privateKey, url);
  started.defer(() => emulator.close());
  await fillGitHub(emulateUrl);

  async function tokenFor(app: App, access?: WorkflowAccess): Promise<string> {
    const token = await installationToken(emulateUrl, app, privateKey);
    identities.set(token, {
      login: `${app.slug}[bot]`,
      isApp: true,
      ...(access === undefined ? {} : { access }),
    });
    return token;
  }
  const docsAgent = await tokenFor(DOCS_APP);
  const actions = await tokenFor(ACTIONS_APP);
  const requests: GitHubRequest[] = [];
  const runs: WorkflowRun[] = [];
  const dispatches: Dispatch[] = [];
  const reports = noReports();
  proxy = createProxy({
    url,
    emulateUrl,
    identities,
    runs,
    dispatches,
    reports,
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
    workflowToken: (access) => tokenFor(ACTIONS_APP, access),
    requests,
    runs,
    dispatches,
    reports,
    close: () => started.disposeAsync(),
  };
}

const ATTEMPTS = 5;

/** @param url The base URL that emulate uses in links. */
async function startEmulator(
  privateKey: string,
  url: string,
): Promise<{ emulator: Emulator; emulateUrl: string }> {
  for (let attempt = 1; ; attempt++) {
    // emulate does not report which port it uses, so it gets one.
    const port = await findFreePort();
    try {
      const seed = emulateSeed(privateKey);
      const emulator = await createEmulator({ service: 'github', port, baseUrl: url, seed });
      return { emulator, emulateUrl: `http://127.0.0.1:${port}` };
    } catch (error) {
      // Another program may have taken the port.
      if (attempt === ATTEMPTS) throw error;
    }
  }
}

/** Requests an installation token, like every GitHub App. */
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
