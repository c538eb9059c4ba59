import { refuseOldNode } from '../runner/node-version.ts';

if (!refuseOldNode(process)) {
  const { main } = await import('./main.ts');
  await main();
}
