import { channel } from 'node:diagnostics_channel';
import { describe, expect, it } from 'vitest';
import { watchForSending } from '../../../src/network/http.ts';

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
