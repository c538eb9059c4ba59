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
import { parse } from '../text/parse.ts';
import type { VisitorBatch } from './visitor.ts';

/** The API's description allows fractions, because the counts are approximate. */
const count = pipe(number(), finite(), minValue(0));

const counts = { human: count, ai: count, total: count };

/** The response to "Get unique visitors". Unknown fields are ignored. */
const batchSchema: GenericSchema<
  unknown,
  Omit<VisitorBatch, 'rows'> & { visitors: VisitorBatch['rows'] }
> = object({
  totals: object(counts),
  visitors: array(object({ path: string(), ...counts })),
  hasMore: boolean(),
});

/** Parses a batch of visitors; `undefined` if a field is missing or invalid. */
export function readVisitorBatch(body: unknown): VisitorBatch | undefined {
  const fields = parse(batchSchema, body);
  return fields && { totals: fields.totals, rows: fields.visitors, hasMore: fields.hasMore };
}
