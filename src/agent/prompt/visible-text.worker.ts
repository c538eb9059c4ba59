import { parentPort, workerData } from 'node:worker_threads';
import { visibleMarkdown } from './hidden/visible-markdown.ts';
import type { VisibleText } from './hidden/visible-plain.ts';

/** The entry of a thread of its own: texts in Markdown in, what readers see of them out. */
const texts: readonly string[] = workerData;
const visible: readonly VisibleText[] = texts.map(visibleMarkdown);
parentPort?.postMessage(visible);
