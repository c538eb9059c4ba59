import '../runner/node-guard.ts';
import { cacheArgument } from '../runner/cache.ts';
import { hostOf } from '../runner/host.ts';
import { createRunner } from '../runner/runner.ts';
import { main } from './main.ts';

if (process.argv[2] === cacheArgument) {
  const { serveCache } = await import('../runner/cache-process.ts');
  serveCache();
} else {
  await main(createRunner(hostOf(process)));
}
