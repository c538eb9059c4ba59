import { expect, it } from 'vitest';
import { readEnvironment } from '../../../src/runner/environment.ts';

/** As in `node dist/agent/index.js` without a runner. */
it('has defaults if the runner sets no variables', () => {
  const { workspace, run, runId, attempt, ...rest } = readEnvironment({});
  expect(workspace).toBe('.');
  expect({ run, runId, attempt }).toEqual({ run: '0.1', runId: '0', attempt: 1 });
  expect(new Set(Object.values(rest))).toEqual(new Set(['']));
});

it.each(['GITHUB_SERVER_URL', 'GITHUB_REPOSITORY', 'GITHUB_RUN_ID'])(
  'has no half of a link without %s',
  (name) => {
    const whole = {
      GITHUB_SERVER_URL: 'https://github.example',
      GITHUB_REPOSITORY: 'acme/product',
      GITHUB_RUN_ID: '1001',
    };
    expect(readEnvironment(whole).runUrl).toBe(
      'https://github.example/acme/product/actions/runs/1001',
    );
    expect(readEnvironment({ ...whole, [name]: '' }).runUrl).toBe('');
  },
);
