import { type Action, bundleOf, inRepository } from '../../scripts/actions.ts';

const coverageFolder = process.env['NODE_V8_COVERAGE'];

/**
 * The program that tests run as an action: its committed bundle, or its sources to measure coverage,
 * because a bundle's source map cannot distinguish two branches on a line.
 */
export function entryOf(action: Action): string {
  return coverageFolder === undefined
    ? bundleOf(action).entry
    : inRepository(`src/${action}/index.ts`);
}

/**
 * A step gets a clean environment, so the folder for coverage has to be passed to it. Without coverage,
 * Node keeps the compiled bundle there, which makes a run a quarter faster.
 */
export const nodeVariables: Readonly<Record<string, string>> =
  coverageFolder === undefined
    ? { NODE_COMPILE_CACHE: inRepository('build/compiled') }
    : { NODE_V8_COVERAGE: coverageFolder };
