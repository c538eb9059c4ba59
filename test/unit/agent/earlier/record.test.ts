import { expect, it } from 'vitest';
import {
  confirmedRecord,
  readRecord,
  requestKeyOf,
  signRecord,
  unconfirmedRecord,
} from '../../../../src/agent/earlier/record.ts';
import { followUpOf } from '../../../../src/agent/job/follow-up.ts';
import { jobStatuses } from '../../../../src/platform/job.ts';
import {
  agentInputs,
  grantedTo,
  job,
  jobRecord,
  preparedPrompt,
  pullRequest,
} from '../../../helpers/agent.ts';
import { fakeRunner } from '../../../helpers/fake-runner.ts';

const requestKey = '0123456789abcdef'.repeat(2);
const record = jobRecord({ requestKey });
const followUp = followUpOf(job({ status: 'completed', pullRequest }), 'a'.repeat(40));
const unread = job({ unknownStatus: '' });

it.each([
  record,
  jobRecord({ requestKey, followUp, attempt: 12, sentAtMs: 1_767_600_000_123 }),
  jobRecord({ requestKey, followUp: followUpOf(unread, undefined) }),
  jobRecord({ requestKey, followUp: { ...followUp, wasActive: true } }),
  ...jobStatuses.map((status) =>
    jobRecord({ requestKey, followUp: { ...followUp, statusBefore: status } }),
  ),
  jobRecord({ requestKey, isConfirmed: false, jobId: '' }),
  jobRecord({ requestKey, jobId: '\0ÄJob-1.' }),
])('a record is read as it was signed: %j', (signed) => {
  // A cache may change the case of its keys.
  const word = signRecord(signed, 'mint_key').toUpperCase();
  expect(readRecord(word, requestKey, 'mint_key')).toEqual(signed);
  expect(readRecord(word, 'f'.repeat(32), 'mint_key')).toBeUndefined();
  expect(readRecord(word, requestKey, 'mint_other')).toBeUndefined();
});

it('a record fits into the key of a cache entry, whatever the id of its job is', () => {
  const longest = { requestKey, jobId: '\u{10FFFF}'.repeat(24), attempt: 1e6, sentAtMs: 1e13 };
  const signed = jobRecord({ ...longest, followUp, isConfirmed: false });
  expect(signRecord(signed, 'mint_key').length).toBeLessThanOrEqual(512);
});

it('a request of a run is told from others by all that it is about', () => {
  const environment = { runId: '1001', job: 'docs', step: 'agent' };
  const keyOf = (inputs = {}, changes = {}, jobOfEvent = 'job_9', matrix = '') => {
    const access = grantedTo('octocat');
    const request = {
      inputs: agentInputs(inputs),
      access: { ...access, inputs: { ...access.inputs, matrix } },
    };
    return requestKeyOf(request, jobOfEvent, { ...environment, ...changes });
  };
  const ofEvent = { 'job-id': 'from-pull-request' };
  const keys = [
    keyOf(),
    keyOf({ 'project-id': 'other' }),
    keyOf({ 'job-id': 'job_1' }),
    keyOf(ofEvent),
    keyOf(ofEvent, {}, 'job_8'),
    keyOf({}, { runId: '1002' }),
    keyOf({}, { job: 'site' }),
    keyOf({}, { step: 'other' }),
    keyOf({}, {}, 'job_9', '{"os":"linux"}'),
  ];
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys.filter((key) => !/^[\da-f]{32}$/.test(key))).toEqual([]);
  // The event's pull request matters only to a run that is asked for its job.
  expect(keyOf({}, {}, 'job_8')).toBe(keyOf());
  expect(keyOf({ prompt: 'Another' })).toBe(keyOf());
});

it('a record has what was sent, and when', () => {
  const runner = fakeRunner({ GITHUB_RUN_ATTEMPT: '3' });
  const prompt = preparedPrompt();
  const before = job({ id: 'job_7' });
  const sentAtMs = runner.clock.epochMs();
  const send = { kind: 'follow-up', prompt, before, headSha: undefined } as const;
  const sent = unconfirmedRecord(send, 'k', runner);
  expect(sent).toEqual({
    requestKey: 'k',
    attempt: 3,
    jobId: 'job_7',
    followUp: followUpOf(before, undefined),
    isConfirmed: false,
    sentAtMs,
    promptHash: 'abcdef012345',
    templateHash: '0123456789ab',
  });
  const unsent = unconfirmedRecord({ kind: 'new', prompt }, 'k', runner);
  expect(unsent).toEqual({ ...sent, jobId: '', followUp: undefined });
  const sentMs = runner.clock.nowMs() - 3000;
  const started = { source: 'created', id: 'job_1', sentMs, sinceMs: 0 } as const;
  expect(confirmedRecord(unsent, started, runner.clock)).toEqual({
    ...unsent,
    jobId: 'job_1',
    isConfirmed: true,
    sentAtMs: sentAtMs - 3000,
  });
});
