import { channel } from 'node:diagnostics_channel';
import { describe, expect, it } from 'vitest';
import { canOccurBeforeSending, readFault, watchForSending } from '../../../src/network/http.ts';

describe('a fault', () => {
  it.each([
    ['name', true, 'ENOTFOUND EAI_AGAIN'],
    [
      'connection',
      true,
      'ECONNREFUSED EHOSTUNREACH ENETUNREACH EADDRNOTAVAIL ETIMEDOUT UND_ERR_CONNECT_TIMEOUT',
    ],
    ['certificate', true, 'SELF_SIGNED_CERT_IN_CHAIN DEPTH_ZERO_SELF_SIGNED_CERT CERT_HAS_EXPIRED'],
    ['certificate', true, 'UNABLE_TO_VERIFY_LEAF_SIGNATURE ERR_TLS_CERT_ALTNAME_INVALID'],
    ['encryption', true, 'ERR_SSL_WRONG_VERSION_NUMBER ERR_TLS_HANDSHAKE_TIMEOUT EPROTO'],
    ['time-out', true, 'UND_ERR_HEADERS_TIMEOUT UND_ERR_BODY_TIMEOUT'],
    ['proxy', true, 'UND_ERR_ABORTED UND_ERR_PRX_CONN'],
    ['broken', true, 'ECONNRESET ECONNABORTED EPIPE UND_ERR_SOCKET'],
    ['broken', false, 'HPE_INVALID_CONSTANT UND_ERR_INVALID_ARG'],
    ['too-large', false, 'UND_ERR_RES_EXCEEDED_MAX_SIZE'],
    // EPROTOTYPE is the error on macOS when the other side closes a socket.
    [
      'broken',
      false,
      'XENOTFOUND ECONNREFUSED_X XETIMEDOUT ETIMEDOUT_X XCERT_HAS_EXPIRED EPROTOTYPE',
    ],
    ['broken', false, 'XECONNREFUSED XEPROTO XUND_ERR_ABORTED UND_ERR_ABORTED_X XECONNRESET'],
    ['broken', false, 'XUND_ERR_BODY_TIMEOUT UND_ERR_BODY_TIMEOUT_X UND_ERR_SOCKET_X'],
    [
      'broken',
      false,
      'XUND_ERR_RES_EXCEEDED_MAX_SIZE UND_ERR_RES_EXCEEDED_MAX_SIZE_X Z ENOTFOUND_X',
    ],
  ])('is %s, and may occur before anything is sent: %s, with %s', (kind, early, codes) => {
    for (const code of codes.split(' ')) {
      const fault = readFault(Object.assign(new Error('secret detail'), { code }));
      expect(fault).toEqual({ kind, code });
      expect(canOccurBeforeSending(fault), code).toBe(early);
    }
  });

  it.each(['text', new Error('no code'), { code: 'ECONNREFUSED' }])(
    'that nobody knows counts as sent: %s',
    (error) => {
      expect(canOccurBeforeSending(readFault(error))).toBe(false);
    },
  );

  it.each([
    ['ENOTFOUND ::error::', ''],
    ['::error:: ENOTFOUND', ''],
    ['E'.repeat(60), 'E'.repeat(60)],
    ['E'.repeat(61), ''],
  ])('has only a word for a code: %s', (code, shown) => {
    expect(readFault(Object.assign(new Error('no'), { code })).code).toBe(shown);
  });
});

describe('whether a request left', () => {
  const headers = channel('undici:client:sendHeaders');
  const url = new URL('https://api.example/base/v2/agent/p/job?x=1');

  it.each([
    ['ours', { request: { method: 'POST', path: '/base/v2/agent/p/job?x=1' } }, true],
    ['ours, through a plain proxy', { request: { method: 'POST', path: url.href } }, true],
    ["a proxy's CONNECT", { request: { method: 'CONNECT', path: 'api.example:443' } }, false],
    ['another method', { request: { method: 'GET', path: '/base/v2/agent/p/job?x=1' } }, false],
    ['another path', { request: { method: 'POST', path: '/base/v2/agent/p/job' } }, false],
    ['without a path', { request: { method: 'POST' } }, true],
    ['without a method', { request: { path: '/base/v2/agent/p/job?x=1' } }, true],
    ['without a request', { request: null }, true],
    ['not to be recognised at all', 'text', true],
  ])('%s', (_name, message, left) => {
    const watch = watchForSending('POST', url);
    headers.publish(message);
    watch.stop();
    expect(watch.mayHaveLeft()).toBe(left);
    headers.publish({ request: { method: 'POST', path: '/base/v2/agent/p/job?x=1' } });
    expect(watch.mayHaveLeft()).toBe(left);
  });
});
