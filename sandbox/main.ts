import { announcement } from './announcement.ts';
import { startDetached, tell } from './detach.ts';
import { endRequest } from './end-request.ts';
import { oneLine } from './one-line.ts';
import { attached, explain, type Options, readOptions } from './options.ts';
import { startSandbox } from './sandbox.ts';
import { requestLine } from './service/request-line.ts';

async function start(options: Options): Promise<void> {
  const ended = endRequest('sandbox');
  const { servicePort, githubPort, pages, storeFile } = options;
  const sandbox = await startSandbox({
    servicePort,
    githubPort,
    pages,
    ...(storeFile === undefined ? {} : { storeFile }),
    onAgentError: (jobId, error) =>
      console.error(`The agent erred on ${jobId}: ${oneLine(String(error), 300)}`),
    onRequest: (request, answer) => console.log(requestLine(request, answer)),
  });
  // Whoever reads may leave, as `| head` does. The sandbox goes on.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', () => {});
  }
  tell({ isReady: true, text: announcement(sandbox) });
  await ended;
  await sandbox.close();
}

/** Once more, without the wish to be detached. */
async function detach(pidFile: string, options: Options): Promise<void> {
  const told = await startDetached(import.meta.filename, attached(options), pidFile);
  tell(told);
  process.exitCode = told.isReady ? 0 : 1;
}

let options: Options | undefined;
try {
  options = readOptions(process.argv.slice(2));
  const { pidFile } = options;
  await (pidFile === undefined ? start(options) : detach(pidFile, options));
} catch (error) {
  tell({ isReady: false, text: explain(error, options) });
  process.exitCode = 1;
}
