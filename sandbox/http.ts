import type { IncomingMessage, ServerResponse } from 'node:http';

/** A response to send. Strings and buffers are sent unchanged, any other body as JSON. */
export interface HttpResponse {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An error that is sent as the response to a request. */
export class HttpError extends Error {
  readonly status: number;
  /** One entry for each invalid query parameter. Only the analytics endpoints list them. */
  readonly details: readonly string[] | undefined;

  constructor(status: number, message: string, details?: readonly string[]) {
    super(message);
    this.name = 'HttpError';
    this.status = status;
    this.details = details;
  }

  toResponse(): HttpResponse {
    const details = this.details?.map((message) => ({ message }));
    return {
      status: this.status,
      body: details === undefined ? { error: this.message } : { error: this.message, details },
    };
  }
}

/** Longer than any sensible prompt, and short enough to keep in memory. */
const MAX_BODY_BYTES = 1_048_576;

/**
 * Reads the JSON body of a request.
 *
 * @throws {HttpError} 400 when the body is not JSON, 413 when it is larger than 1 MiB.
 */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '')) {
    throw new HttpError(400, 'The header "Content-Type: application/json" is missing');
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > MAX_BODY_BYTES) {
      throw new HttpError(413, `The body is larger than ${MAX_BODY_BYTES} bytes`);
    }
    chunks.push(bytes);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw new HttpError(400, 'The body is not valid JSON');
  }
}

export function send(response: ServerResponse, { status, body, headers }: HttpResponse): void {
  const bytes = Buffer.isBuffer(body)
    ? body
    : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const type = typeof body === 'string' ? 'text/html' : 'application/json';
  response.writeHead(status, {
    'Content-Type': `${type}; charset=utf-8`,
    'Content-Length': bytes.length,
    ...headers,
  });
  response.end(bytes);
}
