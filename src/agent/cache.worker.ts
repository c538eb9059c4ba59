import { serveCache } from '../runner/cache-process.ts';

await serveCache(process);
