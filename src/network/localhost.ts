import type { LookupFunction } from 'node:net';

/**
 * Finds both addresses of this machine, which are then tried in turn. Many lists of hosts name only one of
 * them, and servers often listen on the other one alone.
 */
export const lookupLocalhost: LookupFunction = (_hostname, _options, callback) => {
  callback(null, [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ]);
};
