import type { IncomingMessage } from 'node:http';
import { type Answer, Refusal } from './http.ts';
import type { JobOperations } from './job-operations.ts';
import type { Job } from './store.ts';
import type { VisitorOperation } from './visitor-operation.ts';

/** Whoever has projects: they share its plan, its keys and the hourly limit of analytics. */
export interface Organisation {
  readonly name: string;
  /** The agent and the API are not part of every plan. */
  readonly plan: 'pro' | 'starter';
  /** Ids of its projects. */
  readonly projects: readonly string[];
  /** Each opens all its projects. */
  readonly keys: readonly ApiKey[];
}

export interface ApiKey {
  readonly text: string;
  /** One for `read` is refused for every POST. */
  readonly scope: 'read' | 'write';
}

/** An operation of the service, once the request is known to be allowed. */
interface Operation {
  readonly method: string;
  /** The first group is the project's id, the second one the job's. */
  readonly path: RegExp;
  readonly answer: (call: Call) => Answer | Promise<Answer>;
}

interface Call {
  readonly organisation: Organisation;
  readonly projectId: string;
  readonly jobId: string;
  readonly query: URLSearchParams;
  readonly body: () => Promise<unknown>;
}

/** Answers any request, errors included. @param body Reads the request's JSON when it is due. */
export type Router = (request: IncomingMessage, body: () => Promise<unknown>) => Promise<Answer>;

/** The service's operations behind its paths and keys. */
export function router(
  organisations: readonly Organisation[],
  jobs: JobOperations,
  visitors: VisitorOperation,
): Router {
  const operations = listOperations(jobs, visitors);
  return async (request, body) =>
    request.method === 'GET' && request.url === '/'
      ? frontPage(jobs.list())
      : answer(request, body, organisations, operations);
}

/** For whoever opens the address in a browser; the service's description has no such path. */
function frontPage(jobs: readonly Job[]): Answer {
  const lines = jobs.map(({ id, status, prLink }) => `${id} ${status} ${prLink ?? ''}`.trim());
  const body = `The sandbox: a stand-in for the documentation service, see sandbox/README.md.

Jobs so far: ${jobs.length}
${lines.join('\n')}
`;
  return { status: 200, body, headers: { 'Content-Type': 'text/plain; charset=utf-8' } };
}

function listOperations(jobs: JobOperations, visitors: VisitorOperation): Operation[] {
  return [
    {
      method: 'POST',
      path: /^\/v2\/agent\/([^/]+)\/job$/,
      answer: async ({ projectId, body }) => jobs.create(projectId, await body()),
    },
    {
      method: 'GET',
      path: /^\/v2\/agent\/([^/]+)\/job\/([^/]+)$/,
      answer: ({ projectId, jobId }) => jobs.get(projectId, jobId),
    },
    {
      method: 'POST',
      path: /^\/v2\/agent\/([^/]+)\/job\/([^/]+)\/message$/,
      answer: async ({ projectId, jobId, body }) => jobs.followUp(projectId, jobId, await body()),
    },
    {
      method: 'GET',
      path: /^\/v1\/analytics\/([^/]+)\/visitors$/,
      answer: ({ organisation, query }) => visitors(organisation.name, query),
    },
  ];
}

async function answer(
  request: IncomingMessage,
  body: () => Promise<unknown>,
  organisations: readonly Organisation[],
  operations: readonly Operation[],
): Promise<Answer> {
  try {
    const url = new URL(request.url ?? '/', 'http://loopback');
    const operation = operations.find(
      ({ method, path }) => method === request.method && path.test(url.pathname),
    );
    if (operation === undefined) {
      throw new Refusal(404, 'Not found');
    }
    const [, project, jobId] = operation.path.exec(url.pathname) ?? [];
    const projectId = decode(project);
    const wish = { projectId, isWrite: operation.method === 'POST' };
    return await operation.answer({
      organisation: authorise(request.headers.authorization, organisations, wish),
      projectId,
      jobId: decode(jobId),
      query: url.searchParams,
      body,
    });
  } catch (error) {
    const refusal =
      error instanceof Refusal
        ? error
        : new Refusal(500, `The sandbox itself failed: ${String(error)}`);
    return refusal.toAnswer();
  }
}

/** The organisation of that project, if the key is one of its own and may do this. */
function authorise(
  header: string | undefined,
  organisations: readonly Organisation[],
  { projectId, isWrite }: { readonly projectId: string; readonly isWrite: boolean },
): Organisation {
  const text = /^Bearer (\S+)$/i.exec(header ?? '')?.[1];
  const owner = organisations.find(({ keys }) => keys.some((key) => key.text === text));
  if (owner === undefined) {
    throw new Refusal(401, text === undefined ? 'Missing Bearer token' : 'Invalid API key');
  }
  if (!organisations.some(({ projects }) => projects.includes(projectId))) {
    throw new Refusal(404, 'Project not found');
  }
  if (!owner.projects.includes(projectId)) {
    throw new Refusal(403, 'The API key belongs to another organization');
  }
  if (owner.plan === 'starter') {
    throw new Refusal(403, 'The API is not available on your current plan');
  }
  if (isWrite && !owner.keys.some((key) => key.text === text && key.scope === 'write')) {
    throw new Refusal(403, 'This API key may only read');
  }
  return owner;
}

function decode(segment = ''): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new Refusal(404, 'Not found');
  }
}
