import fc from 'fast-check';
import { integer, number, object, pipe, string } from 'valibot';
import { describe, expect, it } from 'vitest';
import {
  createSeals,
  hasHiddenLine,
  hiddenLine,
  hiddenSeal,
  hiddenValue,
  readHiddenValue,
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

  // A search that begins anew at each of them would take minutes.
  it.each(['\u2028', '\u2029', '\r', ' ', '\u3000'])(
    'is found behind 400,000 times %j',
    (blank) => {
      const comment = `x${blank.repeat(400_000)}x\n`;
      expect(hiddenSeal(comment)).toBe('');
      expect(hiddenSeal(comment + hiddenLine(sealed))).toBe(sealed);
      expect(readHiddenValue(schema, comment + hiddenValue('record', value), 'record')).toEqual(
        value,
      );
    },
  );

  it('counts only as a line of its own, and the last one counts', () => {
    const other = seal({ attempt: 1, prompt: '' }, where);
    expect(hiddenSeal(`A title with ${hiddenLine(sealed)}`)).toBe('');
    expect(hiddenSeal(sealed)).toBe('');
    expect(hiddenSeal(`${hiddenLine(other)}\n${hiddenLine(sealed)}`)).toBe(sealed);
  });
});

describe('a hidden value', () => {
  const read = (comment: string, name = 'record') => readHiddenValue(schema, comment, name);

  it('is read from a line of its own, also after an edit in a browser', () => {
    const body = `# Docs\n\nDone.\n${hiddenValue('record', value)}\n`;
    expect(read(body)).toEqual(value);
    expect(read(body.replaceAll('\n', '\r\n'))).toEqual(value);
    expect(read(body.replace('<!--', '  <!--').replace(/-->$/m, '-->\t'))).toEqual(value);
    expect(hasHiddenLine(body)).toBe(true);
    expect(read(`A title with ${hiddenValue('record', value)}`)).toBeUndefined();
    expect(read(body, 'rekord')).toBeUndefined();
  });

  it('stays in its comment, whatever it is', () => {
    fc.assert(
      fc.property(fc.string(), (prompt) => {
        const line = hiddenValue('record', { attempt: 1, prompt });
        expect(line.indexOf('-->')).toBe(line.length - 3);
        expect(line).not.toContain('\n');
        expect(read(line)).toEqual({ attempt: 1, prompt });
      }),
    );
  });

  it.each([
    ['no JSON', '{'],
    ['another form', '{"attempt":"two"}'],
  ])('is none with %s', (_n, json) => {
    expect(read(`<!-- docs-agent-action-record ${json} -->`)).toBeUndefined();
  });
});
