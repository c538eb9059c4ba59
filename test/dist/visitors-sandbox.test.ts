import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts';
import { NASTY_PATHS } from '../../sandbox/service/visitors.ts';
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
});
