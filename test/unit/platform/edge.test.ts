import { describe, expect, it } from 'vitest';
import { readEdgeSigns } from '../../../src/platform/client.ts';
import { findEdge } from '../../../src/platform/failure.ts';

const json = '{}';

/** Reads a response with these headers and this text. */
function signsOf(ray: string, contentType: string | undefined, text: string) {
  const headers = new Map([
    ['cf-ray', ray],
    ['content-type', contentType],
  ]);
  return readEdgeSigns({ header: (name) => headers.get(name), body: parseJson(text), text });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

describe('the signs of an edge', () => {
  it('are absent in JSON that did not pass through Cloudflare', () => {
    expect(signsOf('', 'application/json', json)).toEqual({});
  });

  it.each(['8f2a1b3c4d5e6f70-FRA', '8f2a1b3c4d5e6f70', '8F2A-fra'])('are the ray %j', (ray) => {
    expect(signsOf(ray, undefined, json)).toEqual({ rayId: ray });
  });

  it.each([
    '',
    '***',
    'a b',
    'a\n::error::b',
    '##[error]',
    '<b>',
    '`a`',
    '-FRA',
    'mint_key',
    'a'.repeat(41),
    'abc',
    '8f2a-FRA-k3y',
    // The end of a key that a malicious server repeats.
    'th3-tests',
    'a-FRANKFURT',
  ])('are no ray %j', (ray) => {
    expect(signsOf(ray, undefined, json)).toEqual({});
  });

  it.each([
    ['text/html', ''],
    ['Text/HTML; charset=utf-8', 'Sorry'],
    [undefined, '<!DOCTYPE html><p>'],
    ['text/plain', '\n  <html lang="en">'],
  ])('are a page: %j %j', (type, text) => {
    expect(signsOf('', type, text)).toEqual({ body: 'html' });
  });

  it.each([
    ['text/plain', 'Sorry'],
    [undefined, ''],
    ['application/json', '{"error":'],
    ['text/htmlx', '<htmlx>'],
  ])('are text: %j %j', (type, text) => {
    expect(signsOf('', type, text)).toEqual({ body: 'text' });
  });

  it.each(['error code: 1010', 'Error code: 1010\n', '\r\nerror code: 1010 '])(
    "are Cloudflare's own error: %j",
    (text) => {
      expect(signsOf('', 'text/plain', text)).toEqual({
        body: 'text',
        cloudflareCode: '1010',
      });
    },
  );

  it.each(['error code: x', 'error code: 1', 'an error code: 1010', 'error code: 1010 or so'])(
    "are no error of Cloudflare's: %j",
    (text) => {
      expect(signsOf('', 'text/plain', text)).toEqual({ body: 'text' });
    },
  );

  it.each([
    [{ cloudflare_error: true, error_code: 1010, title: 'Access denied' }, '1010'],
    [{ cloudflare_error: true, error_code: 524 }, '524'],
    [{ cloudflare_error: false, error_code: 1010 }, undefined],
    [{ cloudflare_error: true }, undefined],
    [{ cloudflare_error: true, error_code: '::error::' }, undefined],
    [{ cloudflare_error: true, error_code: 10.5 }, undefined],
    [{ cloudflare_error: true, error_code: 1e21 }, undefined],
    [{ error: 'Forbidden', error_code: 1010 }, undefined],
  ])('have in the JSON %j the code %j', (body, code) => {
    const signs = signsOf('', 'application/json', JSON.stringify(body));
    expect(signs).toEqual(code === undefined ? {} : { cloudflareCode: code });
  });
});

describe('an edge', () => {
  const everyStatus = Array.from({ length: 300 }, (_, index) => 300 + index);
  const found = (signs: Parameters<typeof findEdge>[1]) =>
    everyStatus.filter((status) => findEdge(status, signs) !== undefined);

  it("is certain from Cloudflare's own error", () => {
    expect(found({ cloudflareCode: '1010' })).toEqual(everyStatus);
    expect(findEdge(403, { cloudflareCode: '1010', body: 'html' })).toEqual({
      cloudflareCode: '1010',
      isPage: true,
    });
  });

  it('is recognised by a web page if the API would have sent a reason', () => {
    expect(found({ body: 'html' })).toEqual([401, 403, 429]);
    expect(findEdge(403, { body: 'html' })).toEqual({ isPage: true });
  });

  it("is recognised by text through Cloudflare for the statuses of Cloudflare's refusals", () => {
    expect(found({ body: 'text', rayId: '8f2a-FRA' })).toEqual([403, 429]);
    expect(findEdge(403, { body: 'text', rayId: '8f2a-FRA' })).toEqual({ isPage: false });
  });

  it.each([{}, { rayId: '8f2a-FRA' }, { body: 'text' }] as const)('is not seen in %j', (signs) => {
    expect(found(signs)).toEqual([]);
  });
});
