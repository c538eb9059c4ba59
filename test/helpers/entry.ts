import { fileURLToPath } from 'node:url';

const coverageFolder = process.env['NODE_V8_COVERAGE'];

/**
 * What a test runs as an action: its committed bundle. Only where coverage is measured the source
 * that the bundle is built from, since a bundle's source map cannot tell two branches of a line.
 */
export function entryOf(action: 'agent' | 'visitors'): string {
  const path = coverageFolder === undefined ? `dist/${action}/index.js` : `src/${action}/index.ts`;
  return fileURLToPath(new URL(`../../${path}`, import.meta.url));
}

/** A step's environment is a clean one, so where Node leaves its coverage has to be handed on. */
export const coverageVariables: Readonly<Record<string, string>> =
  coverageFolder === undefined ? {} : { NODE_V8_COVERAGE: coverageFolder };
