import { expect, test } from 'vitest';
import { readPreviewLink } from '../../../../src/check/reading/preview.ts';
import { fakeClock } from '../../../helpers/fake-runner.ts';
import { githubSession, noSignal } from '../../../helpers/servers.ts';

const url = (name: string) => `https://${name}.mintlify.app/a`;
const run = (name: string, more = {}) => {
  return { name: 'Mintlify Deployment', conclusion: 'success', details_url: url(name), ...more };
};
const vendor = { id: 7, creator: { login: 'mintlify[bot]' } };
const status = (name: string, state = 'success') => ({ state, environment_url: url(name) });

type Row = readonly [
  string,
  runs: readonly object[],
  deployments?: readonly object[],
  status?: object,
];

test.each<Row>([
  [url('a'), [run('x', { conclusion: 'failure' }), run('x', { name: 'My Mintlify' }), run('a')]],
  [url('a'), [run('a', { name: 'docs', app: { slug: 'mintlify' } }), run('b')]],
  [url('b'), [run('x', { details_url: null }), run('b', { name: 'MINTLIFY' })]],
  [url('a'), [run('b')], [{ id: 1, creator: null }, vendor, { ...vendor, id: 8 }], status('a')],
  [url('b'), [run('b')], [vendor], status('a', 'in_progress')],
  [
    '',
    [run('x', { name: 'Other', app: null })],
    [{ id: 7, creator: { login: 'my-mintlify' } }],
    status('a'),
  ],
  ...[
    'http://a.mintlify.app',
    'https://me@a.dev',
    'https://:b@a.dev',
    'x',
    `https://a.dev/${'x'.repeat(1987)}`,
  ].map((link): Row => ['', [run('', { details_url: link })]]),
  [
    `https://a.dev/${'x'.repeat(1986)}`,
    [run('', { details_url: `https://a.dev/${'x'.repeat(1986)}` })],
  ],
  ['https://a.dev/b%20c', [run('', { details_url: 'https://a.dev/b c' })]],
])('the preview link is %s', async (link, runs, deployments, last) => {
  const { session } = await githubSession((route) => {
    const body = new Map<string, unknown>([
      [`GET /repos/acme/docs/commits/sha/check-runs`, { check_runs: runs }],
      ['GET /repos/acme/docs/deployments', deployments],
      ['GET /repos/acme/docs/deployments/7/statuses', [last]],
    ]).get(route);
    return body === undefined ? { status: 403, body: {} } : { status: 200, body };
  });
  const deps = { session, repository: 'acme/docs', clock: fakeClock(), signal: noSignal };
  expect(await readPreviewLink('sha', deps)).toBe(link);
});
