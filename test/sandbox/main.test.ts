import { type ChildProcessByStdio, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import { closeServer, listen } from '../../sandbox/listen.ts';

const main = fileURLToPath(new URL('../../sandbox/main.ts', import.meta.url));
const agent = fileURLToPath(new URL('../../sandbox/agent.ts', import.meta.url));

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

/** A free port that `fetch` refuses to connect to. */
async function freeBlockedPort(): Promise<string> {
  for (const port of [4190, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697]) {
    const server = createServer();
    const isFree = await listen(server, port).then(
      () => true,
      () => false,
    );
    if (isFree) {
      await closeServer(server);
      return String(port);
    }
  }
  throw new Error('all of these ports are in use');
}

test('npm run agent runs the action, and the same command again is a re-run', async () => {
  const child = start('--port', await freeBlockedPort(), '--github-port', '0', '--pages', '7');
  try {
    const [, options = ''] = /npm run agent -- (.*)$/m.exec(await ready(child)) ?? [];
    // The command that the sandbox prints, on any port, without npm.
    const command = `"$0" "$1" ${options} --poll-interval-seconds 1`;
    const run = () =>
      text(
        spawn('sh', ['-c', command, process.execPath, agent], {
          stdio: ['ignore', 'pipe', 'inherit'],
        }).stdout,
      );
    expect(await run()).toMatch(/attempt 1: green[\s\S]*^job-source=created$/m);
    expect(await run()).toMatch(/attempt 2: green[\s\S]*^job-source=resumed$/m);
  } finally {
    child.kill('SIGINT');
  }
});

// Windows has no process groups.
test.skipIf(process.platform === 'win32')(
  'npm run agent alone tells the step of a Ctrl-C that a terminal sends to a whole group',
  async () => {
    const child = start('--port', '0', '--github-port', '0', '--pages', '7');
    try {
      const [, url = ''] = /base-url: (\S+)/.exec(await ready(child)) ?? [];
      const inputs = ['--prompt', 'Slow. [sandbox: slow 5m]', '--base-url', url];
      const run = spawn(process.execPath, [agent, ...inputs], {
        stdio: ['ignore', 'pipe', 'inherit'],
        detached: true,
      });
      let printed = '';
      let groups: readonly (string | undefined)[] = [];
      for await (const chunk of run.stdout.setEncoding('utf8')) {
        printed += chunk;
        if (String(chunk).includes('started job')) {
          const processes = execFileSync('ps', ['-A', '-o', 'ppid=,pgid='], { encoding: 'utf8' });
          const rows = processes.split('\n').map((line) => line.trim().split(/\s+/));
          groups = rows.filter(([parent]) => parent === String(run.pid)).map(([, group]) => group);
          process.kill(-Number(run.pid), 'SIGINT');
        }
      }
      expect(groups).toHaveLength(1);
      expect(groups).not.toContain(String(run.pid));
      expect(printed).toContain('result=cancelled');
    } finally {
      child.kill('SIGINT');
    }
  },
);

test.each(['api.mintlify.com', 'https://api.mintlify.com/v1'])(
  'npm run agent says that it talks to the sandbox alone, not to %s',
  async (given) => {
    const child = spawn(process.execPath, [agent, '--prompt', 'x', '--base-url', given], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    expect(await end(child)).toEqual([
      `Nothing was run: --base-url is "${given}", and npm run agent talks to the sandbox alone: leave it out, or write the address that npm run sandbox prints.\n`,
      1,
    ]);
  },
);

test.each([
  ['localhost:4100', 'http://localhost:4100'],
  ['http://127.0.0.1:4100/v1', 'http://127.0.0.1:4100'],
  ['127.0.0.1:4100/v1/', 'http://127.0.0.1:4100'],
  [':', 'http://127.0.0.1:4100'],
])('npm run agent says which address --base-url %s means', async (given, meant) => {
  const child = spawn(process.execPath, [agent, '--prompt', 'x', '--base-url', given], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [printed, exitCode] = await end(child);
  expect(printed).toBe(
    `Nothing was run: --base-url is "${given}": write ${meant}, as npm run sandbox prints it.\n`,
  );
  expect(exitCode).toBe(1);
});
