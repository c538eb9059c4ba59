import { refuseOldNode } from '../runner/node-guard.ts';

refuseOldNode(process);
// Everything else is loaded only now, because an old Node could not load it.
if (process.argv.length > 2) {
  // The runner passes no arguments: this is the process that `createCache` starts.
  const { serveCache } = await import('../runner/cache-process.ts');
  await serveCache(process);
} else {
  const [{ runnerOf }, { main }] = await Promise.all([
    import('../runner/runner.ts'),
    import('./main.ts'),
  ]);
  await main(runnerOf(process));
}
