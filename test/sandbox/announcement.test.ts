import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { announcement } from '../../sandbox/announcement.ts';
import { githubClient } from '../../sandbox/github/client.ts';
import { ISSUES, PEOPLE, PRODUCT_REPOSITORY } from '../../sandbox/github/seed.ts';
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts';
import { WORDS } from '../../sandbox/service/words.ts';

const issuesPath = `/repos/${PRODUCT_REPOSITORY}/issues`;
let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ sleep: async () => {}, pages: 7 });
});

afterAll(() => sandbox.close());

function actions() {
  return githubClient(sandbox.github.url, sandbox.github.tokens.actions);
}

/** Runs the command of the announcement that contains this text. */
async function runCommand(part: string): Promise<string> {
  const line = announcement(sandbox)
    .split('\n')
    .find((text) => text.includes('curl') && text.includes(part));
  return (await promisify(execFile)('sh', ['-c', line ?? 'false'])).stdout;
}

test.each(PEOPLE)(
  'the announcement names %s with their role on the local GitHub',
  async (login) => {
    const path = `/repos/${PRODUCT_REPOSITORY}/collaborators/${login}/permission`;
    const schema = v.object({ role_name: v.string() });
    const { role_name: role } = await actions().request('GET', path, schema);
    expect(announcement(sandbox)).toContain(`${login} (${role})`);
  },
);

test('the announcement names the issues of the local GitHub', async () => {
  const schema = v.array(v.object({ number: v.number(), title: v.string() }));
  const issues = await actions().request('GET', issuesPath, schema);
  expect(issues).toHaveLength(ISSUES.length);
  for (const { number, title } of issues) {
    expect(announcement(sandbox)).toContain(`  #${number} ${title}\n`);
  }
});

test('the announcement has a command that shows only the comments', async () => {
  const body = 'Done: "one"\nand \\ two';
  await actions().request('POST', `${issuesPath}/1/comments`, v.unknown(), { body });
  expect(await runCommand('/comments')).toBe(`"body":${JSON.stringify(body)}\n`);
});

test('the announcement has a command that shows only the pull requests', async () => {
  await fetch(`${sandbox.url}/v2/agent/${sandbox.projectId}/job`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${sandbox.apiKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ prompt: 'Mention "--watch"' }),
  });
  await sandbox.settled();
  expect((await runCommand('/pulls')).split('\n')).toEqual([
    `"html_url":"${sandbox.github.url}/acme/docs/pull/1"`,
    '"state":"open"',
    String.raw`"title":"Docs: Mention \"--watch\""`,
    '',
  ]);
});

test('the announcement has all sandbox words, and no others', () => {
  const listed = announcement(sandbox).matchAll(/^ {2}(\[sandbox: [^\]]+\])/gm);
  expect([...listed].map(([, word]) => word)).toEqual(WORDS.map(([word]) => word));
});

test('the announcement is short', () => {
  const lines = announcement(sandbox).split('\n').length;
  expect(lines - WORDS.length).toBeLessThan(40);
});
