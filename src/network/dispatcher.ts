import { Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici';
import { isLoopback } from '../text/url.ts';

/** The proxies for https and http, and the hosts that need no proxy; empty strings for none. */
export interface ProxyRoutes {
  readonly httpProxy: string;
  readonly httpsProxy: string;
  readonly noProxy: string;
}

/**
 * Creates undici's dispatcher for one server, with a limit for the size of its responses.
 *
 * Requests to loopback addresses never go through a proxy, because they can be plain http, and the proxy
 * would see the credentials.
 */
export function createDispatcher(
  server: URL,
  proxy: ProxyRoutes,
  maxResponseBytes: number,
): Dispatcher {
  const settings = { allowH2: false, maxResponseSize: maxResponseBytes };
  return isLoopback(server.hostname)
    ? new Agent(settings)
    : new EnvHttpProxyAgent({ ...settings, ...proxy });
}
