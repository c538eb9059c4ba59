import { hasReason } from '../../text/error.ts';

/** This step stopped a request that starts paid work, so it is unknown whether the request arrived. */
export class SendingError extends Error {
  override readonly name = 'SendingError';
}

/** Whether an error leaves open if a request that starts paid work has arrived. */
export function mayHaveArrived(error: unknown): boolean {
  return hasReason(error, 'job-may-exist') || error instanceof SendingError;
}
