import type { PlatformError, PlatformReason } from '../src/platform/errors.ts';
import {
  type CallContext,
  explainFault,
  explainRefusal,
  explainUnreadable,
  findKeyProblem,
} from '../src/platform/explain.ts';
import type { FaultKind } from '../src/platform/fault.ts';
import { gap } from './sentences.ts';

/** Every kind of fault: the compiler sees to it that none is missing. */
const kinds: Readonly<Record<FaultKind, true>> = {
  name: true,
  refused: true,
  connection: true,
  certificate: true,
  encryption: true,
  proxy: true,
  'time-out': true,
  'too-large': true,
  broken: true,
  cancelled: true,
};
export const faultKinds: readonly FaultKind[] = Object.keys(kinds).filter(isFaultKind);

/** One of each group of answers that are told apart: 302, 400 and 500 stand for all of their kind. */
const statuses = [302, 400, 401, 403, 404, 429, 500];
const kindsOfStatus = /(?<= answered )(?:302|400|500)/;

const context: CallContext = { host: gap, projectId: gap, hourlyLimit: gap };
const aboutJob: CallContext = { ...context, jobId: gap };

/** The sentences of failed calls, made by the very functions that make them in a run. */
export function platformSentences(): { reason: PlatformReason; message: string }[] {
  return platformErrors().map(({ reason, message }) => ({
    reason,
    message: message.replace(kindsOfStatus, (status) => `${status.charAt(0)}${gap}`),
  }));
}

function platformErrors(): PlatformError[] {
  const contexts: readonly CallContext[] = [
    context,
    aboutJob,
    ...['mint_dsc_', 'mint_us_'].map((key) => ({ ...context, keyProblem: findKeyProblem(key) })),
  ];
  return [
    ...contexts.flatMap((each) =>
      statuses.flatMap((status) => [
        explainRefusal(status, gap, each),
        explainRefusal(status, undefined, each),
      ]),
    ),
    ...faultKinds.map((kind) => explainFault({ kind, code: gap }, context)),
    explainUnreadable('agent job', aboutJob),
    explainUnreadable('list of visitors', context),
  ];
}

function isFaultKind(word: string): word is FaultKind {
  return word in kinds;
}
