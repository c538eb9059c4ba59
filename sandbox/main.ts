import { parseArgs } from 'node:util';
import { announcement } from './announcement.ts';
import { startSandbox } from './sandbox.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '4100' },
    'github-port': { type: 'string', default: '4101' },
    pages: { type: 'string', default: '3000' },
    store: { type: 'string' },
  },
});

try {
  const sandbox = await startSandbox({
    servicePort: Number(values.port),
    githubPort: Number(values['github-port']),
    pages: Number(values.pages),
    ...(values.store === undefined ? {} : { storeFile: values.store }),
    onAgentError: (jobId, error) => console.error(`The agent erred on ${jobId}: ${String(error)}`),
  });
  console.log(announcement(sandbox));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void sandbox.close());
  }
} catch (error) {
  console.error(`The sandbox could not start: ${String(error)}`);
  process.exitCode = 1;
}
