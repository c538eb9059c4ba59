import fc from 'fast-check';

/**
 * In CI, every property test uses the same values each time, so that a failure is always caused by the
 * change. Locally, the values are random. In both cases a failure prints its seed.
 */
if (process.env['CI'] !== undefined) {
  fc.configureGlobal({ seed: 20_260_105 });
}
