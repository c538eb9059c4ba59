import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type GitHubClient, githubClient } from '../../../sandbox/github/client.ts';
import { type Sandbox, startSandbox } from '../../../sandbox/sandbox.ts';

const DOCS = 'acme/docs';
const HEADING = '## Notes from the docs agent';
let sandbox: Sandbox;
let maintainer: GitHubClient;
const errors: unknown[] = [];

beforeAll(async () => {
  let jobs = 0;
  sandbox = await startSandbox({
    sleep: async () => {},
    newJobId: () => {
      jobs += 1;
      return `job_${jobs}`;
    },
    onAgentError: (_, error) => errors.push(error),
  });
  maintainer = githubClient(sandbox.github.url, sandbox.github.tokens.maintainer);
});

afterAll(() => sandbox.close());

const job = v.looseObject({ id: v.string(), status: v.string(), prLink: v.nullable(v.string()) });
type Job = v.InferOutput<typeof job>;

async function call(
  method: string,
  path: string,
  prompt?: string,
  { projectId, apiKey } = sandbox,
): Promise<Job> {
  const response = await fetch(`${sandbox.url}/v2/agent/${projectId}/job${path}`, {
    method,
    headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
    ...(prompt === undefined ? {} : { body: JSON.stringify({ prompt }) }),
  });
  return v.parse(job, await response.json());
}

/** Runs a job until it has ended. */
async function run(prompt: string): Promise<Job> {
  const { id } = await call('POST', '', prompt);
  await sandbox.settled();
  return call('GET', `/${id}`);
}

async function followUp(id: string, prompt: string): Promise<Job> {
  await call('POST', `/${id}/message`, prompt);
  await sandbox.settled();
  return call('GET', `/${id}`);
}

test.each([
  ['sandbox-cli', 'mint_sandbox_not_a_secret', 'acme/cli-docs'],
  ['sandbox-other', 'mint_sandbox_other_not_a_secret', 'acme/other-docs'],
])('the project %s has a repository of its own', async (projectId, apiKey, repository) => {
  const project = { ...sandbox, projectId, apiKey };
  const { id } = await call('POST', '', 'Mention --watch in quickstart.mdx', project);
  await sandbox.settled();
  const ended = await call('GET', `/${id}`, undefined, project);
  expect(ended).toMatchObject({ status: 'completed', source: { repository } });
  const number = Number(ended.prLink?.split('/').at(-1));
  expect(ended.prLink).toBe(`${sandbox.github.url}/${repository}/pull/${number}`);
  const { head } = await maintainer.getPull(repository, number);
  const { text } = await maintainer.readFile(repository, 'quickstart.mdx', head.ref);
  expect(text).toContain('acme build --watch');
});

function numberOf({ prLink }: Job): number {
  expect(prLink).toMatch(new RegExp(`^${sandbox.github.url}/${DOCS}/pull/\\d+$`));
  return Number(prLink?.split('/').at(-1));
}

function addedLines(patch = ''): string[] {
  return patch.split('\n').filter((line) => line.startsWith('+'));
}

async function changes(id: string) {
  return (await maintainer.compare(DOCS, 'main', `docs-agent/${id}`)).files;
}

describe('a job', () => {
  test('opens a pull request that changes the page in the prompt', async () => {
    const ended = await run('Mention --quiet in quickstart.mdx');
    expect(ended.status).toBe('completed');
    const pull = await maintainer.getPull(DOCS, numberOf(ended));
    expect(pull).toMatchObject({
      title: 'Docs: Mention --quiet in quickstart.mdx',
      state: 'open',
      head: { ref: `docs-agent/${ended.id}` },
      base: { ref: 'main' },
    });
    const files = await changes(ended.id);
    expect(files.map(({ filename }) => filename)).toEqual(['quickstart.mdx']);
    expect(addedLines(files[0]?.patch)).toEqual([
      '+',
      `+${HEADING}`,
      '+',
      '+- Mention --quiet in quickstart.mdx',
    ]);
    const readme = readFileSync(new URL('../../../sandbox/README.md', import.meta.url), 'utf8');
    expect(readme).toContain(`the heading "${HEADING.replace('## ', '')}" and a list`);
  });

  test.each([
    [
      'Document --watch in quickstart.mdx',
      'Document acme build --watch',
      ['To build again', '```sh', 'acme build --watch', '```', 'It runs until'],
    ],
    [
      'Check the commands in quickstart.mdx',
      'Install acme globally',
      ['npm install --global acme'],
    ],
    ['Explain retries in guides/deploy.mdx', 'Explain retries', ['Run `acme deploy`. When']],
  ])('writes what a person would: %s', async (prompt, title, lines) => {
    const ended = await run(prompt);
    expect((await maintainer.getPull(DOCS, numberOf(ended))).title).toContain(title);
    const [file] = await changes(ended.id);
    const added = addedLines(file?.patch).filter((line) => line !== '+');
    expect(added).toEqual(lines.map((line) => expect.stringContaining(`+${line}`)));
  });

  test.each([
    ['the first page without a path', 'Say hello', 'index.mdx'],
    ['the page with the longer path', 'index.mdx or guides/deploy.mdx', 'guides/deploy.mdx'],
    ['no other files than pages', 'docs.json', 'index.mdx'],
  ])('changes %s', async (_, prompt, path) => {
    const { id } = await run(prompt);
    expect((await changes(id)).map(({ filename }) => filename)).toEqual([path]);
  });

  test.each([
    [
      'markup',
      'a <b> {x} [l](u) `c` *s* | &amp; @all #1 \\',
      '- a \\<b\\> \\{x\\} \\[l\\](u) \\`c\\` \\*s\\* \\| \\&amp; \\@all \\#1 \\\\',
    ],
    [
      'lines and invisible characters',
      'one\n\n---\r\ntwo\u202e\u200bthree\u0000',
      '- one --- two three',
    ],
    ['a long text', `${'😀'.repeat(400)}`, `- ${'😀'.repeat(149)}…`],
    ['nothing at all', '[sandbox: slow 1s]', '- No instruction given'],
  ])('escapes the prompt, on one line: %s', async (_, prompt, line) => {
    const { id } = await run(prompt);
    const [file] = await changes(id);
    expect(addedLines(file?.patch).at(-1)).toBe(`+${line}`);
  });
});

describe('a follow-up', () => {
  test('adds a commit to the pull request', async () => {
    const first = await run('Mention -q in quickstart.mdx');
    const second = await followUp(first.id, 'And mention --quiet in quickstart.mdx');
    expect(second).toEqual(first);
    const comparison = await maintainer.compare(DOCS, 'main', `docs-agent/${first.id}`);
    expect(comparison.total_commits).toBe(2);
    expect(addedLines(comparison.files[0]?.patch).slice(-2)).toEqual([
      '+- Mention -q in quickstart.mdx',
      '+- And mention --quiet in quickstart.mdx',
    ]);
  });

  test('writes something else, and then quotes the same prompt', async () => {
    const prompt = 'Check the commands in quickstart.mdx';
    const { id } = await run(prompt);
    await followUp(id, prompt);
    await followUp(id, prompt);
    const [file] = await changes(id);
    expect(addedLines(file?.patch)).toEqual([
      '+npm install --global acme',
      '+acme needs Node.js 20 or newer.',
      '+',
      '+',
      `+${HEADING}`,
      '+',
      `+- ${prompt}`,
    ]);
  });

  test('mends a page that the prompts before it broke', async () => {
    const lastLines = async (id: string) => {
      const [file] = await changes(id);
      return addedLines(file?.patch).slice(-3);
    };
    const { id } = await run('Mention --why in quickstart.mdx [sandbox: breaks 2]');
    expect(await lastLines(id)).toEqual(['+- Mention --why in quickstart.mdx', '+', '+<Note>']);
    await followUp(id, 'Close it in quickstart.mdx');
    expect(await lastLines(id)).toEqual(['+- Close it in quickstart.mdx', '+', '+<Note>']);
    await followUp(id, 'Close it in quickstart.mdx');
    const { head } = await maintainer.getPull(DOCS, numberOf(await call('GET', `/${id}`)));
    const { text } = await maintainer.readFile(DOCS, 'quickstart.mdx', head.ref);
    expect(text).toMatch(/- Close it in quickstart\.mdx\n$/);
  });

  test('changes nothing if the job is stubborn', async () => {
    const first = await run('Mention --no in quickstart.mdx [sandbox: stubborn]');
    const before = await maintainer.branchHead(DOCS, `docs-agent/${first.id}`);
    expect(await followUp(first.id, 'And more in quickstart.mdx')).toEqual(first);
    expect(await maintainer.branchHead(DOCS, `docs-agent/${first.id}`)).toBe(before);
  });

  test('opens another pull request if the first one is merged', async () => {
    const first = await run('Mention --dry-run in guides/deploy.mdx');
    await maintainer.mergePull(DOCS, numberOf(first));
    const second = await followUp(first.id, 'And -n in guides/deploy.mdx');
    expect(numberOf(second)).toBeGreaterThan(numberOf(first));
    await maintainer.mergePull(DOCS, numberOf(second));
    const { text } = await maintainer.readFile(DOCS, 'guides/deploy.mdx', 'main');
    expect(text).toMatch(/- Mention --dry-run in .*\n- And -n in .*\n$/);
  });
});

test('a job fails when the agent cannot write', async () => {
  const broken = await startSandbox({
    github: { ...sandbox.github, tokens: { ...sandbox.github.tokens, docsAgent: 'expired' } },
    sleep: async () => {},
    newJobId: () => 'job_broken',
    onAgentError: (_, error) => errors.push(error),
  });
  const response = await fetch(`${broken.url}/v2/agent/${broken.projectId}/job`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${broken.apiKey}`, 'Content-Type': 'application/json' },
    body: '{"prompt":"x"}',
  });
  expect(response.status).toBe(201);
  await broken.settled();
  const polled = await fetch(`${broken.url}/v2/agent/${broken.projectId}/job/job_broken`, {
    headers: { Authorization: `Bearer ${broken.apiKey}` },
  });
  expect(await polled.json()).toMatchObject({ status: 'failed', prLink: null });
  expect(errors.map(String)).toEqual([expect.stringContaining('Bad credentials')]);
  expect(broken.requests.map(({ status }) => status)).toEqual([201, 200]);
  await broken.close();
});
