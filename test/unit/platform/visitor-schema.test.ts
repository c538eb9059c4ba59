import { describe, expect, it } from 'vitest';
import { readVisitorBatch } from '../../../src/platform/visitors.ts';

const counts = { human: 3, ai: 2, total: 4 };
const body = { totals: counts, visitors: [{ path: '/a', ...counts }], hasMore: false };

describe('a batch of visitors', () => {
  it('is read completely, without unknown fields', () => {
    const extra = { ...body, visitors: [{ ...body.visitors[0], extra: 1 }], extra: 1 };
    expect(readVisitorBatch(extra)).toEqual({
      totals: counts,
      rows: [{ path: '/a', ...counts }],
      hasMore: false,
    });
  });

  it.each(['totals', 'visitors', 'hasMore'])('is not read without %s', (field) => {
    expect(readVisitorBatch({ ...body, [field]: undefined })).toBeUndefined();
  });

  it.each(['path', 'human', 'ai', 'total'])('is not read with a row without %s', (field) => {
    const visitors = [{ path: '/a', ...counts, [field]: undefined }];
    expect(readVisitorBatch({ ...body, visitors })).toBeUndefined();
  });

  describe.each(['human', 'ai', 'total'])('with a count of %s', (field) => {
    it.each([0, 0.5, 1234.5678, 1e21])('that is %s is read unchanged', (value) => {
      const fine = { ...counts, [field]: value };
      const visitors = [{ path: '/a', ...fine }];
      expect(readVisitorBatch({ ...body, totals: fine, visitors })).toMatchObject({
        totals: fine,
        rows: visitors,
      });
    });

    it.each([undefined, null, '3', -1, -0.5, Number.NaN, Number.POSITIVE_INFINITY])(
      'that is %s is not read',
      (value) => {
        const odd = { ...counts, [field]: value };
        expect(readVisitorBatch({ ...body, totals: odd })).toBeUndefined();
        expect(readVisitorBatch({ ...body, visitors: [{ path: '/a', ...odd }] })).toBeUndefined();
      },
    );
  });
});
