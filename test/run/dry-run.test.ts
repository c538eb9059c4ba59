import { describe, expect, it, onTestFinished } from 'vitest';
import {
  annotations,
  type EventRun,
  runAgent,
  runOnEvent,
  startAttempts,
  transcript,
} from '../helpers/run.ts';
import {
  active,
  apiKey,
  created,
  permissions,
  type Reply,
  type Routes,
  refusal,
  reset,
  scriptedApi,
  startBoth,
} from '../helpers/servers.ts';

const dry = { 'dry-run': 'true' };
const unknownJob = refusal(404);

const people = permissions({ owner: 'admin', triager: 'triage' });

/** A dry run on a label, with what a test wants otherwise. */
async function dryRun(
  step: Partial<EventRun> = {},
  { routes = {}, script = [unknownJob] }: { routes?: Routes; script?: readonly Reply[] } = {},
) {
  const { github, api } = await startBoth({ ...people, ...routes }, () => script);
  const result = await runOnEvent({
    eventName: 'issues',
    event: 'issues-labeled-by-owner',
    githubUrl: github.url,
    baseUrl: api.url,
    ...step,
    inputs: { ...dry, ...step.inputs },
  });
  const writes = github.calls.filter((call) => !call.startsWith('GET'));
  return { result, api, github, writes };
}

const withoutPort = (outputs: Readonly<Record<string, string>>) =>
  JSON.stringify(outputs).replace(/127\.0\.0\.1:\d+/, 'the API');

describe('a dry run', () => {
  it('finds that all is well, starts nothing and writes nothing', async () => {
    const prompt = 'Answer this:\n\n  {{event.issue.title}}\n::error::no command\n##[error]neither';
    const { result, api, writes } = await dryRun({ inputs: { prompt } });
    expect(transcript(result)).toMatchSnapshot();
    expect(api.calls).toEqual(['GET /v2/agent/acme/job/docs-agent-action-dry-run']);
    expect(writes).toEqual([]);
  });

  it.each<[string, Readonly<Record<string, string>>, Reply, string]>([
    ['a dead key', {}, refusal(401), 'key-refused'],
    ['an unknown job', { 'job-id': 'job_9' }, unknownJob, 'job-not-found'],
    ['a missing prompt file', { prompt: '', 'prompt-file': 'x.md' }, unknownJob, 'bad-input'],
    ['a bad input', { 'wait-minutes': 'long' }, unknownJob, 'bad-input'],
  ])('with %s ends with the error of a real run', async (_name, inputs, reply, reason) => {
    const { result } = await dryRun({ inputs }, { script: [reply] });
    const real = await dryRun({ inputs: { ...inputs, 'dry-run': 'false' } }, { script: [reply] });
    expect(result.exitCode).toBe(1);
    expect(result.outputs).toMatchObject({ result: 'error', reason });
    const { 'job-id': jobId, ...outputs } = real.result.outputs;
    expect(withoutPort(result.outputs)).toEqual(withoutPort(outputs));
    expect(jobId).toBe(inputs['job-id']);
    expect(result.summary).toMatch(/^### ❌ The step ended with an error\n/);
  });

  it.each([
    [{ status: 404, body: '<h1>No</h1>' }, ' responded with 404 and a web page: the API itself'],
    [{ status: 200, body: '<h1>Hi</h1>' }, ' sent a response that is not an agent job: check'],
  ])('names no job that nobody has asked for, whatever responds: %j', async (reply, said) => {
    const { result } = await dryRun({}, { script: [reply] });
    expect(result.outputs['reason']).toBe('unreadable-answer');
    expect(result.outputs['message']).toContain(said);
    expect(result.summary).not.toContain('dry-run');
  });

  it('of a certain job sets no job-id, on which later steps would act', async () => {
    const inputs = { 'job-id': 'job_8f2', prompt: '' };
    const { result } = await dryRun({ inputs }, { script: [active] });
    expect(result.outputs).toMatchObject({ result: 'ready' });
    expect(result.outputs['job-id'] ?? '').toBe('');
    expect(result.summary).toContain(
      'It would wait for job <code>job&#95;8f2</code>, and send nothing.',
    );
  });

  it('names the fields of the event that are empty', async () => {
    const prompt = 'Answer {{event.issue.title}}{{event.issue.milestone}}';
    const sender = { login: 'owner', type: 'User' };
    const event = { sender, issue: { number: 7, title: 'Add a page', milestone: null } };
    const { result } = await dryRun({ event, inputs: { prompt } });
    expect(result.outputs['result']).toBe('ready');
    expect(result.stdout).toContain('nothing was inserted: event.issue.milestone.');
    expect(result.summary).toContain('; empty in this event: <code>event.issue.milestone</code>');
  });

  it('tries the key before it reads the prompt', async () => {
    const inputs = { prompt: '', 'prompt-file': 'missing.md' };
    const { result } = await dryRun({ inputs }, { script: [refusal(403)] });
    expect(result.outputs['reason']).toBe('forbidden');
  });

  it('shows the prompt even if a real run would fail after it', async () => {
    const { attempt } = await startAttempts([reset, unknownJob]);
    await attempt(1);
    const again = await attempt(2, { inputs: { ...dry, prompt: 'Document it.' } });
    expect(again.outputs).toMatchObject({ result: 'error', reason: 'earlier-attempt-unknown' });
    expect(again.stdout).toContain('The prompt as it would be sent\n| Document it.\n');
    expect(again.summary).toContain('\nDocument it.\n');
  });

  it('asks GitHub for nothing of its own, whatever its tokens can read', async () => {
    const inputs = { 'docs-token': 'ghs_docs', 'pr-label': 'docs', 'docs-repository': 'acme/docs' };
    const { result, github } = await dryRun({ inputs });
    expect(result.outputs['result']).toBe('ready');
    expect(annotations(result, 'warning')).toEqual([]);
    expect(github.calls).toEqual(['GET /repos/acme/product/collaborators/owner/permission']);
  });

  it('says where the comment goes that the input names', async () => {
    const { result } = await dryRun({ inputs: { comment: '9' } });
    expect(result.stdout).toContain('Comment: It goes to acme/product#9, ');
  });

  it('checks nothing for people who may not start a job', async () => {
    const { result, api } = await dryRun({ event: 'issues-labeled-by-triager' });
    expect(result.outputs).toMatchObject({ result: 'skipped', reason: 'actor-not-allowed' });
    expect(result.summary).not.toContain('| API |');
    expect(api.calls).toEqual([]);
  });

  it('refuses another word than true or false', async () => {
    const { result } = await dryRun({ inputs: { 'dry-run': 'yes' } });
    expect(result.outputs['message']).toBe('Input dry-run is "yes": it takes true or false.');
  });

  it('is red when a real run would not start a job because one may exist', async () => {
    const { attempt, posts } = await startAttempts([reset, unknownJob]);
    await attempt(1);
    const again = await attempt(2, { inputs: dry });
    expect(again.outputs).toMatchObject({ result: 'error', reason: 'job-may-exist' });
    expect(posts()).toBe(1);
  });

  it('does not look for an earlier job where a real run would not', async () => {
    const { attempt } = await startAttempts([unknownJob], {
      fault: () => ({ kind: 'failed', problem: 'it is down' }),
    });
    const result = await attempt(2, { inputs: { ...dry, 'on-rerun': 'new' } });
    expect(result.outputs['result']).toBe('ready');
  });

  it('is red where something else than the API responds with 404', async () => {
    const page = { status: 404, headers: { 'content-type': 'text/html' }, body: '<h1>Nope</h1>' };
    const { result } = await dryRun({}, { script: [page] });
    expect(result.outputs).toMatchObject({ result: 'error', reason: 'unreadable-answer' });
  });

  it('writes no comment about a refusal', async () => {
    const { result, writes } = await dryRun({ event: 'issues-labeled-by-triager' });
    expect(result.outputs['result']).toBe('skipped');
    expect(writes).toEqual([]);
  });

  it('shows no part of the key, even if the prompt has it', async () => {
    const prompt = `${'x'.repeat(1990)}${apiKey}`;
    const { result } = await dryRun({ inputs: { prompt } });
    expect(result.stdout.replaceAll('::add-mask::', '')).not.toContain(`xxx${apiKey.slice(0, 4)}`);
  });

  it('names the job of an earlier attempt', async () => {
    const { attempt, posts, cache } = await startAttempts([created, unknownJob, active]);
    await attempt(1, { inputs: { 'wait-minutes': '0' } });
    const again = await attempt(2, { inputs: dry });
    expect(again.stdout).toContain('Real run: It would resume job job_8f2 of attempt 1,');
    expect(again.outputs).toEqual({
      result: 'ready',
      message: expect.any(String),
    });
    expect(posts()).toBe(1);
    expect(cache.operations.filter((operation) => operation === 'save')).toHaveLength(1);
  });

  it('says which proxy variable is wrong', async () => {
    const sentence = 'Environment variable HTTPS_PROXY is not the URL of a proxy';
    const result = await runAgent({ inputs: dry, env: { HTTPS_PROXY: 'proxy:3128' } });
    expect(result.outputs).toMatchObject({ result: 'error', reason: 'bad-input' });
    expect(result.stdout).toContain(sentence);
  });

  it('says so when a wrong address responds with another job', async () => {
    const api = await scriptedApi([active]);
    onTestFinished(() => api.close());
    const result = await runAgent({ baseUrl: api.url, inputs: dry });
    expect(result.stdout).toContain('check base-url');
  });
});
