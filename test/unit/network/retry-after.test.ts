import { describe, expect, it } from 'vitest';
import { readRetryAfter } from '../../../src/network/retry.ts';

describe('Retry-After', () => {
  const date = 'Mon, 05 Jan 2026 08:00:00 GMT';

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
    expect(readRetryAfter(header, date)).toBe(waitMs);
  });

  it.each([undefined, '', 'today', '2026-01-05T08:00:00Z'])(
    'as a date says nothing beside a Date of %j',
    (none) => {
      expect(readRetryAfter('Mon, 05 Jan 2026 08:01:00 GMT', none)).toBeUndefined();
      expect(readRetryAfter('5', none)).toBe(5_000);
    },
  );
});
