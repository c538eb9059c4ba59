/**
 * Preloaded into a bundle's process, this makes name lookups fail after GOOD_LOOKUPS successes, as on a
 * machine that loses its network.
 */
import dns from 'node:dns';
import net from 'node:net';

const real = net.connect;
let left = Number(process.env.GOOD_LOOKUPS ?? '0');

net.connect = ({ lookup = dns.lookup, ...options }, ...rest) =>
  real(
    {
      ...options,
      lookup(name, settings, done) {
        if (left > 0) {
          left -= 1;
          lookup(name, settings, done);
          return;
        }
        const message = `getaddrinfo ENOTFOUND ${name}`;
        process.nextTick(done, Object.assign(new Error(message), { code: 'ENOTFOUND' }));
      },
    },
    ...rest,
  );
