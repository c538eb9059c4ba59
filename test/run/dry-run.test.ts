import { describe, expect, it, onTestFinished } from 'vitest';
import { type EventRun, runAgent, runOnEvent, startAttempts, transcript } from '../helpers/run.ts';
import {
  active,
  apiKey,
  created,
  githubError,
  notFound,
  ok,
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

const readable: Routes = {
  ...permissions({ owner: 'admin', triager: 'triage' }),
  'GET /repos/acme/product': ok({}),
  'GET /repos/acme/product/issues/7': ok({}),
  'GET /rate_limit': ok({}),
};

/** A dry run on a label, with what a test wants otherwise. */
async function dryRun(
  step: Partial<EventRun> = {},
  { routes = {}, script = [unknownJob] }: { routes?: Routes; script?: readonly Reply[] } = {},
) {
  const { github, api } = await startBoth({ ...readable, ...routes }, () => script);
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

describe('a dry run', () => {
  it('finds that all is well, starts nothing and writes nothing', async () => {
    const prompt = 'Answer this:\n\n  {{event.issue.title}}\n::error::no command\n##[error]neither';
    const { result, api, writes } = await dryRun({ inputs: { prompt } });
    expect(transcript(result)).toMatchSnapshot();
    expect(api.calls).toEqual(['GET /v2/agent/acme/job/docs-agent-action-dry-run']);
    expect(writes).toEqual([]);
  });

  it.each<[string, Readonly<Record<string, string>>, readonly Reply[], string, string]>([
    ['a dead key', {}, [refusal(401)], 'key-refused', 'API'],
    ['an unknown job', { 'job-id': 'job_9' }, [unknownJob], 'job-not-found', 'API'],
    [
      'a prompt file that is missing',
      { prompt: '', 'prompt-file': 'x.md' },
      [unknownJob],
      'bad-input',
      'Prompt',
    ],
    ['a bad input', { 'wait-minutes': 'long' }, [unknownJob], 'bad-input', 'Inputs'],
  ])('is red with %s, and says why', async (_name, inputs, script, reason, check) => {
    const { result } = await dryRun({ inputs }, { script });
    expect(result.exitCode).toBe(1);
    expect(result.outputs).toMatchObject({ result: 'error', reason });
    expect(result.summary).toContain(`| ❌ | ${check} |`);
    expect(result.outputs['job-id'] ?? '').toBe(inputs['job-id'] ?? '');
  });

  it('lists what was good up to the first error, and says that the rest is not known', async () => {
    const inputs = { prompt: '', 'prompt-file': 'missing.md' };
    const { result } = await dryRun({ inputs }, { script: [refusal(403)] });
    expect(result.outputs['reason']).toBe('forbidden');
    expect(result.summary.match(/^\| [^|]+ \| \w[^|]+/gm)).toEqual([
      '| ✅ | Access ',
      '| ✅ | Inputs ',
      '| ❌ | API ',
      '| ❔ | Not checked ',
    ]);
  });

  it('is ready, with a note, when a token can read nothing', async () => {
    const refused = notFound;
    const { result } = await dryRun(
      { inputs: { 'docs-token': 'ghs_docs' } },
      {
        routes: {
          'GET /repos/acme/product': refused,
          'GET /repos/acme/product/issues/7': refused,
          'GET /rate_limit': githubError(401, 'Bad credentials'),
        },
      },
    );
    expect(result.outputs['result']).toBe('ready');
    expect(result.outputs['message']).toBe(
      'Nothing was started, and no finding would fail a real run, but some need a look: see the warnings among the findings.',
    );
    expect(result.summary).toMatch(/^### ✅ Dry run: ready, with notes\n/);
    expect(result.stdout).toContain('⚠ github-token: It cannot read acme/product');
    expect(result.stdout).toContain('⚠ docs-token: GitHub does not accept it');
    expect(result.stdout).toContain('⚠ comment: It would go to acme/product#7');
  });

  it('looks where the comment would go that input comment names', async () => {
    const routes = { 'GET /repos/acme/product/issues/9': ok({}) };
    const { result } = await dryRun({ inputs: { comment: '9' } }, { routes });
    expect(result.stdout).toContain('❔ comment: It goes to acme/product#9.');
  });

  it('checks nothing for people who may not start a job', async () => {
    const { result, api } = await dryRun({ event: 'issues-labeled-by-triager' });
    expect(result.outputs).toMatchObject({ result: 'skipped', reason: 'actor-not-allowed' });
    expect(result.summary).not.toContain('| Check |');
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
    expect(again.stdout).toContain('✅ Real run: It would resume job job_8f2 of attempt 1,');
    expect(again.outputs).toMatchObject({ result: 'ready' });
    expect(posts()).toBe(1);
    expect(cache.operations.filter((operation) => operation === 'save')).toHaveLength(1);
  });

  it('says nothing of an earlier attempt when a real run would end with a bad prompt', async () => {
    const { attempt } = await startAttempts([created, unknownJob]);
    await attempt(1, { inputs: { 'wait-minutes': '0' } });
    const again = await attempt(2, { inputs: { ...dry, prompt: '{{issue.title}}' } });
    expect(again.outputs).toMatchObject({ result: 'error', reason: 'bad-input' });
    expect(again.summary).toContain('| ❔ | Not checked | What follows is checked once this is');
    expect(again.stdout).not.toContain('a real run would not look for a job');
  });

  it('says which proxy variable is wrong', async () => {
    const sentence = 'Environment variable HTTPS_PROXY is not the URL of a proxy';
    const result = await runAgent({ inputs: dry, env: { HTTPS_PROXY: 'proxy:3128' } });
    expect(result.outputs).toMatchObject({ result: 'error', reason: 'bad-input' });
    expect(result.stdout).toContain(`❌ API: ${sentence}`);
    expect(result.summary).toContain('| ❌ | API |');
  });

  it('says so when a wrong address responds with another job', async () => {
    const api = await scriptedApi([active]);
    onTestFinished(() => api.close());
    const result = await runAgent({ baseUrl: api.url, inputs: dry });
    expect(result.stdout).toContain('check base-url');
  });
});
