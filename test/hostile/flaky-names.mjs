/**
 * Preloaded into a bundle's process, this makes name lookups fail after GOOD_LOOKUPS successes, as on a
 * machine that loses its network.
 */
import dns from 'node:dns';

const real = dns.lookup;
let left = Number(process.env.GOOD_LOOKUPS ?? '0');

dns.lookup = (name, options, callback) => {
  const done = callback ?? options;
  if (left > 0) {
    left -= 1;
    return real(name, options, callback);
  }
  const error = Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND' });
  process.nextTick(done, error);
};
