import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  beginningOf,
  type JobRecord,
  latestOf,
  readRecord,
  subjectOf,
  writeRecord,
} from '../../../../src/agent/rerun/record.ts';
import { isIdentifier } from '../../../../src/platform/identifier.ts';

const identity = {
  repository: 'acme/product',
  runId: '1001',
  job: 'docs',
  step: '__run',
  projectId: 'acme',
  matrix: '',
};

const ids = fc.stringMatching(/^[\w.:-]{1,200}$/).filter(isIdentifier);

const records: fc.Arbitrary<JobRecord> = fc
  .record({
    target: fc.option(ids),
    // A step that was asked for a job can have sent a follow-up instead.
    goesOn: fc.boolean(),
    attempt: fc.integer({ min: 1, max: 999 }),
    jobId: ids,
    isConfirmed: fc.boolean(),
    sentAtMs: fc.integer({ min: 0, max: 9e12 }),
    promptHash: fc.stringMatching(/^[\da-f]{12}$/),
  })
  .map(({ target, goesOn, ...fields }) => {
    const asked =
      target === null
        ? ({ kind: 'create' } as const)
        : { kind: 'follow-up' as const, jobId: target };
    const sent = goesOn ? 'follow-up' : asked.kind;
    const isKnown = sent === 'follow-up' || fields.isConfirmed;
    return {
      subject: subjectOf(identity, asked),
      sent,
      ...fields,
      jobId: isKnown ? fields.jobId : '',
    };
  });

it('is read as it was written, and fits into the key of a cache entry', () => {
  fc.assert(
    fc.property(records, (record) => {
      const text = writeRecord(record);
      expect(readRecord(text)).toEqual(record);
      expect(text.startsWith(beginningOf(record.subject))).toBe(true);
      expect(text).toMatch(/^[\w.:~-]{1,499}$/);
    }),
  );
});

it('is not read from anything else', () => {
  for (const text of ['', '~~~~~~', writeRecord({ ...sample(), jobId: '', isConfirmed: true })]) {
    expect(readRecord(text)).toBeUndefined();
  }
});

it('belongs to one step of one run, and to one thing that it sent', () => {
  const create = { kind: 'create' } as const;
  const subjects = [
    subjectOf(identity, create),
    subjectOf({ ...identity, repository: 'acme/other' }, create),
    subjectOf({ ...identity, runId: '1002' }, create),
    subjectOf({ ...identity, job: 'other' }, create),
    subjectOf({ ...identity, step: '__other' }, create),
    subjectOf({ ...identity, projectId: 'other' }, create),
    subjectOf({ ...identity, matrix: '{"a":1}' }, create),
    subjectOf(identity, { kind: 'follow-up', jobId: 'job_1' }),
    subjectOf(identity, { kind: 'follow-up', jobId: 'job_12' }),
  ];
  expect(new Set(subjects).size).toBe(subjects.length);
  for (const subject of subjects) {
    const others = subjects.filter((other) => other !== subject);
    expect(others.some((other) => beginningOf(other).startsWith(beginningOf(subject)))).toBe(false);
  }
});

it('is the last one of its subject, in whatever order they are found', () => {
  const { subject } = sample();
  fc.assert(
    fc.property(fc.shuffledSubarray([1, 2, 3, 4], { minLength: 1 }), (attempts) => {
      const texts = attempts.map((attempt) => writeRecord({ ...sample(), attempt }));
      expect(latestOf([...texts, 'forged'], subject)?.attempt).toBe(Math.max(...attempts));
    }),
  );
});

function sample(): JobRecord {
  return {
    subject: subjectOf(identity, { kind: 'create' }),
    attempt: 1,
    jobId: 'job_1',
    sent: 'create',
    isConfirmed: true,
    sentAtMs: 1_700_000_000_000,
    promptHash: '0123456789ab',
  };
}
