import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runVisitors } from '../helpers/run.ts';
import { type Call, error, type Place, type Verdict } from './call.ts';
import type { Fault } from './faults.ts';
import { startService } from './sound-responses.ts';

const exported: Verdict = { result: 'exported', reason: '', arrivals: 'one', fails: false };

/** GET requests are retried; these statuses have reasons of their own. */
const reasons = new Map([
  [401, error('key-refused')],
  [402, error('forbidden')],
  [403, error('forbidden')],
  [404, error('project-not-found', 'several')],
  [408, error('request-refused', 'several')],
  [425, error('rate-limited', 'several')],
  [429, error('rate-limited', 'several')],
]);

/** After a response that is not a list there are at most two more, whatever its status is. */
const unreadable = error('unreadable-answer', 'three');

function verdictOfStatus(status: number): Verdict {
  if (status < 300) {
    return unreadable;
  }
  const other = status < 500 ? error('request-refused') : error('unreachable', 'several');
  return reasons.get(status) ?? other;
}

function verdictOf({ knowledge, told, isPutOff }: Fault): Verdict {
  switch (knowledge) {
    case 'harmless':
      return exported;
    case 'never-left':
      return error('unreachable', 'none');
    case 'lost':
      if (told === 'unreadable-answer') {
        return unreadable;
      }
      return told === 'request-refused'
        ? error(told)
        : error('unreachable', isPutOff ? 'one' : 'several');
    case 'later':
      return error('rate-limited', 'several');
    case 'much-later':
      return error('rate-limited');
  }
}

async function run({ serviceUrl, env, speed }: Place) {
  const workspace = mkdtempSync(join(tmpdir(), 'visitors-under-fire-'));
  try {
    return await runVisitors({
      baseUrl: serviceUrl,
      workspace,
      speed,
      env,
      // More requests than the limit for unreadable responses.
      inputs: { 'max-requests': '4' },
    });
  } finally {
    rmSync(workspace, { recursive: true });
  }
}

/** The visitors action's request for a batch of rows. */
export const visitorsCall: Call = {
  name: 'visitors',
  server: 'service',
  goodFirst: 0,
  isUnderFire: () => true,
  startSound: startService,
  run,
  verdictOf,
  verdictOfStatus,
  known: {},
};
