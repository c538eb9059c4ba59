import type { Fault } from './faults.ts';
import { send } from './http-bytes.ts';

/** Every status of a final response. */
export const everyStatus: readonly number[] = Array.from(
  { length: 400 },
  (_, index) => 200 + index,
);

const between = (first: number, last: number): readonly number[] =>
  everyStatus.filter((status) => status >= first && status <= last);

/**
 * The statuses that servers, proxies and CDNs really send: the registered ones, those of nginx, IIS,
 * Cloudflare and AWS, and the first and last of each hundred.
 */
export const commonStatuses: readonly number[] = [
  ...between(200, 208),
  226,
  299,
  ...between(300, 308),
  399,
  ...between(400, 418),
  ...between(421, 426),
  428,
  429,
  431,
  440,
  444,
  449,
  451,
  460,
  ...between(494, 499),
  ...between(500, 511),
  ...between(520, 527),
  530,
  561,
  599,
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
