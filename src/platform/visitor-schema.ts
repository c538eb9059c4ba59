import {
  array,
  boolean,
  finite,
  type GenericSchema,
  minValue,
  number,
  object,
  pipe,
  string,
} from 'valibot';
import { read } from './schema.ts';
import type { VisitorBatch } from './visitor.ts';

/** The API's description says number, not integer: approximate counts may have fractions. */
const count = pipe(number(), finite(), minValue(0));

const counts = { human: count, ai: count, total: count };

/** The response to "Get unique visitors". Unknown fields are left out of what is read. */
const batchSchema: GenericSchema<
  unknown,
  Omit<VisitorBatch, 'rows'> & { visitors: VisitorBatch['rows'] }
> = object({
  totals: object(counts),
  visitors: array(object({ path: string(), ...counts })),
  hasMore: boolean(),
});

/** Reads a batch of visitors; `undefined` when a field is missing or malformed. */
export function readVisitorBatch(body: unknown): VisitorBatch | undefined {
  const fields = read(batchSchema, body);
  return fields && { totals: fields.totals, rows: fields.visitors, hasMore: fields.hasMore };
}
