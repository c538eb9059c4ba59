import { type GenericSchema, safeParse } from 'valibot';

/** Parses a value from outside with a schema; `undefined` if it does not match. */
export function parse<Value>(
  schema: GenericSchema<unknown, Value>,
  value: unknown,
): Value | undefined {
  const parsed = safeParse(schema, value);
  return parsed.success ? parsed.output : undefined;
}
