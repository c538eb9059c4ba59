import { parseArgs } from 'node:util';
import { announcement } from './announcement.ts';
import { ready, startDetached } from './detach.ts';
import { oneLine } from './one-line.ts';
import { requestLine } from './request-line.ts';
import { startSandbox } from './sandbox.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '4100' },
    'github-port': { type: 'string', default: '4101' },
    pages: { type: 'string', default: '3000' },
    store: { type: 'string' },
    detach: { type: 'string' },
  },
});

async function start(): Promise<void> {
  const sandbox = await startSandbox({
    servicePort: Number(values.port),
    githubPort: Number(values['github-port']),
    pages: Number(values.pages),
    ...(values.store === undefined ? {} : { storeFile: values.store }),
    onAgentError: (jobId, error) =>
      console.error(`The agent erred on ${jobId}: ${oneLine(String(error), 300)}`),
    onRequest: (request, answer) => console.log(requestLine(request, answer)),
  });
  // Whoever reads may leave, as `| head` does. The sandbox goes on.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', () => {});
  }
  ready(announcement(sandbox));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void sandbox.close());
  }
}

/** Once more, without the wish to be detached. */
async function detach(pidFile: string): Promise<void> {
  const args = Object.entries(values)
    .filter(([name]) => name !== 'detach')
    .map(([name, value]) => `--${name}=${value}`);
  console.log(await startDetached(import.meta.filename, args, pidFile));
}

try {
  await (values.detach === undefined ? start() : detach(values.detach));
} catch (error) {
  console.error(`The sandbox could not start: ${String(error)}`);
  process.exitCode = 1;
}
