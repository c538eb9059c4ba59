import '../runner/node-guard.ts';
import { cacheArgument } from '../runner/cache.ts';
import { main } from './main.ts';

if (process.argv[2] === cacheArgument) {
  const { serveCache } = await import('../runner/cache-process.ts');
  serveCache();
} else {
  await main();
}
