import * as v from 'valibot';
import { oneLine } from '../../src/text/plain.ts';
import type { SeenRequest } from './server.ts';

const MAX_PATH_LENGTH = 120;
const MAX_OUTCOME_LENGTH = 160;

const jobBody = v.object({ id: v.string(), status: v.string(), prLink: v.nullable(v.string()) });
const errorBody = v.object({ error: v.string() });

/**
 * One line about a request, such as `POST /v2/agent/x/job → 201 job_1`.
 *
 * @param responseBody The body of the response.
 */
export function requestLine({ method, path, status }: SeenRequest, responseBody: unknown): string {
  // Paths and errors hold text from the client, which must not send commands to the terminal.
  const request = `${method} ${oneLine(path, MAX_PATH_LENGTH)}`;
  const outcome = `${status} ${describe(status, responseBody)}`;
  return `${request} → ${oneLine(outcome, MAX_OUTCOME_LENGTH)}`;
}

/** The error, the id of a new job, or the state of an existing one. */
function describe(status: number, body: unknown): string {
  if (v.is(errorBody, body)) {
    return body.error;
  }
  if (!v.is(jobBody, body)) {
    return '';
  }
  return status === 201 ? body.id : `${body.status} ${body.prLink ?? ''}`;
}
