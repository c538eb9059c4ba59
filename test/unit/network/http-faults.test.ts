import { describe, expect, it } from 'vitest';
import { canOccurBeforeSending, readFault } from '../../../src/network/http.ts';

describe('a fault', () => {
  it.each([
    ['ENOTFOUND', 'name', true],
    ['EAI_AGAIN', 'name', true],
    ['ECONNREFUSED', 'refused', true],
    ['ENETUNREACH', 'connection', true],
    ['UND_ERR_CONNECT_TIMEOUT', 'connection', true],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'certificate', true],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'certificate', true],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'certificate', true],
    ['CERT_HAS_EXPIRED', 'certificate', true],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'encryption', true],
    ['EPROTO', 'encryption', true],
    ['UND_ERR_HEADERS_TIMEOUT', 'time-out', true],
    ['UND_ERR_ABORTED', 'proxy', true],
    ['UND_ERR_PRX_CONN', 'proxy', true],
    ['ECONNRESET', 'broken', true],
    ['UND_ERR_SOCKET', 'broken', true],
    ['HPE_INVALID_CONSTANT', 'broken', false],
    ['UND_ERR_INVALID_ARG', 'broken', false],
    ['UND_ERR_RES_EXCEEDED_MAX_SIZE', 'too-large', false],
    ['ERR_BUFFER_TOO_LARGE', 'too-large', false],
    ['Z_DATA_ERROR', 'compressed', false],
    ['ERR_CONTENT_ENCODING', 'compressed', false],
    ['', 'broken', false],
  ])('%s is %s; can occur before sending: %s', (code, kind, early) => {
    const fault = readFault(Object.assign(new Error('secret detail'), { code }));
    expect(fault).toEqual({ kind, code });
    expect(canOccurBeforeSending(fault)).toBe(early);
  });

  it.each([undefined, null, 'text', new Error('no code'), { code: 'ECONNREFUSED' }])(
    'that nobody knows counts as sent: %s',
    (error) => {
      expect(canOccurBeforeSending(readFault(error))).toBe(false);
    },
  );
});

describe('a code that only contains a known one', () => {
  it.each([
    'XENOTFOUND',
    'ENOTFOUND-X',
    'XECONNREFUSED',
    'ECONNREFUSED_X',
    'XETIMEDOUT',
    'ETIMEDOUT_X',
    'XCERT_HAS_EXPIRED',
    'XEPROTO',
    // The error on macOS when the other side closes a socket.
    'EPROTOTYPE',
    'XUND_ERR_ABORTED',
    'UND_ERR_ABORTED_X',
    'XUND_ERR_BODY_TIMEOUT',
    'UND_ERR_BODY_TIMEOUT_X',
    'XUND_ERR_RES_EXCEEDED_MAX_SIZE',
    'UND_ERR_RES_EXCEEDED_MAX_SIZE_X',
    'XUND_ERR_SOCKET',
    'UND_ERR_SOCKET_X',
  ])('counts as sent: %s', (code) => {
    const fault = readFault(Object.assign(new Error('no'), { code }));
    expect(fault.kind).toBe('broken');
    expect(canOccurBeforeSending(fault)).toBe(false);
  });

  it.each(['ENOTFOUND ::error::', '::error:: ENOTFOUND', 'E'.repeat(61), 7.5])(
    'is not handed on unless it is a word: %s',
    (code) => {
      expect(readFault(Object.assign(new Error('no'), { code })).code).toBe('');
    },
  );
});
