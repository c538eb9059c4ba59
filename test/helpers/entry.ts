import { type Action, bundleOf, inRepository } from '../../scripts/actions.ts';

const coverageFolder = process.env['NODE_V8_COVERAGE'];

/**
 * What a test runs as an action: its committed bundle. Only where coverage is measured the source
 * that the bundle is built from, since a bundle's source map cannot tell two branches of a line.
 */
export function entryOf(action: Action): string {
  return coverageFolder === undefined
    ? bundleOf(action).entry
    : inRepository(`src/${action}/index.ts`);
}

/** A step's environment is a clean one, so where Node leaves its coverage has to be handed on. */
export const coverageVariables: Readonly<Record<string, string>> =
  coverageFolder === undefined ? {} : { NODE_V8_COVERAGE: coverageFolder };
