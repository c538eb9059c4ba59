import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { expect, test, vi } from 'vitest';
import { closeServer, listen } from '../../sandbox/listen.ts';
import { WORDS } from '../../sandbox/words.ts';

const main = fileURLToPath(new URL('../../sandbox/main.ts', import.meta.url));

function start(...args: string[]): ChildProcessByStdio<null, Readable, Readable> {
  return spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
}

test('npm run sandbox prints what works, and ends cleanly', async () => {
  const child = start('--port', '0', '--github-port', '0', '--pages', '7');
  let printed = '';
  for await (const chunk of child.stdout.setEncoding('utf8')) {
    printed += chunk;
    if (printed.includes('token that may merge')) break;
  }
  for (const [word] of WORDS) {
    expect(printed).toContain(word);
  }
  const commands = printed.split('\n').filter((line) => line.startsWith('  '));
  const create = commands.slice(commands.findIndex((line) => line.includes('JOB=$(curl')));
  const script = create.slice(0, create.findIndex((line) => line.includes('visitors')) + 1);
  const shell = spawn('sh', ['-e', '-c', script.join('\n')], { stdio: ['ignore', 'pipe', 'pipe'] });
  const answers = await text(shell.stdout);
  expect(answers).toMatch(/^\{"id":"job_[0-9a-f]{12}","status":"(active|completed)",/);
  expect(answers).toContain('"hasMore":true');

  child.kill('SIGINT');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('npm run sandbox tells of each request to the service, and of what came of it', async () => {
  const child = start('--port', '0', '--github-port', '0', '--pages', '7');
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    printed += chunk;
  });
  await vi.waitFor(() => expect(printed).toContain('token that may merge'), 20_000);
  const announced = printed.length;
  const [, url = ''] = /base-url: (\S+)/.exec(printed) ?? [];
  const [, key = ''] = /api-key: (\S+)/.exec(printed) ?? [];
  const jobs = `${url}/v2/agent/sandbox-docs/job`;
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const create = (prompt: string) =>
    fetch(jobs, { method: 'POST', headers, body: JSON.stringify({ prompt }) });
  const { id } = v.parse(v.object({ id: v.string() }), await (await create('x')).json());
  await create('[sandbox: \u001b[2J]');
  child.kill('SIGINT');
  await once(child, 'close');
  expect(printed.slice(announced).trim().split('\n')).toEqual([
    `POST /v2/agent/sandbox-docs/job → 201 ${id}`,
    expect.stringMatching(/^POST \P{Cc}* → 400 The sandbox does not understand \P{Cc}*$/u),
  ]);
});

test('npm run sandbox goes on without whoever started it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
  const pidFile = join(folder, 'sandbox.pid');
  try {
    const child = start('--port', '0', '--github-port', '0', '--pages', '7', '--detach', pidFile);
    const [printed, [exitCode]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    expect(exitCode).toBe(0);
    const [, url = ''] = /base-url: (\S+)/.exec(printed) ?? [];
    expect((await fetch(url)).status).toBe(404);
    process.kill(Number(readFileSync(pidFile, 'utf8')));
    await vi.waitFor(() => expect(fetch(url)).rejects.toThrow(), 5000);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test.each([
  ['a port that is taken', ['--github-port', '0', '--port', 'TAKEN'], 'EADDRINUSE'],
  ['a port that is none', ['--github-port', '0', '--port', 'http'], 'should be >= 0 and < 65536'],
  ['too many pages', ['--pages', '250001'], 'pages must be a whole number'],
])('npm run sandbox tells of %s, and ends', async (_, args, message) => {
  const server = createServer();
  const { port } = new URL(await listen(server, 0));
  const child = start(...args.map((arg) => (arg === 'TAKEN' ? port : arg)));
  const [stderr, [exitCode]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect(stderr).toContain('The sandbox could not start');
  expect(stderr).toContain(message);
  expect(exitCode).toBe(1);
  await closeServer(server);
});
