import type { PlatformError, PlatformReason } from '../src/platform/errors.ts';
import {
  type CallContext,
  explainFault,
  explainUnreadable,
  findKeyProblem,
} from '../src/platform/explain.ts';
import { explainRefusal, type Refusal } from '../src/platform/explain-refusal.ts';
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
const statuses = [302, 400, 401, 402, 403, 404, 429, 500];
const kindsOfStatus = /(?<= answered )(?:302|400|500)/;

const context: CallContext = { host: gap, projectId: gap, scope: 'read', hourlyLimit: gap };
const aboutJob: CallContext = { ...context, jobId: gap, scope: 'write' };

/** Refusals in the words of the API, in nobody's words, and in the words of something in front. */
const refusals: readonly Refusal[] = [
  ...statuses.flatMap((status) => [{ status, words: gap }, { status }]),
  ...[402, 403].flatMap((status) =>
    ['plan', 'credits'].map((word) => ({ status, words: `${gap} ${word} ${gap}` })),
  ),
  ...[401, 403, 429].map((status) => ({ status, edge: { isPage: true } })),
  { status: 403, edge: { isPage: true }, rayId: gap },
  { status: 403, edge: { isPage: false, cloudflareCode: gap }, rayId: gap },
  { status: 500, edge: { isPage: false, cloudflareCode: gap }, rayId: gap },
];

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
    ...contexts.flatMap((each) => refusals.map((refusal) => explainRefusal(refusal, each))),
    ...faultKinds.map((kind) => explainFault({ kind, code: gap }, context)),
    explainUnreadable('agent job', aboutJob),
    explainUnreadable('list of visitors', context),
  ];
}

function isFaultKind(word: string): word is FaultKind {
  return word in kinds;
}
