import { describe, it } from 'vitest';
import { agentCalls } from './calls.ts';
import { runUnderFire } from './cell.ts';
import { faults } from './faults.ts';
import { expectVerdict } from './verdict.ts';

describe.concurrent.each(agentCalls)('$name', (call) => {
  it.for(faults)('$name', async (fault, { expect }) => {
    const outcome = await runUnderFire(call, fault);
    expectVerdict(expect, outcome, call.verdictOf(fault.knowledge), call);
  });
});
