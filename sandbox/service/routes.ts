import type { IncomingMessage } from 'node:http';
import { type Answer, Refusal } from './http.ts';
import type { JobOperations } from './job-operations.ts';
import type { Job } from './store.ts';
import type { VisitorOperation } from './visitor-operation.ts';

/** A project of the service, with the admin key that belongs to it. */
export interface Project {
  readonly id: string;
  /** Projects of one organisation share the hourly limit of analytics. */
  readonly organisation: string;
  readonly apiKey: string;
}

/** An operation of the service, once the request is known to be allowed. */
interface Operation {
  readonly method: string;
  /** The first group is the project's id, the second one the job's. */
  readonly path: RegExp;
  readonly answer: (call: Call) => Answer | Promise<Answer>;
}

interface Call {
  readonly project: Project;
  readonly jobId: string;
  readonly query: URLSearchParams;
  readonly body: () => Promise<unknown>;
}

/** Answers any request, errors included. @param body Reads the request's JSON when it is due. */
export type Router = (request: IncomingMessage, body: () => Promise<unknown>) => Promise<Answer>;

/** The service's operations behind its paths and keys. */
export function router(
  projects: readonly Project[],
  jobs: JobOperations,
  visitors: VisitorOperation,
): Router {
  const operations = listOperations(jobs, visitors);
  return async (request, body) =>
    request.method === 'GET' && request.url === '/'
      ? frontPage(jobs.list())
      : answer(request, body, projects, operations);
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
      answer: async ({ project, body }) => jobs.create(project.id, await body()),
    },
    {
      method: 'GET',
      path: /^\/v2\/agent\/([^/]+)\/job\/([^/]+)$/,
      answer: ({ project, jobId }) => jobs.get(project.id, jobId),
    },
    {
      method: 'POST',
      path: /^\/v2\/agent\/([^/]+)\/job\/([^/]+)\/message$/,
      answer: async ({ project, jobId, body }) => jobs.followUp(project.id, jobId, await body()),
    },
    {
      method: 'GET',
      path: /^\/v1\/analytics\/([^/]+)\/visitors$/,
      answer: ({ project, query }) => visitors(project.organisation, query),
    },
  ];
}

async function answer(
  request: IncomingMessage,
  body: () => Promise<unknown>,
  projects: readonly Project[],
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
    const [, projectId, jobId] = operation.path.exec(url.pathname) ?? [];
    return await operation.answer({
      project: authorise(request.headers.authorization, projects, decode(projectId)),
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

/** The project of that id, if the key is its own. */
function authorise(
  header: string | undefined,
  projects: readonly Project[],
  projectId: string,
): Project {
  const key = /^Bearer (\S+)$/i.exec(header ?? '')?.[1];
  const owner = projects.find(({ apiKey }) => apiKey === key);
  if (owner === undefined) {
    throw new Refusal(401, key === undefined ? 'Missing Bearer token' : 'Invalid API key');
  }
  const project = projects.find(({ id }) => id === projectId);
  if (project === undefined) {
    throw new Refusal(404, 'Project not found');
  }
  if (project !== owner) {
    throw new Refusal(403, 'The API key belongs to another project');
  }
  return project;
}

function decode(segment = ''): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new Refusal(404, 'Not found');
  }
}
