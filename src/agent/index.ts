import { start } from '../runner/node-guard.ts';

await start(process, () => import('./main.ts'));
