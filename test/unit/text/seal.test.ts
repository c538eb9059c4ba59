import { integer, number, object, pipe, string } from 'valibot';
import { describe, expect, it } from 'vitest';
import {
  createSeals,
  hasHiddenLine,
  hiddenLine,
  hiddenSeal,
  readUnverified,
  sealPrefix,
} from '../../../src/text/seal.ts';

const where = { purpose: 'record', place: 'Acme/Docs#12' };
const schema = object({ attempt: pipe(number(), integer()), prompt: string() });
const value = { attempt: 2, prompt: 'naïve --> “docs”' };

const { seal, unseal } = createSeals('mint_key');
const sealed = seal(value, where);

describe('a seal', () => {
  it('opens with the same secret, for the same place and purpose', () => {
    expect(unseal(schema, sealed, where)).toEqual(value);
    expect(unseal(schema, sealed, { ...where, place: 'acme/docs#12' })).toEqual(value);
  });

  it('is one word that survives in another case', () => {
    expect(sealed).toMatch(/^[\da-z-]+$/);
    expect(unseal(schema, sealed.toUpperCase(), where)).toEqual(value);
  });

  it('begins with a prefix that needs no secret', () => {
    expect(sealed.startsWith(sealPrefix(where))).toBe(true);
    expect(createSeals('another').seal(value, where).startsWith(sealPrefix(where))).toBe(true);
  });

  it('can be read without the secret, but only for its purpose', () => {
    expect(readUnverified(schema, sealed, 'record')).toEqual(value);
    expect(readUnverified(schema, sealed, 'rekord')).toBeUndefined();
    expect(readUnverified(schema, `${sealed}0`, 'record')).toBeUndefined();
    expect(readUnverified(schema, sealed.replace('7b', '7c'), 'record')).toBeUndefined();
  });

  it.each([
    ['another secret', createSeals('another').seal(value, where)],
    ['another place', seal(value, { ...where, place: 'acme/docs#13' })],
    ['another purpose', seal(value, { ...where, purpose: 'comment' })],
    ['another value', sealed.replace('7b', '7c')],
    ['no signature', sealed.slice(0, -65)],
    ['a shorter signature', sealed.slice(0, -1)],
    ['another form', seal({ attempt: 'two' }, where)],
    ['nothing', ''],
  ])('does not open with %s', (_what, word) => {
    expect(unseal(schema, word, where)).toBeUndefined();
  });
});

describe('a hidden line', () => {
  it('is found at the end of a comment, also after an edit in a browser', () => {
    const body = `# Docs\n\nDone.\n${hiddenLine(sealed)}\n`;
    expect(hiddenSeal(body)).toBe(sealed);
    expect(hiddenSeal(body.replaceAll('\n', '\r\n'))).toBe(sealed);
    expect(hasHiddenLine(body)).toBe(true);
  });

  it('counts only as a line of its own, and the last one counts', () => {
    const other = seal({ attempt: 1, prompt: '' }, where);
    expect(hiddenSeal(`A title with ${hiddenLine(sealed)}`)).toBe('');
    expect(hiddenSeal(sealed)).toBe('');
    expect(hiddenSeal(`${hiddenLine(other)}\n${hiddenLine(sealed)}`)).toBe(sealed);
  });
});
