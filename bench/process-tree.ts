import { readFileSync } from 'node:fs';

/** What the children of this process and theirs have used, as Linux counts it. */
export interface Usage {
  /** Of those that have ended, user and system together. */
  readonly cpuMs: number;
  /** The most that all of them held at the same time. What they share, Node's program, counts once. */
  readonly peakMb: number;
}

/** Linux reports times in this unit on every common machine. */
const tickMs = 10;

const intervalMs = 20;

/** Runs something that starts processes. @returns `undefined` for the usage, except on Linux */
export async function measureUsage<T>(
  run: () => Promise<T>,
): Promise<{ readonly result: T; readonly usage: Usage | undefined }> {
  if (process.platform !== 'linux') {
    return { result: await run(), usage: undefined };
  }
  let peakKb = 0;
  const sample = () => {
    peakKb = Math.max(peakKb, memoryBelow(process.pid));
  };
  const before = childrenCpuMs();
  const timer = setInterval(sample, intervalMs);
  try {
    const result = await run();
    return { result, usage: { cpuMs: childrenCpuMs() - before, peakMb: peakKb / 1024 } };
  } finally {
    clearInterval(timer);
  }
}

function childrenCpuMs(): number {
  const text = readFileSync('/proc/self/stat', 'utf8');
  // The name in parentheses may contain spaces.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [user = 0, system = 0] = fields.slice(13, 15).map(Number);
  return (user + system) * tickMs;
}

/** Kilobytes that all processes below one hold. */
function memoryBelow(pid: number): number {
  const processes = descendantsOf(pid).map((each) => read(`/proc/${each}/status`));
  const own = processes.map((status) => field(status, 'RssAnon'));
  const shared = processes.map((status) => field(status, 'RssFile'));
  return own.reduce((sum, each) => sum + each, 0) + Math.max(0, ...shared);
}

function descendantsOf(pid: number): readonly number[] {
  return childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)]);
}

function childrenOf(pid: number): readonly number[] {
  const text = read(`/proc/${pid}/task/${pid}/children`);
  return text.trim() === '' ? [] : text.trim().split(' ').map(Number);
}

function field(status: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s*(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0);
}

/** Empty for a process that has ended meanwhile. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
