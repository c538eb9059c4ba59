import { expect, it } from 'vitest';
import { signRecord } from '../../../../src/agent/earlier/record.ts';
import {
  findOwn,
  type Kind,
  keyOf,
  type Target,
  targetOf,
  withHiddenLine,
} from '../../../../src/agent/earlier/step-comment.ts';
import { readAccessInputs } from '../../../../src/agent/inputs.ts';
import { unreadEvent } from '../../../../src/github/event.ts';
import { readEnvironment } from '../../../../src/runner/environment.ts';
import { agentInputs, grantedTo, jobRecord } from '../../../helpers/agent.ts';
import { fakeClock, passedInputs } from '../../../helpers/fake-runner.ts';
import { bot, githubSession, installation, noSignal } from '../../../helpers/servers.ts';

const variables = {
  GITHUB_REPOSITORY: 'acme/product',
  GITHUB_REPOSITORY_ID: '1',
  GITHUB_RUN_ID: '1001',
  GITHUB_RUN_ATTEMPT: '2',
  GITHUB_JOB: 'docs',
};

interface Made {
  readonly kind?: Kind;
  readonly inputs?: Readonly<Record<string, string>>;
  readonly commentId?: number;
  readonly run?: string;
  readonly step?: string;
  readonly repository?: string;
  readonly number?: number;
}

function target({
  kind = 'job',
  inputs,
  commentId,
  run,
  step = 'agent',
  repository = 'acme/product',
  number = 7,
}: Made = {}): Target {
  const event = { ...unreadEvent, thread: { number, isPullRequest: false }, commentId };
  const environment = readEnvironment({
    ...variables,
    GITHUB_ACTION: step,
    GITHUB_REPOSITORY: repository,
    ...(run !== undefined && { GITHUB_RUN_ID: run }),
  });
  const access = grantedTo('octocat', event);
  return (
    targetOf(kind, { access, inputs: agentInputs(inputs) }, environment) ??
    expect.fail('There is no comment.')
  );
}

/** A comment that a step has written about a job. */
function comment(id: number, jobId: string, made: Made = {}, author = bot) {
  const by = target(made);
  const { body } = withHiddenLine(
    'Hi',
    { jobId, record: undefined },
    { key: by.identity.key, records: [] },
    by,
  );
  return { id, user: { login: author }, body };
}

const earlier = { run: '900' };
const notice: Made = { kind: 'notice' };

it.for<readonly [string, readonly object[], Made, found: number | undefined, jobId?: string]>([
  ['none', [], {}, undefined],
  [
    'the last one of this step',
    [comment(1, 'job_8', earlier), comment(2, 'job_9', earlier)],
    {},
    2,
  ],
  ['the one about this job', [comment(1, 'job_1', earlier), comment(2, 'job_9', earlier)], {}, 1],
  [
    'the last one about this job, whichever step wrote it',
    [
      comment(1, 'job_1', { step: 'a' }),
      comment(2, 'job_1', { step: 'b' }),
      comment(3, 'job_9', earlier),
    ],
    {},
    2,
  ],
  ['no other step’s', [comment(1, 'job_9', { step: 'other', ...earlier })], {}, undefined],
  [
    'another project’s',
    [comment(1, 'job_9', { ...earlier, inputs: { 'project-id': 'b' } })],
    {},
    1,
  ],
  ['no other call’s of this run', [comment(1, 'job_9')], {}, undefined],
  [
    'no one’s with another key',
    [comment(1, 'job_1', { inputs: { 'api-key': 'mint_b' } })],
    {},
    undefined,
  ],
  ['no one’s of another author', [comment(1, 'job_1', earlier, 'stranger')], {}, undefined],
  ['no one’s of another thread', [comment(1, 'job_1', { number: 8 })], {}, undefined],
  ['the one from before a rename', [comment(1, 'job_1', { repository: 'acme/b' })], {}, 1],
  ['no other step’s without a job', [comment(1, '', { step: 'b' })], {}, undefined, ''],
  ['a notice', [comment(1, 'job_8', earlier), comment(2, '', notice)], {}, 2],
  ['a notice below the one about this job', [comment(1, 'job_1'), comment(2, '', notice)], {}, 2],
  ['no notice above the one about this job', [comment(1, '', notice), comment(2, 'job_1')], {}, 2],
  [
    'a notice with another key and project',
    [comment(2, '', { ...notice, inputs: { 'api-key': 'mint_b', 'project-id': 'b' } })],
    {},
    2,
  ],
  ['no other step’s notice', [comment(2, '', { ...notice, step: 'other' })], {}, undefined],
  ['for a notice, no comment about a job', [comment(1, 'job_1', earlier)], notice, undefined],
  ['no comment that is no answer', [comment(1, 'job_1', earlier)], { commentId: 5 }, undefined],
  [
    'the answer to the same comment',
    [comment(1, 'job_1', { commentId: 5, ...earlier }), comment(2, 'job_1', { commentId: 6 })],
    { commentId: 5 },
    1,
  ],
])('the comment of a step is %s', async ([, comments, made, found, jobId = 'job_1']) => {
  const routes = { ...installation, 'GET /repos/acme/product/issues/7/comments': ok(comments) };
  const { session } = await githubSession(routes);
  const deps = { session, clock: fakeClock(), signal: noSignal };
  const own = await findOwn(undefined, jobId, target(made), deps);
  expect(own).toMatchObject({ kind: 'ok' });
  expect(own.kind === 'ok' && own.value?.id).toBe(found);
});

const ok = (body: unknown) => ({ status: 200, body });

it('a comment keeps the key that it was created with, and the records of runs beside this one', async () => {
  const first = target({ step: 'first' });
  const words = ['a', 'b'].map((jobId) => signRecord(jobRecord({ jobId }), first.identity.apiKey));
  const about = { jobId: 'job_1', record: undefined };
  const { body } = withHiddenLine('Hi', about, { key: first.identity.key, records: words }, first);
  const written = { id: 1, user: { login: bot }, body };
  const routes = {
    ...installation,
    'GET /repos/acme/product/issues/7/comments': ok([written]),
    'GET /repos/acme/product/issues/comments/1': ok(written),
    'GET /repos/acme/product/issues/comments/2': { status: 404, body: {} },
  };
  const { session } = await githubSession(routes);
  const deps = { session, clock: fakeClock(), signal: noSignal };
  const found = await findOwn(undefined, 'job_1', target(), deps);
  expect(found).toEqual({
    kind: 'ok',
    value: { id: 1, key: first.identity.key, run: '1001.2', jobId: 'job_1', records: words },
  });
  const known = { id: 1, key: 'k', records: ['c'] };
  for (const [id, records] of [
    [1, [...words, 'c']],
    [2, ['c']],
  ] as const) {
    const again = await findOwn({ ...known, id }, 'job_1', target(), deps);
    expect(again).toEqual({ kind: 'ok', value: { ...known, id, records } });
  }
});

it('a step is told from others by all that it is about', () => {
  const parts = { workflow: 'docs.yml', job: 'docs', step: 'agent' };
  const keys = [
    keyOf(parts, '', undefined),
    keyOf({ ...parts, workflow: 'b' }, '', undefined),
    keyOf({ ...parts, job: 'b' }, '', undefined),
    keyOf({ ...parts, step: 'b' }, '', undefined),
    keyOf(parts, '{}', undefined),
    keyOf(parts, '', 5),
  ];
  expect(new Set(keys).size).toBe(keys.length);
});

/** GitHub takes no longer comment. */
const maxCharacters = 65_536;

it.each([
  ['job_0123456789abcdef01234567', 55, 75],
  ['j'.repeat(200), 25, 59],
])('a comment has room for the records of many runs, whose jobs are like %s', (jobId, min, max) => {
  const signed = Array.from({ length: 80 }, (_, index) =>
    signRecord(jobRecord({ jobId: `${index}${jobId}`.slice(0, 200) }), 'mint_key'),
  );
  const record = jobRecord({ jobId });
  const known = { key: 'k', records: signed };
  const { body, records } = withHiddenLine('x'.repeat(30_000), { jobId, record }, known, target());
  expect(records).toEqual([signRecord(record, 'mint_key'), ...signed].slice(0, records.length));
  expect(records.length).toBeGreaterThanOrEqual(min);
  expect(records.length).toBeLessThanOrEqual(max);
  expect(body.length).toBeLessThan(maxCharacters);
});

it.each([
  ['', [7, 'info']],
  ['true', [7, 'warning']],
  ['9', [9, 'warning']],
  ['false', []],
])('comment: %j on issue 7 goes to %j', (comment, expected) => {
  const thread = { number: 7, isPullRequest: false };
  const granted = grantedTo('octocat', { ...unreadEvent, thread });
  const access = { ...granted, inputs: readAccessInputs(passedInputs({ comment })) };
  const found = targetOf('job', { access, inputs: agentInputs() }, readEnvironment(variables));
  expect(found ? [found.place.number, found.level] : []).toEqual(expected);
});
