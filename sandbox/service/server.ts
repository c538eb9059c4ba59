import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { readJson, send } from '../http.ts';
import { closeServer, listen } from '../listen.ts';
import { jobOperations } from './job-operations.ts';
import { type JobOptions, runJobs } from './jobs.ts';
import { type Organisation, router } from './routes.ts';
import { visitorOperation } from './visitor-operation.ts';
import type { DayRange, VisitorReport } from './visitors.ts';

/** A request that the API received, with the status of its response. */
export interface SeenRequest {
  readonly method: string;
  /** The path with the query. */
  readonly path: string;
  /** The parsed JSON body, if it was read. */
  readonly body?: unknown;
  readonly status: number;
}

interface ServiceOptions extends JobOptions {
  /** 0, the default, for any free port. */
  readonly port?: number;
  readonly organisations: readonly Organisation[];
  readonly visitors: (projectId: string, range: DayRange) => VisitorReport;
  /** Called for each request, with the body of its response. */
  readonly onRequest?: (request: SeenRequest, responseBody: unknown) => void;
}

export interface Service {
  /** The base URL, without a slash at the end. */
  readonly url: string;
  /** All requests so far, oldest first. */
  readonly requests: readonly SeenRequest[];
  /** Resolves when the agent has finished all jobs. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a stand-in for Mintlify's API on loopback. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { port = 0, organisations, store, now, visitors, onRequest = () => {} } = options;
  const jobs = runJobs(options);
  const route = router(
    organisations,
    jobOperations(store, jobs, now),
    visitorOperation(store, visitors, now),
  );
  const requests: SeenRequest[] = [];

  async function serve(request: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method = '', url: path = '' } = request;
    let seen: { body?: unknown } = {};
    const response = await route(request, async () => {
      seen = { body: await readJson(request) };
      return seen.body;
    });
    const { status } = response;
    requests.push({ method, path, ...seen, status });
    onRequest({ method, path, ...seen, status }, response.body);
    send(outgoing, response);
  }

  const server = createServer((request, response) => void serve(request, response));
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
