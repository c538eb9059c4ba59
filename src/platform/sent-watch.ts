import { subscribe, unsubscribe } from 'node:diagnostics_channel';

/** undici publishes here when it writes a request's headers to a socket, never before. */
const sendHeaders = 'undici:client:sendHeaders';

/** Tells whether one request may have left this machine. */
export interface SentWatch {
  mayHaveLeft(): boolean;
  stop(): void;
}

/**
 * Watches for one request of ours to leave.
 *
 * An error code cannot tell: a connection is reset before and after a request alike. A proxy's
 * `CONNECT` goes over the same channel and is not our request. What cannot be told apart from our
 * request counts as ours: better an error too many than a second job.
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
  // A proxy for plain http is asked with the absolute URL as the path.
  return itsMethod !== method || (itsPath !== path && itsPath !== `${url.origin}${path}`);
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
