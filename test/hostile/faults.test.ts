import { describe, it } from 'vitest';
import { agentCalls } from './agent-calls.ts';
import { runUnderFire } from './cell.ts';
import { faults } from './faults.ts';
import { githubCalls } from './github-calls.ts';
import { expectVerdict } from './verdict.ts';
import { visitorsCall } from './visitors-call.ts';

const calls = [...agentCalls, visitorsCall, ...githubCalls];

describe.concurrent.each(calls)('$name', (call) => {
  it.for(faults)('$name', async (fault, { expect }) => {
    const outcome = await runUnderFire(call, fault);
    expectVerdict(expect, outcome, call.verdictOf(fault), call);
  });
});
