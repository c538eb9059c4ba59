import { expect, it } from 'vitest';
import { decoded, isLoopback } from '../../../src/text/url.ts';

it.each([
  ['localhost 127.0.0.1 127.1.2.3 [::1]', true],
  ['localhost.example alocalhost 127.0.0.1.example 1127.0.0.1 10.0.0.1 0.0.0.0 [::2]', false],
])('%s: loopback is %s', (hosts, expected) => {
  for (const host of hosts.split(' ')) {
    expect(isLoopback(host), host).toBe(expected);
  }
  expect(isLoopback('')).toBe(false);
});

it('a text is read without its escapes, unless these are wrong', () => {
  expect([decoded('/d%C3%A9j%C3%A0%20vu'), decoded('/100%')]).toEqual(['/déjà vu', '/100%']);
});
