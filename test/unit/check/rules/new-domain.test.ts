import { expect, it } from 'vitest';
import { domainsInQuestion } from '../../../../src/check/rules/new-domain.ts';
import { changeOf, docsJson, findingsOf, page, type Texts } from '../../../helpers/change.ts';

const base: Texts = {
  'docs.json': docsJson(['a']),
  'a.mdx': page('Text of https://known.dev'),
  'README.md': '# Docs\n',
  'api/openapi.json': '{"servers":[{"url":"https://api.known.dev"}]}',
  'images/a.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
};

function found(after: Texts) {
  return findingsOf({ before: base, after: { ...base, ...after } }, 'new-domain').map(
    ({ file, what }) => `${file} ${what.split(',')[0]}`,
  );
}

it.each([
  ['a.mdx', page('```bash\ncurl https://other.dev/x\n```')],
  ['a.mdx', page('Run `curl https://other.dev/x`.')],
  ['a.mdx', page('```mermaid\nclick A "https://other.dev"\n```')],
  ['a.mdx', page('Text', 'title: A\nurl: "https:\\x2F\\x2Fother.dev/login"')],
  ['a.mdx', page('Text', 'title: A\napi: POST https://other.dev/login')],
  ['a.mdx', page('[x](http:/other.dev)')],
  ['a.mdx', page('[x](mailto:help@other.dev)')],
  ['README.md', '# Docs\n\n[Log in](https://other.dev)\n'],
  ['a.mdx', page('<svg xmlns="http://ns.draw.dev/"><a href="https://other.dev">x</a></svg>')],
  ['a.mdx', page('```json\n{ "$schema": "", "schema": "https://other.dev/x.json" }\n```')],
  ['a.mdx', page('"$schema": "[x](https://other.dev)"')],
  ['AGENTS.md', 'See <https://other.dev>.\n'],
  ['api/openapi.json', '{"servers":[{"url":"https:\\/\\/other.dev"}]}'],
  ['docs.json', docsJson(['a', 'https://other.dev'])],
  ['images/a.svg', '<svg xmlns="http://www.w3.org/2000/svg"><a href="https://other.dev"/></svg>'],
  ['z.mdx', page('Text', 'title: Z\nurl: https://other.dev')],
])('an address in %s counts: %j', (path, text) => {
  expect(found({ [path]: text })).toEqual([`${path} leads to other.dev`]);
});

it.each([
  ['a.mdx', page('```bash\ncurl https://api.known.dev/x https://example.com $URL\n```')],
  ['images/b.svg', '<svg xmlns:x="http://ns.draw.dev/"><path/></svg>'],
  ['README.md', '# Docs\n\nSee https://www.known.dev.\n'],
  ['a.mdx', page('[x](tel:123) [y](mailto:me@known.dev)')],
  ['a.mdx', page('[x](https://json-schema.org/a) [y](https://www.w3.org/TR)')],
  ['a.mdx', page('<svg xmlns="http://ns.draw.dev/" xmlns:x="http://ns.draw.dev/x" />')],
  ['a.mdx', page('```json\n{ "$schema": "https://other.dev/schema.json" }\n```')],
])('nothing new is in %s: %j', (path, text) => {
  const parts = { before: base, after: { ...base, [path]: text }, knownDomains: ['known.dev'] };
  expect(findingsOf(parts, 'new-domain')).toEqual([]);
});

it('an address that opens a program counts, unless the docs have such ones', () => {
  const body = '[x](vscode:extension/evil.x)';
  const parts = { before: base, after: { ...base, 'a.mdx': page(body) } };
  expect(found({ 'a.mdx': page(body) })).toEqual(['a.mdx opens a program by vscode:']);
  expect([...domainsInQuestion(changeOf(parts))]).toEqual(['vscode:']);
  expect(findingsOf({ ...parts, knownDomains: ['vscode:'] }, 'new-domain')).toEqual([]);
});
