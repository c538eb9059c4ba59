import { subscribe, unsubscribe } from 'node:diagnostics_channel';

/** undici publishes here when it writes a request's headers to a socket, and not earlier. */
const sendHeaders = 'undici:client:sendHeaders';

/** Tracks whether a request may have left this machine. */
interface SentWatch {
  mayHaveLeft(): boolean;
  stop(): void;
}

/**
 * Starts to watch whether a request is sent.
 *
 * Error codes do not show this, because a connection can be reset before or after the request. Requests
 * that are clearly different, such as `CONNECT` to a proxy, are ignored. Any other counts as ours,
 * because an unnecessary error is better than a second job.
 */
export function watchForSending(method: string, url: URL): SentWatch {
  let left = false;
  const listen = (message: unknown): void => {
    left ||= !isAnotherRequest(message, method, url);
  };
  subscribe(sendHeaders, listen);
  return { mayHaveLeft: () => left, stop: () => unsubscribe(sendHeaders, listen) };
}

function isAnotherRequest(message: unknown, method: string, url: URL): boolean {
  const request = property(message, 'request');
  const itsMethod = property(request, 'method');
  const itsPath = property(request, 'path');
  if (typeof itsMethod !== 'string' || typeof itsPath !== 'string') {
    return false;
  }
  const path = `${url.pathname}${url.search}`;
  // A request to a plain http proxy has the absolute URL as its path.
  return itsMethod !== method || (itsPath !== path && itsPath !== `${url.origin}${path}`);
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
