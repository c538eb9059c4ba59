/**
 * Preloaded into a bundle's process with `--expose-gc`, this leaves the sizes of its heap behind:
 * one every 200 ms of the wall clock, each after a collection.
 */
import { writeFileSync } from 'node:fs';

const samples = [];

setInterval(() => {
  globalThis.gc();
  samples.push(process.memoryUsage().heapUsed);
}, 200).unref();

process.on('exit', () => writeFileSync(process.env.HEAP_FILE, JSON.stringify(samples)));
