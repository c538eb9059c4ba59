import { describe, expect, it } from 'vitest';
import { attacks, type Edits, harmless, site } from '../../helpers/attacks.ts';
import { findingsOf } from '../../helpers/change.ts';

function found(edits: Edits, own: Edits = {}) {
  const filesOf = (...parts: readonly Edits[]) =>
    Object.fromEntries(
      Object.entries(Object.assign({}, ...parts)).flatMap(([path, text]) =>
        typeof text === 'string' ? [[path, text] as const] : [],
      ),
    );
  return findingsOf({ before: filesOf(site, own), after: filesOf(site, own, edits) });
}

describe('a hostile change is not routine:', () => {
  it.each(attacks)('$name', ({ edits, own }) => {
    expect(found(edits, own)).not.toEqual([]);
  });
});

describe('a harmless change is routine:', () => {
  it.each(harmless)('$name', ({ edits, own }) => {
    expect(found(edits, own)).toEqual([]);
  });
});
