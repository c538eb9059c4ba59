import { expect, it } from 'vitest';
import { runWithLabel } from '../helpers/run.ts';
import {
  jobBody,
  newHead,
  oldHead,
  open,
  pullBody,
  type Reply,
  type Routes,
  routes,
  type ScriptedGitHub,
} from '../helpers/servers.ts';

const withoutPort = (text: string) => text.replaceAll(/127\.0\.0\.1:\d+/g, 'HOST');
const comment = 'POST /repos/acme/docs/issues/13/comments';

/** A job that gets a follow-up, and opens pull request 13 beside the one it had. */
function another({ url }: ScriptedGitHub): readonly Reply[] {
  const reply = (status: string, number: number): Reply => ({
    status: 200,
    body: jobBody({ status, prLink: `${url}/acme/docs/pull/${number}` }),
  });
  return [
    reply('completed', 12),
    reply('completed', 12),
    reply('active', 12),
    reply('completed', 13),
  ];
}

const both: Routes = {
  ...open,
  [routes.pull]: { status: 200, body: pullBody(oldHead) },
  'GET /repos/acme/docs/pulls/13': { status: 200, body: pullBody(newHead, { number: 13 }) },
  'GET /repos/acme/docs/pulls/13/files': { status: 200, body: [] },
  'GET /repos/acme/docs/issues/13/comments': { status: 200, body: [] },
  'POST /repos/acme/docs/issues/13/labels': { status: 200, body: [] },
  [comment]: { status: 201, body: { id: 700 } },
};

it('a job that opens another pull request does not continue its own, and says so', async () => {
  const run = await runWithLabel(both, {}, another);
  expect(run.outputs).toMatchObject({ result: 'pull-request', 'pr-number': '13' });
  expect(withoutPort(run.outputs['message'] ?? '')).toBe(
    'Job job_8f2 completed and opened a new pull request instead of continuing acme/docs#12: http://HOST/acme/docs/pull/13',
  );
  expect(run.summary).toMatch(/^### ✅ Pull request opened\n/);
  const line =
    'The job opened this pull request instead of continuing <a href="http://HOST/acme/docs/pull/12"><code>acme/docs&#35;12</code></a>, which may still be open.';
  expect(withoutPort(run.summary)).toContain(line);
  expect(run.summary).not.toMatch(/this round|Review what is new/);
  expect(run.summary).toContain('**Next:** Review the pull request and merge it.');
  const body = withoutPort(String(run.sent(comment)[0]?.['body']));
  expect(body).toMatch(/^The docs agent opened this pull request for /);
  expect(body).toContain(line);
});
