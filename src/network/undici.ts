import api from 'undici/lib/api/index.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
import EnvHttpProxyAgent from 'undici/lib/dispatcher/env-http-proxy-agent.js';

/**
 * The dispatchers of undici without its index, which loads twice as much: fetch, WebSocket, a cache and
 * more. Like the index, this gives dispatchers their methods, such as `request`.
 */
export function undici() {
  Object.assign(Dispatcher.prototype, api);
  return { Agent, EnvHttpProxyAgent };
}
