import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type HttpResponse, readJson, send } from '../http.ts';
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
  /** 0 when there was no response, or when `TakeOver` sent it. */
  readonly status: number;
}

/** Replaces the API's own response to a request, if it returns something. */
export type Intercept = (request: {
  readonly method: string;
  readonly path: string;
}) => HttpResponse | 'lose the response' | TakeOver | undefined;

/** Handles a request in any way, such as by a slow response or a broken connection. */
type TakeOver = (request: IncomingMessage, response: ServerResponse) => void;

interface ServiceOptions extends JobOptions {
  /** 0, the default, for any free port. */
  readonly port?: number;
  readonly organisations: readonly Organisation[];
  readonly visitors: (projectId: string, range: DayRange) => VisitorReport;
  readonly intercept?: Intercept;
  /** Called for each request, with the body of its response, if there was one. */
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
  const {
    port = 0,
    organisations,
    store,
    now,
    visitors,
    intercept,
    onRequest = () => {},
  } = options;
  const jobs = runJobs(options);
  const route = router(
    organisations,
    jobOperations(store, jobs, now),
    visitorOperation(store, visitors, now),
  );
  const requests: SeenRequest[] = [];

  function record(request: SeenRequest, responseBody?: unknown): void {
    requests.push(request);
    onRequest(request, responseBody);
  }

  async function serve(request: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method = '', url: path = '' } = request;
    const override = intercept?.({ method, path });
    if (typeof override === 'function') {
      record({ method, path, status: 0 });
      return override(request, outgoing);
    }
    let seen: { body?: unknown } = {};
    const response =
      typeof override === 'object'
        ? override
        : await route(request, async () => {
            seen = { body: await readJson(request) };
            return seen.body;
          });
    if (override === 'lose the response') {
      record({ method, path, ...seen, status: 0 });
      outgoing.destroy();
    } else {
      record({ method, path, ...seen, status: response.status }, response.body);
      send(outgoing, response);
    }
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
