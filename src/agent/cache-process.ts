import { serveCache } from '../runner/cache-process.ts';

// The entry of the process that `createCache` starts, bundled beside the action.
await serveCache(process);
