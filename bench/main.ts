import { writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { measureSizes, measureStartUp } from './bundles.ts';
import { measureCheck } from './check.ts';
import type { Measurement } from './measurement.ts';
import { measureVisitors } from './visitors.ts';

const parts = {
  'how long the actions take to start': measureStartUp,
  'how large the bundles are': measureSizes,
  'the visitors action': measureVisitors,
  'the check action': measureCheck,
} as const;

const measurements: Measurement[] = [];
for (const [what, measure] of Object.entries(parts)) {
  console.error(`Measuring ${what} …`);
  measurements.push(...(await measure()));
}

const [cpu] = cpus();
const machine = `${cpus().length} × ${cpu?.model.trim() ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GB, ${process.platform}, Node ${process.versions.node}`;

const report = `# Benchmark

Written by \`npm run bench\` on ${new Date().toISOString().slice(0, 10)}: ${machine}. Times are medians of 41 runs, or of 5 runs for the visitors and check actions. Compared programs take turns. The ratios say more than the times, which depend on the machine.

| Measured | Result | Limit |
|---|---|---|
${measurements.map((line) => `| ${line.join(' | ')} |`).join('\n')}
`;

console.log(report);
writeFileSync(new URL('RESULTS.md', import.meta.url), report);
