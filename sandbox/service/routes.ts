import type { IncomingMessage } from 'node:http';
import { HttpError, type HttpResponse } from '../http.ts';
import type { JobOperations } from './job-operations.ts';
import type { Job } from './store.ts';
import type { VisitorOperation } from './visitor-operation.ts';

/** An organisation. Its projects share its keys and the hourly limit of analytics. */
export interface Organisation {
  readonly name: string;
  /** Ids of its projects. */
  readonly projects: readonly string[];
  /** Each key works for all its projects. */
  readonly keys: readonly ApiKey[];
}

interface ApiKey {
  readonly text: string;
  /** A key with the scope `read` is refused for every POST. */
  readonly scope: 'read' | 'write';
}

/** An operation of the API. */
interface Operation {
  readonly method: string;
  /** The first group is the project id, the second one the job id. */
  readonly path: RegExp;
  /** Called once the request is authorised. */
  readonly handle: (request: OperationRequest) => HttpResponse | Promise<HttpResponse>;
}

interface OperationRequest {
  readonly organisation: Organisation;
  readonly projectId: string;
  readonly jobId: string;
  readonly query: URLSearchParams;
  readonly body: () => Promise<unknown>;
}

/** Returns the response to any request. Never rejects. @param body reads the JSON body, if needed */
type Router = (request: IncomingMessage, body: () => Promise<unknown>) => Promise<HttpResponse>;

/** Routes requests to the API's operations, and checks their keys. */
export function router(
  organisations: readonly Organisation[],
  jobs: JobOperations,
  visitors: VisitorOperation,
): Router {
  const operations = listOperations(jobs, visitors);
  return async (request, body) =>
    request.method === 'GET' && request.url === '/'
      ? frontPage(jobs.list())
      : handle(request, body, organisations, operations);
}

/** The page at `/`, for people with a browser. The API has no such path. */
function frontPage(jobs: readonly Job[]): HttpResponse {
  const lines = jobs.map(({ id, status, prLink }) => `${id} ${status} ${prLink ?? ''}`.trim());
  const body = `The sandbox: a local stand-in for Mintlify's API. See sandbox/README.md.

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
      handle: async ({ projectId, body }) => jobs.create(projectId, await body()),
    },
    {
      method: 'GET',
      path: /^\/v2\/agent\/([^/]+)\/job\/([^/]+)$/,
      handle: ({ projectId, jobId }) => jobs.get(projectId, jobId),
    },
    {
      method: 'POST',
      path: /^\/v2\/agent\/([^/]+)\/job\/([^/]+)\/message$/,
      handle: async ({ projectId, jobId, body }) => jobs.followUp(projectId, jobId, await body()),
    },
    {
      method: 'GET',
      path: /^\/v1\/analytics\/([^/]+)\/visitors$/,
      handle: ({ organisation, projectId, query }) =>
        visitors({ organisation: organisation.name, projectId, query }),
    },
  ];
}

async function handle(
  request: IncomingMessage,
  body: () => Promise<unknown>,
  organisations: readonly Organisation[],
  operations: readonly Operation[],
): Promise<HttpResponse> {
  try {
    const url = new URL(request.url ?? '/', 'http://loopback');
    const operation = operations.find(
      ({ method, path }) => method === request.method && path.test(url.pathname),
    );
    if (operation === undefined) {
      throw new HttpError(404, 'Not found');
    }
    const [, project, jobId] = operation.path.exec(url.pathname) ?? [];
    const projectId = decode(project);
    const access = { projectId, isWrite: operation.method === 'POST' };
    return await operation.handle({
      organisation: authorise(request.headers.authorization, organisations, access),
      projectId,
      jobId: decode(jobId),
      query: url.searchParams,
      body,
    });
  } catch (error) {
    const httpError =
      error instanceof HttpError
        ? error
        : new HttpError(500, `The sandbox itself failed: ${String(error)}`);
    return httpError.toResponse();
  }
}

/** @returns The organisation of the key. @throws {HttpError} When the key does not allow the request. */
function authorise(
  header: string | undefined,
  organisations: readonly Organisation[],
  { projectId, isWrite }: { readonly projectId: string; readonly isWrite: boolean },
): Organisation {
  const text = /^Bearer (\S+)$/i.exec(header ?? '')?.[1];
  const owner = organisations.find(({ keys }) => keys.some((key) => key.text === text));
  if (owner === undefined) {
    throw new HttpError(401, text === undefined ? 'Missing Bearer token' : 'Invalid API key');
  }
  if (!organisations.some(({ projects }) => projects.includes(projectId))) {
    throw new HttpError(404, 'Project not found');
  }
  if (!owner.projects.includes(projectId)) {
    throw new HttpError(403, 'The API key belongs to another organization');
  }
  if (isWrite && !owner.keys.some((key) => key.text === text && key.scope === 'write')) {
    throw new HttpError(403, 'This API key may only read');
  }
  return owner;
}

function decode(segment = ''): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new HttpError(404, 'Not found');
  }
}
