import { oneLine } from '../src/text/plain.ts';
import { announcement } from './announcement.ts';
import { reportStart, startDetached } from './detach.ts';
import { explain, type Options, readOptions, toArguments } from './options.ts';
import { startSandbox } from './sandbox.ts';
import { requestLine } from './service/request-line.ts';
import { waitForStop } from './wait-for-stop.ts';

async function start(options: Options): Promise<void> {
  const stopped = waitForStop('sandbox');
  const { servicePort, githubPort, pages, storeFile } = options;
  const sandbox = await startSandbox({
    servicePort,
    githubPort,
    pages,
    ...(storeFile === undefined ? {} : { storeFile }),
    onAgentError: (jobId, error) =>
      console.error(`The agent failed on ${jobId}: ${oneLine(String(error))}`),
    onRequest: (request, responseBody) => console.log(requestLine(request, responseBody)),
  });
  // The reader of a pipe may close it, such as `head`. The sandbox keeps running.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', () => {});
  }
  reportStart({ isReady: true, text: announcement(sandbox) });
  await stopped;
  await sandbox.close();
}

/** Starts this program again, detached, and prints its report. */
async function detach(pidFile: string, options: Options): Promise<void> {
  const report = await startDetached(import.meta.filename, toArguments(options), pidFile);
  reportStart(report);
  process.exitCode = report.isReady ? 0 : 1;
}

let options: Options | undefined;
try {
  options = readOptions(process.argv.slice(2));
  const { pidFile } = options;
  await (pidFile === undefined ? start(options) : detach(pidFile, options));
} catch (error) {
  reportStart({ isReady: false, text: explain(error, options) });
  process.exitCode = 1;
}
