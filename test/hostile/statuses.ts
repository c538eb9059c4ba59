import type { Fault } from './faults.ts';
import { send } from './http-bytes.ts';

/**
 * Statuses of each kind, with all that an action tells apart: those that servers, proxies and CDNs really
 * send, and the last of each hundred, which is no registered one.
 */
export const statuses: readonly number[] = [
  ...[200, 201, 202, 203, 204, 205, 206, 207, 226, 299],
  ...[300, 301, 302, 303, 304, 305, 307, 308, 399],
  ...[400, 401, 402, 403, 404, 405, 407, 408, 409, 410, 422, 424, 425, 426, 429, 431, 451, 499],
  ...[500, 501, 502, 503, 504, 507, 511, 520, 530, 599],
];

/** A status with the web page of a proxy. */
export function proxyPage(status: number): Fault {
  return {
    name: String(status),
    // Each request has its own expectations for a status.
    knowledge: 'lost',
    request: (socket) =>
      send(socket, {
        status,
        headers: { 'content-type': 'text/html', server: 'proxy' },
        body: `<html><head><title>${status}</title></head><body>::error::${status}</body></html>`,
      }),
  };
}
