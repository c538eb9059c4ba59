/** Why the API could not be used, as the output `reason` names it. */
export const platformReasons = [
  'key-refused',
  'forbidden',
  'project-not-found',
  'job-not-found',
  'rate-limited',
  'request-refused',
  'unreachable',
  'unreadable-answer',
  'job-may-exist',
] as const;

type PlatformReason = (typeof platformReasons)[number];

/** A failed request to the API. The message is one sentence. */
export abstract class PlatformError extends Error {
  abstract readonly reason: PlatformReason;
  /** What happened, without the advice: the first half of the sentence. */
  readonly what: string;
  /** What to do about it: the second half. */
  readonly advice: string;

  /**
   * @param what what happened, as a main clause
   * @param advice what to do about it; follows a colon
   */
  constructor(what: string, advice: string) {
    super(`${what.charAt(0).toUpperCase()}${what.slice(1)}: ${advice}.`);
    this.what = what;
    this.advice = advice;
  }
}

/** 401: the key is wrong, of another kind, or expired. */
export class KeyRefusedError extends PlatformError {
  override readonly name = 'KeyRefusedError';
  readonly reason = 'key-refused';
}

/** 402 or 403: the key, the plan or the credits do not allow it, or a firewall refused it. */
export class ForbiddenError extends PlatformError {
  override readonly name = 'ForbiddenError';
  readonly reason = 'forbidden';
}

/** 404 for a request about the project. */
export class ProjectNotFoundError extends PlatformError {
  override readonly name = 'ProjectNotFoundError';
  readonly reason = 'project-not-found';
}

/** 404 for a request about one job. */
export class JobNotFoundError extends PlatformError {
  override readonly name = 'JobNotFoundError';
  readonly reason = 'job-not-found';
}

/** 429 or 425: refused temporarily, with no effect. */
export class RateLimitedError extends PlatformError {
  override readonly name = 'RateLimitedError';
  readonly reason = 'rate-limited';
}

/** Any other refusal: 400, other 4xx, a redirect. */
export class RequestRefusedError extends PlatformError {
  override readonly name = 'RequestRefusedError';
  readonly reason = 'request-refused';
}

/** There was no complete response, or the API failed (5xx). */
export class UnreachableError extends PlatformError {
  override readonly name = 'UnreachableError';
  readonly reason = 'unreachable';
}

/** The status is a success, but the body does not match the API's description. */
export class UnreadableAnswerError extends PlatformError {
  override readonly name = 'UnreadableAnswerError';
  readonly reason = 'unreadable-answer';
}

/** A request that starts paid work may have arrived, but got no response. It is never retried. */
export class JobMayExistError extends PlatformError {
  override readonly name = 'JobMayExistError';
  readonly reason = 'job-may-exist';
}
