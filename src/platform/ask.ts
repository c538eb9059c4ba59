import type { ApiRequest, Client } from './client.ts';
import { type Failure, type RequestContext, readFailure } from './failure.ts';

/** The expected response (for error messages), and the thing that was asked for, such as a job. */
interface Question<Value> {
  readonly about: Pick<RequestContext, 'projectId' | 'jobId' | 'hourlyLimit'>;
  /** What a success contains, such as `an agent job`. */
  readonly expected: string;
  /** Parses the body of a success; `undefined` if the body is something else. */
  readonly read: (body: unknown) => Value | undefined;
}

/** The value of a success, or the failure with the sentence about it. */
export type Reply<Value> =
  | { readonly kind: 'success'; readonly value: Value }
  | { readonly kind: 'failure'; readonly failure: Failure };

/** Sends one request to the API, and reads its response. Nothing is thrown. */
export async function ask<Value>(
  client: Client,
  request: ApiRequest,
  { about, expected, read }: Question<Value>,
): Promise<Reply<Value>> {
  const response = await client.send(request);
  const isSuccess = response.kind === 'response' && response.status >= 200 && response.status < 300;
  const value = isSuccess ? read(response.body) : undefined;
  if (value !== undefined) {
    return { kind: 'success', value };
  }
  const scope = request.method === 'GET' ? 'read' : 'write';
  const context = { ...about, host: client.host, scope, expected } as const;
  return { kind: 'failure', failure: readFailure(response, context) };
}
