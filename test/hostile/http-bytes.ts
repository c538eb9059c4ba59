import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

/** A response. A body of text or bytes is sent unchanged, anything else as JSON. */
export interface RawResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** The bytes of a response after which the connection ends. */
export function responseBytes({ status, headers = {}, body = '' }: RawResponse): Buffer {
  const content = bodyBytes(body);
  const all = {
    'content-type': 'application/json',
    'content-length': String(content.length),
    connection: 'close',
    ...headers,
  };
  return Buffer.concat([Buffer.from(head(status, all), 'latin1'), content]);
}

/** A status line and header lines, with an empty line at the end. */
export function head(status: number, headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Whatever'}\r\n${lines.join('')}\r\n`;
}

function bodyBytes(body: unknown): Buffer {
  if (Buffer.isBuffer(body)) {
    return body;
  }
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

/** Sends a response and ends the connection. */
export function send(socket: Socket, response: RawResponse): void {
  socket.end(responseBytes(response));
}

/** Writes repeatedly, as fast as the other side reads, until the connection is closed. */
export function flood(socket: Socket, bytes: Buffer): void {
  const write = () => {
    while (socket.writable && socket.write(bytes));
  };
  socket.on('drain', write);
  write();
}

/** Writes one byte at a time. */
export function drip(socket: Socket, bytes: Buffer, pauseMs: number): void {
  let sent = 0;
  const timer = setInterval(() => {
    if (socket.writable && sent < bytes.length) {
      socket.write(bytes.subarray(sent, sent + 1));
      sent += 1;
    }
  }, pauseMs);
  socket.on('close', () => clearInterval(timer));
}
