import { type GenericSchema, integer, minValue, number, pipe, safeParse } from 'valibot';

export const count = pipe(number(), integer(), minValue(0));

export const id = pipe(number(), integer(), minValue(1));

/** Parses a value from outside with a schema; `undefined` if it does not match. */
export function parse<Value>(
  schema: GenericSchema<unknown, Value>,
  value: unknown,
): Value | undefined {
  const parsed = safeParse(schema, value);
  return parsed.success ? parsed.output : undefined;
}
