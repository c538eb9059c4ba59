import { channel } from 'node:diagnostics_channel';
import { describe, expect, it } from 'vitest';
import { canStrikeBeforeSending, readFault } from '../../../src/platform/fault.ts';
import { readRetryAfter } from '../../../src/platform/retry-after.ts';
import { watchForSending } from '../../../src/platform/sent-watch.ts';

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
    ['', 'broken', false],
  ])('%s is %s; can strike before sending: %s', (code, kind, early) => {
    const fault = readFault(Object.assign(new Error('secret detail'), { code }));
    expect(fault).toEqual({ kind, code });
    expect(canStrikeBeforeSending(fault)).toBe(early);
  });

  it.each([undefined, null, 'text', new Error('no code'), { code: 'ECONNREFUSED' }])(
    'that nobody knows counts as sent: %s',
    (error) => {
      expect(canStrikeBeforeSending(readFault(error))).toBe(false);
    },
  );
});

describe('a code that only holds one that is known', () => {
  it.each([
    'XENOTFOUND',
    'ENOTFOUND-X',
    'XECONNREFUSED',
    'ECONNREFUSED_X',
    'XETIMEDOUT',
    'ETIMEDOUT_X',
    'XCERT_HAS_EXPIRED',
    'XEPROTO',
    // What macOS says of a socket that the other side closes.
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
    expect(canStrikeBeforeSending(fault)).toBe(false);
  });

  it.each(['ENOTFOUND ::error::', '::error:: ENOTFOUND', 'E'.repeat(61), 7.5])(
    'is not handed on unless it is a word: %s',
    (code) => {
      expect(readFault(Object.assign(new Error('no'), { code })).code).toBe('');
    },
  );
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

describe('Retry-After', () => {
  const nowMs = Date.UTC(2026, 0, 5, 8);

  it.each([
    ['5', 5_000],
    [' 5 ', 5_000],
    ['0', 0],
    ['99999999999', 99_999_999_999_000],
    ['Mon, 05 Jan 2026 08:01:00 GMT', 60_000],
    ['Mon, 05 Jan 2026 07:00:00 GMT', 0],
    ['-5', undefined],
    ['5.5', undefined],
    ['soon', undefined],
    ['(soon) Mon, 05 Jan 2026 08:01:00 GMT', undefined],
    ['Mon, 05 Jan 2026 08:01:00 GMT+0100', undefined],
    ['2026-01-05', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('%j', (header, waitMs) => {
    expect(readRetryAfter(header, nowMs)).toBe(waitMs);
  });
});
