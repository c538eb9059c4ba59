import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { runStep, type Step, type StepResult } from '../sandbox/runner/runner.ts';

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
export async function runMeasured(
  step: Step,
): Promise<StepResult & { readonly cpuMs: number; readonly peakMb: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const usageFile = join(folder, 'usage.json');
  try {
    const result = await runStep({
      ...step,
      env: { USAGE_FILE: usageFile },
      nodeArguments: ['--import', preload],
    });
    const used = v.parse(usageSchema, JSON.parse(readFileSync(usageFile, 'utf8')));
    const cpuMs = (used.userCPUTime + used.systemCPUTime) / 1000;
    return { ...result, cpuMs, peakMb: used.maxRSS / 1024 };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
