import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startDetached } from '../../sandbox/detach.ts';
import { closeServer, listen } from '../../sandbox/listen.ts';
import { WORDS } from '../../sandbox/service/words.ts';

const main = fileURLToPath(new URL('../../sandbox/main.ts', import.meta.url));

function start(...args: string[]): ChildProcessByStdio<null, Readable, Readable> {
  // The flag of the script in package.json, which hides the warning about SQLite.
  const flags = ['--disable-warning=ExperimentalWarning'];
  return spawn(process.execPath, [...flags, main, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
}

/** The program's stderr and exit code. */
async function end(child: ReturnType<typeof start>): Promise<[stderr: string, exitCode: unknown]> {
  const [stderr, [exitCode]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  return [stderr, exitCode];
}

test('npm run sandbox prints commands that work, and ends on SIGINT', async () => {
  const child = start('--port', '0', '--github-port', '0', '--pages', '7');
  let printed = '';
  for await (const chunk of child.stdout.setEncoding('utf8')) {
    printed += chunk;
    if (printed.includes('Pull requests of acme')) break;
  }
  for (const [word] of WORDS) {
    expect(printed).toContain(word);
  }
  const commands = printed.split('\n').filter((line) => line.startsWith('  '));
  const create = commands.slice(commands.findIndex((line) => line.includes('JOB=$(curl')));
  const script = create.slice(0, create.findIndex((line) => line.includes('visitors')) + 1);
  const shell = spawn('sh', ['-e', '-c', script.join('\n')], { stdio: ['ignore', 'pipe', 'pipe'] });
  const responses = await text(shell.stdout);
  expect(responses).toMatch(/^\{"id":"job_[0-9a-f]{12}","status":"(active|completed)",/);
  expect(responses).toContain('"hasMore":true');

  child.kill('SIGINT');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('npm run sandbox prints each request with its outcome', async () => {
  const child = start('--port', '0', '--github-port', '0', '--pages', '7');
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    printed += chunk;
  });
  await vi.waitFor(() => expect(printed).toContain('Pull requests of acme'), 20_000);
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

test('npm run sandbox can keep running after the command has ended', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
  const pidFile = join(folder, 'sandbox.pid');
  try {
    const child = start('--port', '0', '--github-port', '0', '--pages', '7', '--detach', pidFile);
    const [printed, [exitCode]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    expect(exitCode).toBe(0);
    const [, url = ''] = /base-url: (\S+)/.exec(printed) ?? [];
    expect((await fetch(url)).status).toBe(200);
    process.kill(Number(readFileSync(pidFile, 'utf8')));
    await vi.waitFor(() => expect(fetch(url)).rejects.toThrow(), 5000);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

// Windows has no signals.
test.skipIf(process.platform === 'win32')(
  'npm run sandbox ends with the npm that started it',
  async () => {
    const ports = ['--port', '0', '--github-port', '0', '--pages', '7'];
    // A process group, so that everything can be killed if this test fails.
    const npm = spawn('npm', ['run', 'sandbox', '--', ...ports], {
      cwd: fileURLToPath(new URL('../../', import.meta.url)),
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    });
    let printed = '';
    let isClosed = false;
    npm.stdout.setEncoding('utf8').on('data', (chunk) => {
      printed += chunk;
    });
    // The sandbox has the other end of the pipe, so this is emitted when it ends.
    npm.stdout.on('close', () => {
      isClosed = true;
    });
    try {
      await vi.waitFor(() => expect(printed).toContain('Pull requests of acme'), 20_000);
      const [, url = ''] = /base-url: (\S+)/.exec(printed) ?? [];
      npm.kill('SIGTERM');
      await vi.waitFor(() => expect(isClosed).toBe(true), 8000);
      await expect(fetch(url)).rejects.toThrow();
    } finally {
      if (!isClosed) process.kill(-Number(npm.pid), 'SIGKILL');
    }
  },
);

test.each([
  ['an invalid port', ['--port', 'abc'], '--port is "abc": give a whole number from 0 to 65535.'],
  [
    'an unknown option',
    ['--prot', '4100'],
    '"--prot" is not an option: the options are --port, --github-port, --pages, --store, --detach, each with a value.',
  ],
  [
    'an unusable store',
    ['--store', 'package.json'],
    `--store is "package.json", which cannot be used (file is not a database): give a SQLite file of the sandbox, or a new file in an existing folder.`,
  ],
])('npm run sandbox refuses %s in one sentence', async (_, args, sentence) => {
  expect(await end(start('--github-port', '0', ...args))).toEqual([`${sentence}\n`, 1]);
});

describe('a port that is already in use', () => {
  const server = createServer();
  let port = '';
  beforeAll(async () => {
    port = new URL(await listen(server, 0)).port;
  });
  afterAll(() => closeServer(server));

  const sentence = (name: string) =>
    `${name} is ${port}, which is already in use: give another port, or 0 for any free port.\n`;

  test('is reported with its option', async () => {
    const service = end(start('--github-port', '0', '--port', port));
    const github = end(start('--github-port', port, '--port', '0'));
    expect(await service).toEqual([sentence('--port'), 1]);
    expect(await github).toEqual([sentence('--github-port'), 1]);
  });

  test('is reported by a command that starts a detached sandbox', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
    try {
      const detach = ['--detach', join(folder, 'sandbox.pid')];
      const child = start('--github-port', '0', '--port', port, ...detach);
      expect(await end(child)).toEqual([sentence('--port'), 1]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

test('a detached program that ends before it is ready is an error', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
  try {
    const script = join(folder, 'empty.mjs');
    writeFileSync(script, '');
    const pidFile = join(folder, 'empty.pid');
    await expect(startDetached(script, [], pidFile)).rejects.toThrow('ended before it was ready');
    await expect(startDetached(script, [], folder)).rejects.toThrow('EISDIR');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
