import { describe, expect, it } from 'vitest';
import { annotations, runWithComment as run, runOnEvent } from '../helpers/run.ts';
import {
  created,
  done,
  installation,
  left,
  list,
  type Routes,
  scriptedGitHub,
  startBoth,
  working,
} from '../helpers/servers.ts';

describe('an Enterprise server', () => {
  it('gets requests only at its own paths', async () => {
    const below = (routes: Routes): Routes =>
      Object.fromEntries(
        Object.entries(routes).map(([route, reply]) => [
          route.replace(' /repos', ' /api/v3/repos').replace(' /graphql', ' /api/graphql'),
          reply,
        ]),
      );
    const { github, api } = await startBoth(
      below({ ...working, [list]: { status: 200, body: [left()] } }),
      () => [created, done],
    );
    const result = await runOnEvent({
      eventName: 'issues',
      event: 'issues-labeled-by-owner',
      githubUrl: github.url,
      apiPath: '/api/v3',
      baseUrl: api.url,
      inputs: { comment: 'true' },
    });
    expect(result.outputs['result']).toBe('pull-request');
    expect(annotations(result, 'warning')).toEqual([]);
    expect(github.calls.every((call) => call.includes(' /api/'))).toBe(true);
    expect(github.calls).toContain('POST /api/graphql');
  });

  it('is asked for GraphQL at its own address, whatever the runner names', async () => {
    const other = await scriptedGitHub(installation);
    const { github } = await run(
      { [list]: { status: 200, body: [left()] } },
      { env: { GITHUB_GRAPHQL_URL: `${other.url}/graphql` } },
    );
    expect(other.calls).toEqual([]);
    expect(github.calls).toContain('POST /graphql');
    await other.close();
  });
});
