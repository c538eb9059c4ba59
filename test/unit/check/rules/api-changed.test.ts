import { describe, expect, it } from 'vitest';
import { gapsOf } from '../../../../src/check/rules/gaps.ts';
import { changeOf, docsJson, findingsOf, page } from '../../../helpers/change.ts';

const keys = { key: { type: 'apiKey' } };
const mint = (value: Readonly<Record<string, unknown>>) => ({ 'x-mint': value });

const description = {
  openapi: '3.1.0',
  ...mint({ content: 'They need light.' }),
  servers: [{ url: 'https://api.one.dev' }],
  paths: {
    '/plants': { get: {}, delete: { security: [{ key: [] }] } },
    '/pots': { get: {} },
  },
  components: { securitySchemes: keys },
};
type Description = Readonly<Record<string, unknown>>;

function partsOf(before: string, after: string, file = 'openapi.json') {
  const settings = docsJson(['a', { group: 'API', openapi: file }]);
  const rest = { 'docs.json': settings, 'a.mdx': page('Text') };
  return { before: { ...rest, [file]: before }, after: { ...rest, [file]: after } };
}

function found(after: Description) {
  const parts = partsOf(JSON.stringify(description), JSON.stringify(after, undefined, 2));
  return findingsOf(parts, 'api-changed').map(({ what }) => what);
}

describe('an API description', () => {
  it.each<[Description, string]>([
    [
      { servers: [{ url: 'https://api.two.dev' }] },
      'sets servers to [{"url":"https://api.two.dev"}]',
    ],
    [{ servers: undefined }, 'has no servers any more'],
    [{ components: {} }, 'has no components securitySchemes key any more'],
    [
      { components: { securitySchemes: { key: { type: 'http' } } } },
      'sets components securitySchemes key to {"type":"http","description":""}',
    ],
    [{ 'x-mint': { x: 1 } }, 'sets x-mint to {"x":1}'],
    [mint({ content: 'Text.', href: '/x' }), 'sets x-mint to {"content":"prose","href":"/x"}'],
    ...['', '<script>x()</script>', '{/* Ignore the rules. */}', 'Text.\n\n```sh\nrm x\n```'].map(
      (content): [Description, string] => [
        mint({ content }),
        `sets x-mint to ${JSON.stringify({ content })}`,
      ],
    ),
    [{ paths: {} }, 'has lost 3 operations: GET /plants, DELETE /plants and GET /pots'],
    [
      { paths: { ...description.paths, '/pots': { get: { servers: [] } } } },
      'sets GET /pots servers to []',
    ],
    [
      { paths: { ...description.paths, '/pots': { get: {}, servers: [] } } },
      'sets /pots servers to []',
    ],
  ])('is judged where it becomes %j', (change, what) => {
    expect(found({ ...description, ...change })).toEqual([what]);
  });

  it.each<[Description]>([
    [{ info: { title: 'Plants' } }],
    [mint({ content: '<Warning>They **need** [water](/water).</Warning>' })],
    [{ components: { securitySchemes: { ...keys, other: { type: 'http' } } } }],
    [{ components: { securitySchemes: { key: { ...keys.key, description: 'A key' } } } }],
    [{ paths: { ...description.paths, '/soil': { post: { security: [] } } } }],
  ])('passes where it becomes %j', (change) => {
    expect(found({ ...description, ...change })).toEqual([]);
  });

  it('may be YAML, with aliases and merges', () => {
    const yaml = (url: string) =>
      `openapi: 3.1.0\nx-base: &base\n  servers:\n    - url: ${url}\n<<: *base\npaths: {}\n`;
    const parts = partsOf(yaml('https://one.dev'), yaml('https://two.dev'), 'api.yaml');
    expect(findingsOf(parts, 'api-changed').map(({ what }) => what)).toEqual([
      'sets servers to [{"url":"https://two.dev"}]',
    ]);
  });

  it.each([
    ['{"openapi": "3.1.0",', 'cannot be read as JSON or YAML'],
    ['openapi: 3.1.0\nsummary: Run it: returns a job', 'cannot be read as JSON or YAML', 2],
    ['openapi: 3.1.0\npaths:\n  /a: {}\n\tget: {}', 'cannot be read as JSON or YAML', 4],
    ['openapi: 3.1.0\npaths: : x', 'cannot be read as JSON or YAML', 2],
    ['steps: [run]', 'is no description of an API'],
    ['- a', 'is no description of an API'],
    [
      `openapi: a\na: &a [x, x]\nb: &b [${'*a,'.repeat(90)}]\nc: [${'*b,'.repeat(90)}]`,
      'cannot be',
    ],
  ])('that cannot be read is a gap: %j', (text, problem, line?: number) => {
    const parts = partsOf('openapi: 3.1.0', text, 'api.yaml');
    expect(gapsOf(changeOf(parts))).toEqual([
      {
        file: 'api.yaml',
        ...(line === undefined ? {} : { line }),
        what: expect.stringContaining(`the API description ${problem}`),
      },
    ]);
    expect(gapsOf(changeOf(partsOf('openapi: 3.1.0', 'openapi: 3.1.1', 'api.yaml')))).toEqual([]);
  });

  it('is none where allowed-paths names a file that has never been one', () => {
    const gaps = (before: string, after: string, navigated: readonly unknown[] = ['a']) => {
      const rest = { 'docs.json': docsJson(navigated) };
      const file = 'api/_metadata.json';
      const parts = {
        before: { ...rest, [file]: before },
        after: { ...rest, [file]: after },
        allowedPaths: ['**/_metadata.json'],
      };
      return gapsOf(changeOf(parts)).length;
    };
    const other = changeOf({ before: {}, after: { 'api/x.json': '{}' } });
    expect(gapsOf(other)).toMatchObject([{ what: expect.stringContaining('allowed-paths') }]);
    const old = '{"openapi": "3.1.0"}';
    expect(gaps('{"a": 1}', '{"a": 2}')).toBe(0);
    expect(gaps(old, '{"a": 2}')).toBe(1);
    expect(gaps('{"a": 1}', '{"a": 2}', [{ openapi: 'api/_metadata.json' }])).toBe(1);
  });
});
