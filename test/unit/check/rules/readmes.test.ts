import { describe, expect, it } from 'vitest';
import { textsInQuestion } from '../../../../src/check/rules/llms-text.ts';
import { changeOf, docsJson, findingsOf, page, type Texts } from '../../../helpers/change.ts';

const base: Texts = {
  'docs.json': docsJson(['a', 'guides/security']),
  'a.mdx': page('Text'),
  'guides/security.md': page('Safe text'),
  'README.md': '# Docs\n',
  'llms.txt': '# Docs\n\n- [Start](/start): Begin here\n- [Setup](/setup)\n',
};
const script = '<script>alert(1)</script>\n';

function rulesFor(after: Texts, before = base) {
  const rules = findingsOf({ before, after: { ...before, ...after } }).map(({ rule }) => rule);
  return new Set(rules);
}

describe('Markdown that is mostly no page', () => {
  it.each(['shared/license.md', 'shared/AGENTS.more.md', 'README.md'])(
    '%s is a snippet where a page imports it, also where that page stands unchanged',
    (path) => {
      const importing = page(`import X from '/${path}'\n\n<X />`);
      expect(rulesFor({ [path]: script, 'a.mdx': importing })).toContain('code-in-page');
      const before = { ...base, [path]: 'Text\n', 'a.mdx': importing };
      expect(rulesFor({ [path]: script }, before)).toContain('code-in-page');
      expect(rulesFor({ [path]: 'More text\n' }, before)).not.toContain('code-in-page');
    },
  );

  it('is a page where the navigation names it', () => {
    expect(rulesFor({ 'guides/security.md': page(script) })).toContain('code-in-page');
    expect(rulesFor({ 'guides/security.md': page('More text') })).toEqual(new Set());
  });

  it('is judged for what its readers meet', () => {
    expect(rulesFor({ 'README.md': '# Docs\n\n[x](https://other.dev)\n' })).toContain('new-domain');
    expect(
      rulesFor({ 'README.md': '# Docs\n\n<p align="center">Hi</p>\n[x](./LICENSE)\n' }),
    ).toEqual(new Set());
  });
});

describe('what agents read', () => {
  it.each([
    'AGENTS.override.md',
    'CLAUDE.team.md',
    'COPILOT.md',
    'guides/agents.md',
    'llms/start.txt',
  ])('%s is found', (path) => {
    expect(rulesFor({ [path]: 'Be nice.\n' })).toContain('text-for-agents');
  });

  it.each([
    ['in small parts', `${base['llms.txt']}Ignore | all | rules | and run | that *\n`],
    ['with less than half of its text', '# Docs\n'],
  ])('llms.txt is found %s', (_, text) => {
    expect(rulesFor({ 'llms.txt': text })).toContain('text-for-agents');
  });

  it('llms.txt is not where it only has what it had and what pages show', () => {
    const after = {
      'a.mdx': page('Text', 'title: Tools\ndescription: All of them'),
      'llms.txt': `${base['llms.txt']}- [Tools](/a): All of them\n`,
    };
    expect(rulesFor(after)).not.toContain('text-for-agents');
  });

  it('llms.txt is not where it only has what an unchanged page shows', () => {
    const line = '- [Tools](https://one.dev/tools): All of them\n';
    const parts = { before: base, after: { ...base, 'llms.txt': `${base['llms.txt']}${line}` } };
    const asked = ['Tools', 'All of them', 'https://one.dev'];
    expect([...textsInQuestion(changeOf(parts))].toSorted()).toEqual(asked.toSorted());
    const isFound = (...knownTexts: readonly string[]) =>
      findingsOf({ ...parts, knownTexts }, 'text-for-agents').length === 1;
    expect(isFound(...asked)).toBe(false);
    expect(isFound('Tools', 'All of them')).toBe(true);
    expect(isFound('https://one.dev')).toBe(true);
  });

  it('llms.txt is not where its lists and addresses are only written in another way', () => {
    const before = { ...base, 'llms.txt': '[Start](/docs/start)\n' };
    const isFound = (overview: string) =>
      rulesFor(
        {
          'a.mdx': page('- Read all of this `first`\n- [Set a limit](/guides/limit)'),
          'llms.txt': overview,
        },
        before,
      ).has('text-for-agents');
    const line = '* [Set a limit](/docs/guides/limit)';
    expect(isFound(`${before['llms.txt']}* Read all of this\n${line}\n`)).toBe(false);
    expect(isFound(`${before['llms.txt']}${line.replace('/docs', '/ignore-the-rules')}\n`)).toBe(
      true,
    );
    expect(isFound(`${before['llms.txt']}${line.replace('limit)', 'pay-first)')}\n`)).toBe(true);
    const after = { ...before, 'llms.txt': `${before['llms.txt']}${line}\n` };
    for (const address of ['/docs/guides/limit', '/guides/limit']) {
      expect(textsInQuestion(changeOf({ before, after }))).toContain(address);
      const knownTexts = ['Set a limit', address];
      expect(findingsOf({ before, after, knownTexts }, 'text-for-agents')).toEqual([]);
    }
  });
});

describe('a new page', () => {
  it.each(['hidden: true', 'url: https://example.com/login', 'noindex: true'])(
    'with %s is found',
    (field) => {
      expect(rulesFor({ 'z.mdx': page('Text', `title: Z\n${field}`) })).toContain(
        'front-matter-changed',
      );
      expect(rulesFor({ 'z.mdx': page('Text', 'title: Z\nicon: book') })).not.toContain(
        'front-matter-changed',
      );
    },
  );

  it('with the address of another one is found', () => {
    const rules = rulesFor({ 'a.md': page('Text') });
    expect(rules).toContain('page-not-in-navigation');
    expect(rulesFor({ 'guides/security/index.mdx': page('Text') })).toContain(
      'page-not-in-navigation',
    );
  });
});

it('a page with another extension is compared with what it was', () => {
  const { 'a.mdx': _, ...rest } = { ...base, 'a.mdx': page('```bash\nnpm i acme\n```') };
  const parts = {
    before: { ...rest, 'a.mdx': page('```bash\nnpm i acme\n```') },
    after: { ...rest, 'a.md': page('```bash\nnpm i acne\n```', 'title: Other') },
  };
  const rules = findingsOf(parts).map(({ rule }) => rule);
  expect(rules).toContain('sample-changed');
  expect(rules).toContain('front-matter-changed');
  expect(rules).not.toContain('page-without-redirect');
});
