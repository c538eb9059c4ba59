import fc from 'fast-check';

/**
 * In CI every property tries the same values each time, so that a change is never blamed for what
 * chance found; on a desk they are new ones. Either way a failure prints its seed.
 */
if (process.env['CI'] !== undefined) {
  fc.configureGlobal({ seed: 20_260_105 });
}
