import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { closeServer, listen } from '../listen.ts';
import { type Answer, readJson, send } from './http.ts';
import { jobOperations } from './job-operations.ts';
import { type JobOptions, runJobs } from './jobs.ts';
import { type Organisation, router } from './routes.ts';
import { visitorOperation } from './visitor-operation.ts';
import type { DayRange, VisitorReport } from './visitors.ts';

/** One request that the service received, with the status that it answered. */
export interface SeenRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  /** The JSON of a body, if it was read. */
  readonly body?: unknown;
  /** 0 when no answer was sent, or none that the service knows of. */
  readonly status: number;
}

/** Lets a test or a rehearsal do something else than the service would. */
export type Intercept = (request: {
  readonly method: string;
  readonly path: string;
}) => Answer | 'lose the answer' | TakeOver | undefined;

/** Does with a request what it likes: answers slowly, never, or breaks the connection. */
export type TakeOver = (request: IncomingMessage, response: ServerResponse) => void;

export interface ServiceOptions extends JobOptions {
  /** 0, the default, takes any free port. */
  readonly port?: number;
  readonly organisations: readonly Organisation[];
  readonly visitors: (range: DayRange) => VisitorReport;
  readonly intercept?: Intercept;
  /** Told every request with the body of its answer, if one was sent; ignored when left out. */
  readonly onRequest?: (request: SeenRequest, answer: unknown) => void;
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

/** Starts the service's stand-in on loopback. */
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

  function note(request: SeenRequest, answer?: unknown): void {
    requests.push(request);
    onRequest(request, answer);
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '' } = request;
    const instead = intercept?.({ method, path });
    if (typeof instead === 'function') {
      note({ method, path, status: 0 });
      return instead(request, response);
    }
    let seen: { body?: unknown } = {};
    const answer =
      typeof instead === 'object'
        ? instead
        : await route(request, async () => {
            seen = { body: await readJson(request) };
            return seen.body;
          });
    if (instead === 'lose the answer') {
      note({ method, path, ...seen, status: 0 });
      response.destroy();
    } else {
      note({ method, path, ...seen, status: answer.status }, answer.body);
      send(response, answer);
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
