import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { type GitHubClient, githubClient } from './github/client.ts';
import type { GitRepository } from './github/git.ts';
import { DOCS_REPOSITORIES, type LocalGitHub, startLocalGitHub } from './github/seed.ts';
import { docsAgent } from './service/agent.ts';
import type { Sleep } from './service/jobs.ts';
import type { Organisation } from './service/routes.ts';
import { type SeenRequest, type Service, startService } from './service/server.ts';
import { openStore } from './service/store.ts';
import { type DayRange, inventVisitors, type VisitorReport } from './service/visitors.ts';

/** The projects of the sandbox's organisation. The same key works for all of them. */
export const PROJECTS = ['sandbox-docs', 'sandbox-cli', 'sandbox-api'] as const;

/** These keys only work for the sandbox. */
export const API_KEY = 'mint_sandbox_not_a_secret';
const READ_KEY = 'mint_sandbox_read_not_a_secret';

const ORGANISATIONS: readonly Organisation[] = [
  {
    name: 'acme',
    projects: PROJECTS,
    keys: [
      { text: API_KEY, scope: 'write' },
      { text: READ_KEY, scope: 'read' },
    ],
  },
  {
    name: 'other',
    projects: ['sandbox-other'],
    keys: [{ text: 'mint_sandbox_other_not_a_secret', scope: 'write' }],
  },
];

/**
 * A value for `workMs` where follow-ups are sent. The first poll comes after 10 s, and has to see the job
 * active: otherwise the step cannot tell whether the follow-up was processed, and waits for ten minutes.
 */
export const LONGER_THAN_POLLS = 12_000;

/** Options of the stand-in for Mintlify's API. */
export interface MintlifyOptions {
  /** The port of the API; 0, the default, for any free port. */
  readonly servicePort?: number;
  /** How many pages have visitors, 0 to 250,000; 3,000 by default. */
  readonly pages?: number;
  /** Seed of the invented visitor figures. */
  readonly seed?: number;
  /** How long the agent works on a job; 1,000 ms by default. */
  readonly workMs?: number;
  /** How long a job keeps its earlier state after a follow-up; 250 ms by default. */
  readonly pickUpMs?: number;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  readonly sleep?: Sleep;
  readonly newJobId?: () => string;
  /** Called when the agent fails with an error. */
  readonly onAgentError?: (jobId: string, error: unknown) => void;
  /** Called for each request to the API, with the body of its response. */
  readonly onRequest?: (request: SeenRequest, responseBody: unknown) => void;
}

interface SandboxOptions extends MintlifyOptions {
  /** The port of the local GitHub; 0, the default, for any free port. */
  readonly githubPort?: number;
  /** A repository to use as `acme/docs`, which is closed in the end. */
  readonly docs?: GitRepository | undefined;
  /** A local GitHub that already runs. The sandbox does not close it. */
  readonly github?: LocalGitHub;
}

/** The docs that the agent edits. */
interface Docs {
  /** A client with the token of the agent. */
  readonly client: GitHubClient;
  /** The repository of a project, `owner/name`. */
  readonly repositoryOf: (projectId: string) => string;
  /** The branch that the agent's branches start from. */
  readonly base: string;
  /** Where the pages are, with a slash at the end; the whole repository by default. */
  readonly folder?: string;
}

export interface Sandbox {
  /** Values for `base-url`, `project-id` and `api-key`. */
  readonly url: string;
  readonly projectId: string;
  readonly apiKey: string;
  /** A read-only key of the same organisation. */
  readonly readKey: string;
  readonly github: LocalGitHub;
  /** All requests to the API so far, oldest first. */
  readonly requests: readonly SeenRequest[];
  /** Resolves when the agent has finished all jobs. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a stand-in for Mintlify's API, and a local GitHub where its agent opens pull requests. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const started = new AsyncDisposableStack();
  try {
    return await start(options, started);
  } catch (error) {
    await started.disposeAsync();
    throw error;
  }
}

/** @param started collects everything that has to be closed */
async function start(options: SandboxOptions, started: AsyncDisposableStack): Promise<Sandbox> {
  const github =
    options.github ??
    (await startLocalGitHub({ port: options.githubPort ?? 0, docs: options.docs }));
  if (options.github === undefined) {
    started.defer(() => github.close());
  }
  const client = githubClient(github.url, github.tokens.docsAgent);
  const service = await startMintlify({ client, repositoryOf, base: 'main' }, options);
  started.defer(() => service.close());
  return {
    url: service.url,
    projectId: PROJECTS[0],
    apiKey: API_KEY,
    readKey: READ_KEY,
    github,
    requests: service.requests,
    settled: service.settled,
    close: () => started.disposeAsync(),
  };
}

/** Starts a stand-in for Mintlify's API alone. */
export function startMintlify(
  { client, repositoryOf, base, folder = '' }: Docs,
  { now = Date.now, seed = 1, pages = 3000, servicePort = 0, ...options }: MintlifyOptions = {},
): Promise<Service> {
  return startService({
    sleep: (ms, signal) => setTimeout(ms, undefined, { signal }),
    newJobId: () => `job_${randomBytes(6).toString('hex')}`,
    workMs: 1000,
    pickUpMs: 250,
    onAgentError: () => {},
    ...options,
    port: servicePort,
    organisations: ORGANISATIONS,
    store: openStore(),
    agent: docsAgent(client, folder),
    repositoryOf,
    base,
    visitors: visitorsOf({ seed, pages, now }),
    now,
  });
}

function repositoryOf(projectId: string): string {
  const found = Object.entries(DOCS_REPOSITORIES).find(([id]) => id === projectId);
  if (found === undefined) {
    throw new Error(`The project ${projectId} has no repository.`);
  }
  return found[1];
}

const projectIds = ORGANISATIONS.flatMap(({ projects }) => projects);

/** The visitors of each project, which are invented when they are first asked for. */
function visitorsOf({ seed, ...options }: Parameters<typeof inventVisitors>[0]) {
  const sites = new Map<string, ReturnType<typeof inventVisitors>>();
  return (projectId: string, range: DayRange): VisitorReport => {
    const own = { ...options, seed: seed + projectIds.indexOf(projectId) };
    const site = sites.get(projectId) ?? inventVisitors(own);
    sites.set(projectId, site);
    return site(range);
  };
}
