import type { IncomingMessage, ServerResponse } from 'node:http';

/** What a request is answered with. Text and bytes are sent as they are, all else as JSON. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request that is answered with an error. */
export class Refusal extends Error {
  readonly status: number;
  /** One entry for each mistake in the query; only analytics list them. */
  readonly details: readonly string[] | undefined;

  constructor(status: number, message: string, details?: readonly string[]) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
    this.details = details;
  }

  toAnswer(): Answer {
    const details = this.details?.map((message) => ({ message }));
    return {
      status: this.status,
      body: details === undefined ? { error: this.message } : { error: this.message, details },
    };
  }
}

/** More than any sensible prompt, less than what fills the memory. */
const MAX_BODY_BYTES = 1_048_576;

/**
 * Reads a request's JSON body.
 *
 * @throws {Refusal} 400 when it is no JSON, 413 when it is larger than 1 MiB.
 */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '')) {
    throw new Refusal(400, 'The header "Content-Type: application/json" is missing');
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > MAX_BODY_BYTES) {
      throw new Refusal(413, `The body is larger than ${MAX_BODY_BYTES} bytes`);
    }
    chunks.push(bytes);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw new Refusal(400, 'The body is not valid JSON');
  }
}

export function send(response: ServerResponse, { status, body, headers }: Answer): void {
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
