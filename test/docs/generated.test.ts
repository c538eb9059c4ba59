import { expect, it } from 'vitest';
import { staleDocuments } from '../../scripts/docs.ts';

it('generated tables and examples are up to date', () => {
  expect(staleDocuments()).toEqual([]);
});
