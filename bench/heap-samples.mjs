/**
 * Is preloaded into a bundle's process with `--expose-gc`. Every 200 ms of real time it collects the
 * garbage and records the size of the heap, and at the end it writes all sizes to HEAP_FILE.
 */
import { writeFileSync } from 'node:fs';

const samples = [];

setInterval(() => {
  globalThis.gc();
  samples.push(process.memoryUsage().heapUsed);
}, 200).unref();

process.on('exit', () => writeFileSync(process.env.HEAP_FILE, JSON.stringify(samples)));
