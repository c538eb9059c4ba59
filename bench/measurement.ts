import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { runStep, type Step } from '../sandbox/runner/runner.ts';

/** A line of the table. */
export type Measurement = readonly [what: string, result: string, limit: string];

export function median(figures: readonly number[]): number {
  return figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? Number.NaN;
}

/** `3.14 × (72 ms against 23 ms)` */
export function ratio(ours: number, theirs: number, unit: string): string {
  return `${(ours / theirs).toFixed(2)} × (${ours.toFixed(0)} ${unit} against ${theirs.toFixed(0)} ${unit})`;
}

/** Makes a process write what it has used to USAGE_FILE when it ends. */
const preload = `data:text/javascript,${encodeURIComponent(`
  import { writeFileSync } from 'node:fs';
  process.on('exit', () => writeFileSync(process.env.USAGE_FILE, JSON.stringify(process.resourceUsage())));
`)}`;

const usageSchema = v.object({
  userCPUTime: v.number(),
  systemCPUTime: v.number(),
  maxRSS: v.number(),
});

/** Runs a step whose bundle is one process, and measures what that has used. */
export async function runMeasured(step: Step) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const usageFile = join(folder, 'usage.json');
  const startMs = performance.now();
  try {
    const result = await runStep({
      ...step,
      env: { USAGE_FILE: usageFile },
      nodeArguments: ['--import', preload],
    });
    const tookMs = performance.now() - startMs;
    const used = v.parse(usageSchema, JSON.parse(readFileSync(usageFile, 'utf8')));
    const cpuMs = (used.userCPUTime + used.systemCPUTime) / 1000;
    return { ...result, tookMs, cpuMs, peakMb: used.maxRSS / 1024 };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
