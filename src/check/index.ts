import '../runner/node-guard.ts';
import { main } from './main.ts';

await main();
