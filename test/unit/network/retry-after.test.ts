import { describe, expect, it } from 'vitest';
import { readRetryAfter } from '../../../src/network/retry.ts';

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
