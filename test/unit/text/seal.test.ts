import fc from 'fast-check';
import { integer, number, object, pipe, string } from 'valibot';
import { describe, expect, it } from 'vitest';
import {
  hasHiddenLine,
  hiddenLine,
  hiddenValue,
  lastHidden,
  readHiddenValue,
  seal,
  sealPrefix,
  unseal,
} from '../../../src/text/seal.ts';

const where = { purpose: 'record', place: 'Acme/Docs#12' };
const schema = object({ attempt: pipe(number(), integer()), prompt: string() });
const value = { attempt: 2, prompt: 'naïve --> “docs”' };

const secret = 'mint_key';
const sealed = seal(value, where, secret);

describe('a seal', () => {
  it('opens with the same secret, for the same place and purpose', () => {
    expect(unseal(schema, sealed, where, secret)).toEqual(value);
    expect(unseal(schema, sealed, { ...where, place: 'acme/docs#12' }, secret)).toEqual(value);
  });

  it('is one word that survives in another case', () => {
    expect(sealed).toMatch(/^[\da-z-]+$/);
    expect(unseal(schema, sealed.toUpperCase(), where, secret)).toEqual(value);
  });

  it('begins with a prefix that needs no secret', () => {
    expect(sealed.startsWith(sealPrefix(where))).toBe(true);
    expect(seal(value, where, 'another').startsWith(sealPrefix(where))).toBe(true);
  });

  it.each([
    ['another secret', seal(value, where, 'another')],
    ['another place', seal(value, { ...where, place: 'acme/docs#13' }, secret)],
    ['another purpose', seal(value, { ...where, purpose: 'comment' }, secret)],
    ['another value', sealed.replace('7b', '7c')],
    ['no signature', sealed.slice(0, -65)],
    ['a shorter signature', sealed.slice(0, -1)],
    ['another form', seal({ attempt: 'two' }, where, secret)],
    ['nothing', ''],
  ])('does not open with %s', (_what, word) => {
    expect(unseal(schema, word, where, secret)).toBeUndefined();
  });
});

describe('a hidden line', () => {
  it('is found at the end of a comment, also after an edit in a browser', () => {
    const body = `# Docs\n\nDone.\n${hiddenLine(sealed)}\n`;
    expect(lastHidden(body)).toBe(sealed);
    expect(lastHidden(body.replaceAll('\n', '\r\n'))).toBe(sealed);
    expect(hasHiddenLine(body)).toBe(true);
  });

  // A search that begins anew at each of them would take minutes.
  it.each(['\u2028', '\u2029', '\r', ' ', '\u3000', '<!-- docs-agent-action-', ' > '])(
    'is found behind 100,000 times %j',
    (blank) => {
      const comment = `x${blank.repeat(100_000)}x\n`;
      expect(lastHidden(comment)).toBe('');
      expect(lastHidden(comment + hiddenLine(sealed))).toBe(sealed);
      expect(readHiddenValue(schema, comment + hiddenValue('record', value), 'record')).toEqual(
        value,
      );
    },
  );

  it('is found whatever people type on its line, and the last one counts', () => {
    const other = seal({ attempt: 1, prompt: '' }, where, secret);
    expect(lastHidden(`Done.\nThanks! ${hiddenLine(sealed)}\n`)).toBe(sealed);
    expect(lastHidden(`Done.\n${hiddenLine(sealed)} a > b <!-- c -->\n`)).toBe(sealed);
    expect(lastHidden(`${hiddenLine(other)}\n${hiddenLine(sealed)}`)).toBe(sealed);
    expect(lastHidden(`${hiddenLine(other)} ${hiddenLine(sealed)}`)).toBe(sealed);
  });

  it.each([
    ['a quote', `> ${hiddenLine(sealed)}`],
    ['a quote in a quote', `Hello\r\n  >> a ${hiddenLine(sealed)} b`],
    ['the seal alone', sealed],
    ['a seal over two lines', `<!-- ${sealed}\n -->`],
  ])('is not %s', (_what, comment) => {
    expect(lastHidden(comment)).toBe('');
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
    expect(read(`Thanks! ${hiddenValue('record', value)} :)`)).toEqual(value);
    expect(read(`> ${hiddenValue('record', value)}`)).toBeUndefined();
    expect(read(body, 'rekord')).toBeUndefined();
  });

  it('stays in its comment, whatever it is', () => {
    fc.assert(
      fc.property(fc.string(), (prompt) => {
        const line = hiddenValue('record', { attempt: 1, prompt });
        expect(line.indexOf('>')).toBe(line.length - 1);
        expect(line.lastIndexOf('<')).toBe(0);
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
