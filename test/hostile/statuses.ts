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
 * What servers, proxies and content networks really send: the registered statuses, those of nginx,
 * IIS, Cloudflare and AWS, and the edges of each hundred.
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

/** A status with the page of whoever stands in between. */
export function proxyPage(status: number): Fault {
  return {
    name: String(status),
    // What a status means is each call's to say.
    knowledge: 'lost',
    request: (socket) =>
      send(socket, {
        status,
        headers: { 'content-type': 'text/html', server: 'proxy' },
        body: `<html><head><title>${status}</title></head><body>::error::${status}</body></html>`,
      }),
  };
}
