import { refuseOldNode } from '../runner/node-guard.ts';

refuseOldNode(process);
// These modules are loaded only now, because an old Node could not load them.
const [{ runnerOf }, { main }] = await Promise.all([
  import('../runner/runner.ts'),
  import('./main.ts'),
]);
await main(runnerOf(process));
