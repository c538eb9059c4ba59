import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import { closeServer, listen } from '../../sandbox/listen.ts';

const main = fileURLToPath(new URL('../../sandbox/main.ts', import.meta.url));

function start(...args: string[]): ChildProcessByStdio<null, Readable, Readable> {
  return spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
}

/** The program's stderr and exit code. */
async function end(child: ReturnType<typeof start>): Promise<[stderr: string, exitCode: unknown]> {
  const [stderr, [exitCode]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  return [stderr, exitCode];
}

/** What the sandbox prints when it is ready. */
async function ready(child: ReturnType<typeof start>): Promise<string> {
  let printed = '';
  for await (const chunk of child.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    printed += chunk;
    if (printed.includes('Issues of acme')) break;
  }
  return printed;
}

test('npm run sandbox prints commands that work, and each request, and ends on SIGINT', async () => {
  const child = start('--port', '0', '--github-port', '0', '--pages', '7');
  const commands = (await ready(child)).split('\n').filter((line) => line.startsWith('  '));
  const create = commands.slice(commands.findIndex((line) => line.includes('JOB=$(curl')));
  const script = create.slice(0, create.findIndex((line) => line.includes('visitors')) + 1);
  const shell = spawn('sh', ['-e', '-c', script.join('\n')], { stdio: ['ignore', 'pipe', 'pipe'] });
  const responses = await text(shell.stdout);
  const [, id] =
    /^\{"id":"(job_[0-9a-f]{12})","status":"(?:active|completed)",/.exec(responses) ?? [];
  expect(responses).toContain('"hasMore":true');
  const lines = text(child.stdout);
  child.kill('SIGINT');
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect((await lines).trim().split('\n')).toEqual([
    `POST /v2/agent/sandbox-docs/job → 201 ${id}`,
    expect.stringMatching(`^GET /v2/agent/sandbox-docs/job/${id} → 200 `),
    'GET /v1/analytics/sandbox-docs/visitors?limit=3 → 200',
  ]);
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
      await vi.waitFor(() => expect(printed).toContain('Issues of acme'), 20_000);
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
    "Unknown option '--prot': the options are --port, --github-port, --pages, --docs-repository, each with a value.",
  ],
])('npm run sandbox refuses %s in one sentence', async (_, args, sentence) => {
  expect(await end(start('--github-port', '0', ...args))).toEqual([`${sentence}\n`, 1]);
});

test('a port that is already in use is reported with the options that change it', async () => {
  const server = createServer();
  const { port } = new URL(await listen(server, 0));
  try {
    const [printed, exitCode] = await end(start('--port', port, '--github-port', '0'));
    expect(printed).toContain(`address already in use 127.0.0.1:${port}`);
    expect(printed).toContain('Choose other ports with --port and --github-port.\n');
    expect(exitCode).toBe(1);
  } finally {
    await closeServer(server);
  }
});
