import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { code, codeBlock, link, prose } from '../../../src/text/markdown.ts';
import {
  parseJsonWithout,
  withoutKeys,
  withoutSecret,
  withoutSecrets,
} from '../../../src/text/secret.ts';

describe('a response', () => {
  it.each([
    ['key mint_k3y, and mint_k3y', 'mint_k3y', 'key ***, and ***'],
    // Eight characters count as a secret. Shorter ones would be replaced everywhere in responses.
    ['a sandbox sends sand', 'sand', 'a sandbox sends sand'],
    ['nothing was sent', '', 'nothing was sent'],
    ['key 8letters', '8letters', 'key ***'],
    ['key seven77', 'seven77', 'key seven77'],
  ])('%j without the secret %j', (text, secret, expected) => {
    expect(withoutSecret(text, secret)).toBe(expected);
  });
});

it('leaves out whatever has the form of a key', () => {
  expect(withoutKeys('key mint_dsc_a-1 of mint_k3y, and mint_')).toBe('key *** of ***, and mint_');
});

describe('finished Markdown', () => {
  const decoded = (markdown: string) =>
    markdown.replace(/&#(\d+);/g, (_entity, number) => String.fromCodePoint(Number(number)));

  it('has no key, however it is spelled there', () => {
    const key = fc.stringMatching(/^[!#-&(-_a-~]{9,40}[a-z\d]$/);
    fc.assert(
      fc.property(key, (apiKey) => {
        const texts = [code(apiKey), prose(`It has ${apiKey} now.`), codeBlock(apiKey, 100)];
        const markdown = [...texts, link(apiKey, `https://a.example/${apiKey}`)].join('\n');
        expect(decoded(markdown)).toContain(apiKey);
        const washed = withoutSecrets(markdown, ['a-token', apiKey], '');
        expect(decoded(washed)).not.toContain(apiKey);
      }),
    );
  });

  it('has no project id, unless that is a part of a name', () => {
    const washed = (markdown: string) => withoutSecrets(markdown, ['mint_k3y'], 'acme_docs');
    expect(washed(`${prose('No project acme_docs.')} "acme_docs"; acme_docs:`)).toBe(
      'No project <code>***</code>. "***"; ***:',
    );
    const name = `${link('acme/acme_docs#1', 'https://github.com/acme/acme_docs/pull/1')} acme_docs-2`;
    expect(washed(name)).toBe(name);
  });
});

describe('a parsed response', () => {
  const secret = 'mint_k3y/0f+th3"tests';

  /** JSON that writes every character of a text with one of JSON's escapes. */
  function spelled(text: string, ways: readonly number[]): string {
    return [...text]
      .map((unit, index) => {
        const code = unit.charCodeAt(0).toString(16).padStart(4, '0');
        const spellings = [
          JSON.stringify(unit).slice(1, -1),
          `\\u${code}`,
          `\\u${code.toUpperCase()}`,
          unit === '/' ? '\\/' : `\\u${code}`,
        ];
        return spellings[(ways[index] ?? 0) % spellings.length];
      })
      .join('');
  }

  it('shows no secret, however it is escaped, at any place', () => {
    const ways = fc.array(fc.nat({ max: 3 }), { minLength: secret.length });
    const frames = fc.constantFrom(
      'TEXT',
      '["x","TEXT"]',
      '{"a":{"b":["x TEXT y",1]}}',
      '{"TEXT":1}',
      '{"a":[{"x TEXT":{"TEXT":null}}]}',
      '{"__proto__":"TEXT"}',
      '{"__proto__":{"TEXT":["TEXT"]}}',
      '{"constructor":{"prototype":"TEXT"}}',
      `${'['.repeat(50)}"TEXT"${']'.repeat(50)}`,
    );
    fc.assert(
      fc.property(frames, ways, (frame, how) => {
        const json = frame === 'TEXT' ? '"TEXT"' : frame;
        const clean = parseJsonWithout(json.replaceAll('TEXT', spelled(secret, how)), secret);
        expect(JSON.stringify(clean)).toBe(
          JSON.stringify(JSON.parse(json.replaceAll('TEXT', '***'))),
        );
        expect(Reflect.get({}, '***')).toBeUndefined();
      }),
    );
  });

  it('is unchanged without a secret', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        expect(parseJsonWithout(json, secret)).toEqual(JSON.parse(json));
      }),
    );
  });

  // Ten times as deep as the stack.
  it.each(['', '<p>', `${'['.repeat(100_000)}1${']'.repeat(100_000)}`])(
    'is undefined if it is not JSON, or nested too deeply',
    (text) => {
      expect(parseJsonWithout(text, secret)).toBeUndefined();
    },
  );
});
