import {
  array,
  check,
  fallback,
  integer,
  literal,
  maxLength,
  maxValue,
  minValue,
  nullish,
  number,
  object,
  optional,
  pipe,
  string,
  unknown,
} from 'valibot';
import { parse } from '../text/parse.ts';
import { isIdentifier } from './identifier.ts';
import { type Job, type JobStatus, jobStatuses } from './job.ts';
import { readPullRequestLink } from './pull-request-link.ts';

/** An optional field: anything but a string of reasonable length counts as missing. */
const optionalText = fallback(nullish(pipe(string(), maxLength(500))), undefined);

const optionalMoment = fallback(
  nullish(
    pipe(
      string(),
      maxLength(40),
      check((text) => !Number.isNaN(Date.parse(text))),
    ),
  ),
  undefined,
);

/** An agent job as "Create agent job" and "Get agent job" return it. */
const jobSchema = object({
  id: pipe(string(), check(isIdentifier)),
  status: pipe(string(), maxLength(100)),
  source: fallback(optional(object({ repository: optionalText, ref: optionalText })), undefined),
  model: optionalText,
  prLink: optional(unknown()),
  createdAt: optionalMoment,
  archivedAt: optionalMoment,
});

/** The analytics endpoints list all problems of a request in `details`; agent jobs lack that field. */
const refusalSchema = object({
  error: string(),
  details: fallback(array(object({ message: string() })), []),
});

/** Cloudflare's own errors, as it sends them to a client that accepts JSON. */
const cloudflareErrorSchema = object({
  cloudflare_error: literal(true),
  error_code: pipe(number(), integer(), minValue(1), maxValue(99_999)),
});

/** Parses a job from a response's body; `undefined` if `id` or `status` is missing or invalid. */
export function readJob(body: unknown): Job | undefined {
  const fields = parse(jobSchema, body);
  if (fields === undefined) {
    return undefined;
  }
  const status = readStatus(fields.status);
  return {
    id: fields.id,
    status: status ?? 'active',
    ...(status === undefined && { unknownStatus: fields.status }),
    pullRequest: readPullRequestLink(fields.prLink),
    repository: fields.source?.repository ?? '',
    ref: fields.source?.ref ?? '',
    model: fields.model ?? '',
    createdAt: fields.createdAt ?? '',
    archivedAt: fields.archivedAt ?? '',
  };
}

/** The API's error message in the body of a refusal; `undefined` for any other body. */
export function readRefusal(body: unknown): string | undefined {
  const refusal = parse(refusalSchema, body);
  if (refusal === undefined || refusal.details.length === 0) {
    return refusal?.error;
  }
  return `${refusal.error}: ${refusal.details.map(({ message }) => message).join('; ')}`;
}

/** The code of Cloudflare's own error, such as `1010`; `undefined` for any other body. */
export function readCloudflareCode(body: unknown): string | undefined {
  return parse(cloudflareErrorSchema, body)?.error_code.toString();
}

function readStatus(word: string): JobStatus | undefined {
  return jobStatuses.find((status) => status === word);
}
