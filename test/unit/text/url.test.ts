import { describe, expect, it } from 'vitest';
import { isLoopback } from '../../../src/text/url.ts';

describe('loopback', () => {
  it.each(['localhost', '127.0.0.1', '127.1.2.3', '[::1]'])('%s', (host) => {
    expect(isLoopback(host)).toBe(true);
  });

  it.each(['localhost.example', '127.0.0.1.example', '10.0.0.1', '0.0.0.0', '[::2]', ''])(
    'not %s',
    (host) => {
      expect(isLoopback(host)).toBe(false);
    },
  );
});
