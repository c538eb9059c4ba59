import * as v from 'valibot';
import { oneLine } from '../one-line.ts';
import type { SeenRequest } from './server.ts';

const MAX_PATH_CHARACTERS = 120;
const MAX_GIST_CHARACTERS = 160;

const jobBody = v.object({ id: v.string(), status: v.string(), prLink: v.nullable(v.string()) });
const errorBody = v.object({ error: v.string() });

/**
 * One line for whoever watches the service, such as `POST /v2/agent/x/job → 201 job_1`.
 *
 * @param answer The body that was answered, if any was.
 */
export function requestLine({ method, path, status }: SeenRequest, answer: unknown): string {
  // Paths and errors quote whoever asks: neither may write to a terminal what it obeys.
  const asked = `${method} ${oneLine(path, MAX_PATH_CHARACTERS)}`;
  const outcome = status === 0 ? 'no answer' : `${status} ${gist(status, answer)}`;
  return `${asked} → ${oneLine(outcome, MAX_GIST_CHARACTERS)}`;
}

/** A new job is known by its id, a known one by how it is. */
function gist(status: number, answer: unknown): string {
  if (v.is(errorBody, answer)) {
    return answer.error;
  }
  if (!v.is(jobBody, answer)) {
    return '';
  }
  return status === 201 ? answer.id : `${answer.status} ${answer.prLink ?? ''}`;
}
