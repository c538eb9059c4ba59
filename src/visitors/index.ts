import '../runner/node-guard.ts';
import { hostOf } from '../runner/host.ts';
import { createRunner } from '../runner/runner.ts';
import { main } from './main.ts';

await main(createRunner(hostOf(process)));
