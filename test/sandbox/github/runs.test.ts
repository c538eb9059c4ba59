import * as v from 'valibot';
import { expect, it } from 'vitest';
import { githubClient } from '../../../sandbox/github/client.ts';
import { PRODUCT_REPOSITORY, startLocalGitHub } from '../../../sandbox/github/seed.ts';

it('lists workflow runs, and filters them', async () => {
  const github = await startLocalGitHub();
  try {
    const run = {
      repository: PRODUCT_REPOSITORY,
      workflowId: 7,
      workflowFile: 'docs.yml',
      event: 'push',
      branch: 'main',
    } as const;
    github.runs.push(
      { ...run, id: 1, headSha: 'a', conclusion: 'success' },
      { ...run, id: 2, headSha: 'b', conclusion: 'success' },
      { ...run, id: 3, headSha: 'c', conclusion: 'cancelled', createdAt: '2026-03-02T00:00:00Z' },
      { ...run, id: 4, headSha: 'd', createdAt: '2026-03-02T23:59:59Z' },
      { ...run, id: 5, headSha: 'e', conclusion: 'success', workflowId: 8, workflowFile: 'b.yml' },
      { ...run, id: 6, headSha: 'f', conclusion: 'success', branch: 'other' },
    );
    const { request } = githubClient(github.url, github.tokens.actions);
    const path = `/repos/${PRODUCT_REPOSITORY}/actions`;
    const runs = v.object({ workflow_runs: v.array(v.object({ head_sha: v.string() })) });
    for (const workflow of ['7', 'docs.yml']) {
      const query = 'branch=main&event=push&status=success';
      const found = await request('GET', `${path}/workflows/${workflow}/runs?${query}`, runs);
      expect(found.workflow_runs.map(({ head_sha }) => head_sha)).toEqual(['b', 'a']);
    }
    const today = `${path}/workflows/docs.yml/runs?per_page=1&created=%3E%3D2026-03-02`;
    const count = v.object({ total_count: v.number() });
    expect(await request('GET', today, count)).toEqual({ total_count: 2 });
    const one = v.object({ workflow_id: v.number(), status: v.string() });
    expect(await request('GET', `${path}/runs/4`, one)).toEqual({
      workflow_id: 7,
      status: 'in_progress',
    });
    await expect(request('GET', `${path}/runs/9`, one)).rejects.toThrow('404');
  } finally {
    await github.close();
  }
});
