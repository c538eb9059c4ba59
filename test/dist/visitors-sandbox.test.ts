import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts';
import { NASTY_PATHS } from '../../sandbox/service/page-paths.ts';
import { annotations, csvRows, runAgent, runVisitors } from '../helpers/run.ts';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ pages: 600, workMs: 200, pickUpMs: 50 });
});

afterAll(() => sandbox.close());

function access() {
  return { 'api-key': sandbox.apiKey, 'project-id': sandbox.projectId };
}

const run = (inputs: Record<string, string>) =>
  runVisitors({ baseUrl: sandbox.url, inputs: { ...access(), ...inputs } });

describe('against the sandbox', () => {
  it('exports and compares a site, with nasty paths', async () => {
    const result = await run({
      period: 'last-7-days',
      compare: 'true',
      'output-file': 'out/week.csv',
    });
    expect(result.outputs).toMatchObject({
      result: 'exported',
      complete: 'true',
      'page-count': '600',
    });
    const records = csvRows(result, 'out/week.csv');
    const paths = records.map(({ path }) => path?.replace(/^'=/, '='));
    expect(paths).toHaveLength(600);
    expect(paths).toEqual(expect.arrayContaining([...NASTY_PATHS]));
    expect(records.every((record) => Number(record['previous_total']) > 0)).toBe(true);
  });

  it('passes the top pages to the agent, as its README shows', async () => {
    const visitors = await run({ period: 'last-7-days', top: '100' });
    const agent = await runAgent({
      baseUrl: sandbox.url,
      inputs: {
        ...access(),
        prompt: 'Refresh quickstart.mdx. Most read: {{pages}}',
        variables: `pages: ${visitors.outputs['top-pages']}`,
      },
    });
    expect(agent.outputs).toMatchObject({ result: 'pull-request' });
    expect(annotations(agent, 'warning')).toEqual([]);
  });

  it('accepts a read-only key', async () => {
    const result = await run({ period: 'last-7-days', 'api-key': sandbox.readKey });
    expect(result.outputs).toMatchObject({ result: 'exported', complete: 'true' });
  });

  it('blames the plan of an organisation that has none', async () => {
    const result = await run({
      'project-id': 'sandbox-starter',
      'api-key': 'mint_sandbox_starter_not_a_secret',
    });
    expect(result.outputs).toMatchObject({ result: 'error', reason: 'forbidden' });
    expect(result.outputs['message']).toContain(
      "the agent and the API require Mintlify's Pro or Enterprise plan",
    );
  });

  it('names the hourly limit, if others have used it up', async () => {
    const { url, apiKey, projectId } = sandbox;
    const headers = { authorization: `Bearer ${apiKey}` };
    const send = () => fetch(`${url}/v1/analytics/${projectId}/visitors?limit=1`, { headers });
    for (let response = await send(); response.status === 200; response = await send());
    const result = await runVisitors({ baseUrl: url, inputs: access(), speed: 60 });
    expect(result.exitCode).toBe(1);
    expect(result.outputs).toMatchObject({ result: 'error', reason: 'rate-limited' });
    expect(result.outputs['message']).toContain(
      'the limit of an organisation is 100 analytics requests an hour',
    );
  });
});
