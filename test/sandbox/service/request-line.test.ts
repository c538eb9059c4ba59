import { expect, test } from 'vitest';
import { requestLine } from '../../../sandbox/service/request-line.ts';
import { startServiceUnderTest } from '../../helpers/sandbox-service.ts';

const JOBS = '/v2/agent/ours/job';
const LINK = 'https://github.example/acme/docs/pull/job_1';

/** Starts the service, and collects the line of each request. */
async function startWithLines(options: Parameters<typeof startServiceUnderTest>[0] = {}) {
  const lines: string[] = [];
  const service = await startServiceUnderTest({
    ...options,
    onRequest: (request, body) => lines.push(requestLine(request, body)),
  });
  return { service, lines };
}

test('the line shows a request and its outcome', async () => {
  const { service, lines } = await startWithLines();
  await using _ = service;
  await service.request('POST', JOBS, { prompt: 'Mention --watch' });
  await service.request('GET', `${JOBS}/job_1`);
  service.time.pass(1000);
  await service.settled();
  await service.request('GET', `${JOBS}/job_1`);
  await service.request('POST', `${JOBS}/job_1/message`, { prompt: '' });
  await service.request('GET', '/v1/analytics/ours/visitors?limit=1');
  await service.request('GET', '/v2/agent/nobody/job/job_1');
  expect(lines).toEqual([
    `POST ${JOBS} → 201 job_1`,
    `GET ${JOBS}/job_1 → 200 active`,
    `GET ${JOBS}/job_1 → 200 completed ${LINK}`,
    `POST ${JOBS}/job_1/message → 400 "prompt" must be a string of at least 1 character`,
    'GET /v1/analytics/ours/visitors?limit=1 → 200',
    'GET /v2/agent/nobody/job/job_1 → 404 Project not found',
  ]);
});

test('the line has no control characters', async () => {
  const { service, lines } = await startWithLines();
  await using _ = service;
  const prompt = '[sandbox: \u001b[2J\u0007\r\nPOST \u009b1m\u202e]';
  await service.request('POST', JOBS, { prompt });
  expect(lines).toEqual([expect.stringContaining('→ 400 The sandbox does not understand')]);
  expect(lines.join('')).toMatch(/^[\P{C}]*$/u);

  // Node refuses control characters in a path, except those above 127.
  const seen = { method: 'GET', path: '/\u009b2J\u001b[2J', status: 404 };
  expect(requestLine(seen, { error: 'Not found' })).toBe('GET / 2J [2J → 404 Not found');
});
