import { describe, type ExpectStatic, expect, it } from 'vitest';
import { agentCalls } from './agent-calls.ts';
import type { Call, Verdict } from './call.ts';
import { runUnderFire } from './cell.ts';
import { type Fault, faults } from './faults.ts';
import { githubCalls } from './github-calls.ts';
import { Results } from './results.ts';
import { proxyPage, statuses } from './statuses.ts';
import { expectVerdict } from './verdict.ts';
import { visitorsCall } from './visitors-call.ts';

const calls = [...agentCalls, visitorsCall, ...githubCalls];

const faultResults = new Results(
  calls,
  faults.map(({ name }) => name),
);
const statusResults = new Results(calls, statuses.map(String));

async function check(own: ExpectStatic, call: Call, fault: Fault, verdict: Verdict): Promise<void> {
  const outcome = await runUnderFire(call, fault, verdict);
  expectVerdict(own, outcome, verdict, call);
}

describe.concurrent.each(calls)('a fault during $name', (call) => {
  it.for(faults)('$name', async (fault, { expect: own }) => {
    const verdict = call.verdictOf(fault);
    await check(own, call, fault, verdict);
    faultResults.add(fault.name, call, verdict);
  });
});

describe.concurrent.each(calls)("a proxy's page during $name", (call) => {
  it.for(statuses)('%i', async (status, { expect: own }) => {
    const verdict = call.verdictOfStatus(status);
    await check(own, call, proxyPage(status), verdict);
    statusResults.add(String(status), call, verdict);
  });
});

/** Runs last, so that the tables contain exactly the results of this run. */
it('the committed table is what was seen', async () => {
  const runs = faultResults.count + statusResults.count;
  await expect(report(runs)).toMatchFileSnapshot('RESULTS.md');
});

function report(runs: number): string {
  return `# Under fire

Written by \`npm run test:hostile\`: ${runs} runs of the built actions, each with one fault in the way of one request. In every one of them

- a job was asked for at most once wherever the request may have arrived, a follow-up was sent at most once, and a comment was left at most once;
- the result, the reason and the exit code were those of the table, the outputs known by then were written, and there was one error annotation, or none where the step passed;
- the step ended within its waiting time;
- nothing was sent to another origin, and nothing to a proxy where the API is on loopback;
- no six characters of the key or the token in a row stood in the log, the outputs or the summary: plain, reversed, in hex, base64 or base64url, percent-encoded, as character references or escapes, or split over lines;
- no workflow command but our own was printed, and no stack trace.

What a cell says: the output \`reason\`, or \`result\` where there is no reason, and how often the request arrived. A poll that gets no response, or one that waiting can mend, does not end the wait, so \`timed-out\` is the end of a wait in which the fault never went away. A comment is a courtesy: a run never fails for want of one.

## Faults

${faultResults.toMarkdown('Fault')}

## Pages of a proxy

Statuses of each kind, each with a page of HTML.

${statusResults.toMarkdown('Status')}
`;
}
