import {
  check,
  fallback,
  type GenericSchema,
  integer,
  maxLength,
  minValue,
  nullish,
  number,
  pipe,
  safeParse,
  string,
} from 'valibot';

export const count = pipe(number(), integer(), minValue(0));

export const id = pipe(number(), integer(), minValue(1));

/** An optional date and time, such as ISO 8601: anything else counts as missing. */
export const optionalMoment = fallback(
  nullish(
    pipe(
      string(),
      maxLength(40),
      check((text) => !Number.isNaN(Date.parse(text))),
    ),
  ),
  undefined,
);

/** Parses a value from outside with a schema; `undefined` if it does not match. */
export function parse<Value>(
  schema: GenericSchema<unknown, Value>,
  value: unknown,
): Value | undefined {
  const parsed = safeParse(schema, value);
  return parsed.success ? parsed.output : undefined;
}
