import { Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici';
import { isLoopback } from '../text/url.ts';

/** Proxies for https and http, and the hosts that need none; empty strings for none. */
export interface ProxyRoutes {
  readonly httpProxy: string;
  readonly httpsProxy: string;
  readonly noProxy: string;
}

/**
 * The way to one server, and the largest response that it may send.
 *
 * A proxy never sees a call to this machine: it would be handed the credentials in plain text.
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
