import { describe, expect, it } from 'vitest';
import { type EventRun, runWithLabel } from '../helpers/run.ts';
import {
  jobBody,
  none,
  open,
  type Reply,
  routes,
  type ScriptedGitHub,
} from '../helpers/servers.ts';

/** A job that has its pull request, and keeps working on a follow-up, which shows at the given poll. */
const busy =
  (visibleAfter = 0) =>
  ({ url }: ScriptedGitHub): readonly Reply[] => {
    const prLink = `${url}/acme/docs/pull/12`;
    const before: Reply = { status: 200, body: jobBody({ status: 'completed', prLink }) };
    const stale = Array.from({ length: 3 + visibleAfter }, () => before);
    return [...stale, { status: 200, body: jobBody({ status: 'active' }) }];
  };

const proven = (url: string) => ({
  'pr-link': `${url}/acme/docs/pull/12`,
  'pr-number': '12',
  'pr-repository': 'acme/docs',
});

describe('a run that ends before the job has continued its pull request', () => {
  it.each([0, 2])('has its link when it times out', async (visibleAfter) => {
    const run = await runWithLabel(open, { 'wait-minutes': '1' }, busy(visibleAfter));
    expect(run.outputs).toMatchObject({
      result: 'timed-out',
      status: 'active',
      ...proven(run.github.url),
    });
    expect(run.summary).toContain('Pull request: <a href=');
    expect(run.stdout).not.toContain('has completed');
  });

  it('has its link when it does not wait, and does not call the job completed', async () => {
    const run = await runWithLabel(open, { 'wait-minutes': '0' }, busy());
    expect(run.outputs).toMatchObject({
      result: 'running',
      status: 'active',
      ...proven(run.github.url),
    });
    expect(run.summary).toContain('<code>job&#95;8f2</code>, active');
    expect(run.summary).not.toContain('completed');
  });

  it('has its link when it is cancelled', async () => {
    const onLine: EventRun['onLine'] = (line, _stream, kill) => {
      if (line.includes('sent a follow-up')) kill('SIGINT');
    };
    const run = await runWithLabel(open, {}, busy(), { onLine });
    expect(run.outputs).toMatchObject({ result: 'cancelled', ...proven(run.github.url) });
  });

  it('does not promise the label that the pull request has', async () => {
    const run = await runWithLabel(open, { 'wait-minutes': '0' }, busy());
    expect(run.stdout + run.summary).not.toContain('pr-label');
  });

  it('says which label the run needs that waits for a new job', async () => {
    const run = await runWithLabel(none, { 'wait-minutes': '0' });
    expect(run.summary).toContain(
      'run this action with <code>job-id</code> <code>job&#95;8f2</code>, the same <code>pr-label</code> and no prompt.',
    );
    expect(run.count(routes.putLabel)).toBe(0);
  });
});
