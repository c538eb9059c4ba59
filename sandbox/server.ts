import { createServer, type IncomingMessage } from 'node:http';
import { type Answer, Refusal, readJson, send } from './http.ts';
import { type JobOperations, jobOperations } from './job-operations.ts';
import { type JobOptions, runJobs } from './jobs.ts';
import { closeServer, listen } from './listen.ts';
import { type VisitorOperation, visitorOperation } from './visitor-operation.ts';
import type { DayRange, VisitorReport } from './visitors.ts';

/** A project of the service, with the admin key that belongs to it. */
export interface Project {
  readonly id: string;
  /** Projects of one organisation share the hourly limit of analytics. */
  readonly organisation: string;
  readonly apiKey: string;
}

/** One request that the service received, with the status that it answered. */
export interface SeenRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  /** 0 when the connection was closed without an answer. */
  readonly status: number;
}

/** Lets a test or a rehearsal answer a request in the service's place. */
export type Intercept = (request: {
  readonly method: string;
  readonly path: string;
}) => Answer | 'close the connection' | undefined;

export interface ServiceOptions extends JobOptions {
  /** 0, the default, takes any free port. */
  readonly port?: number;
  readonly projects: readonly Project[];
  readonly visitors: (range: DayRange) => VisitorReport;
  readonly intercept?: Intercept;
}

export interface Service {
  /** The base URL, without a slash at the end. */
  readonly url: string;
  /** Every request so far, oldest first. */
  readonly requests: readonly SeenRequest[];
  /** Resolves when no job is being worked on any more. */
  settled(): Promise<void>;
  close(): Promise<void>;
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

/** Starts the service's stand-in on loopback. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { port = 0, projects, store, now, visitors, intercept } = options;
  const jobs = runJobs(options);
  const operations = listOperations(
    jobOperations(store, jobs, now),
    visitorOperation(store, visitors, now),
  );
  const requests: SeenRequest[] = [];

  const server = createServer((request, response) => {
    const { method = '', url: path = '' } = request;
    const intercepted = intercept?.({ method, path });
    if (intercepted === 'close the connection') {
      requests.push({ method, path, status: 0 });
      request.socket.destroy();
      return;
    }
    const answering = intercepted ?? answer(request, projects, operations);
    void Promise.resolve(answering).then((given) => {
      requests.push({ method, path, status: given.status });
      // What was not read of a refused body would otherwise keep the connection busy.
      request.resume();
      send(response, given);
    });
  });
  const url = await listen(server, port);

  return {
    url,
    requests,
    settled: jobs.settled,
    async close() {
      await jobs.stop();
      await closeServer(server);
    },
  };
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
      body: () => readJson(request),
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
