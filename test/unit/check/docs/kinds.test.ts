import { describe, expect, it } from 'vitest';
import { type FileKind, isAllowed, kindOf } from '../../../../src/check/docs/kinds.ts';

const site = {
  root: 'docs',
  files: new Map(['docs/docs.json', 'docs/nav/fr.json'].map((file) => [file, '{}'])),
  apiFiles: ['docs/plants.json'],
  pages: [],
  ignored: '',
};

describe('the kind of a file', () => {
  it.each<[string, FileKind]>([
    ['docs/index.mdx', 'page'],
    ['docs/guides/setup.md', 'page'],
    ['docs/README.mdx', 'page'],
    ['docs/agents.md', 'page'],
    ['docs/llms.mdx', 'page'],
    ['docs/README.md', 'readme'],
    ['docs/guides/contributing.md', 'readme'],
    ['docs/snippets/intro.mdx', 'snippet'],
    ['docs/_snippets/intro.mdx', 'snippet'],
    ['docs/fr/snippets/intro.mdx', 'snippet'],
    ['docs/images/a.PNG', 'media'],
    ['docs/logo/dark.svg', 'media'],
    ['docs/fonts/a.woff2', 'media'],
    ['docs/files/a.pdf', 'media'],
    ['docs/docs.json', 'navigation'],
    ['docs/nav/fr.json', 'navigation'],
    ['docs/v2/docs.json', 'navigation'],
    ['docs/plants.json', 'api-description'],
    ['docs/api/openapi.yaml', 'api-description'],
    ['docs/specs/v1.yml', 'api-description'],
    ['docs/nav/de.json', 'other'],
    ['docs/data.csv', 'other'],
    ['docs/LICENSE', 'other'],
    ['docs/AGENTS.md', 'for-agents'],
    ['docs/CLAUDE.md', 'for-agents'],
    ['docs/llms-full.txt', 'for-agents'],
    ['docs/skill.md', 'for-agents'],
    ['docs/.mintlify/skills/x/SKILL.md', 'runs'],
    ['docs/.mintlify/skills/x/run.sh', 'runs'],
    ['docs/.agents/skills/x.md', 'runs'],
    ['docs/custom.css', 'runs'],
    ['docs/snippets/chart.jsx', 'runs'],
    ['docs/page.html', 'runs'],
    ['docs/tool.py', 'runs'],
    ['docs/.vale.ini', 'runs'],
    ['docs/.claude/settings.json', 'runs'],
    ['docs/package.json', 'runs'],
    ['docs/Makefile', 'runs'],
    ['.github/workflows/ci.yml', 'runs'],
    ['src/main.ts', 'runs'],
    ['README.md', 'outside'],
    ['docs2/index.mdx', 'outside'],
    ['openapi.yaml', 'outside'],
  ])('of %s is %s', (path, kind) => {
    expect(kindOf(path, site)).toBe(kind);
  });

  it('is readme where .mintignore names a page', () => {
    const some = { ...site, ignored: '# Ours\ninternal/\n*.draft.mdx\n!internal/a.md\n' };
    expect(kindOf('docs/internal/b.md', some)).toBe('readme');
    expect(kindOf('docs/x/a.draft.mdx', some)).toBe('readme');
    expect(kindOf('docs/index.mdx', some)).toBe('page');
    expect(kindOf('docs/internal/a.js', some)).toBe('runs');
  });

  it('is snippet where a page imports it', () => {
    expect(kindOf('docs/parts/a.mdx', site, new Set(['docs/parts/a.mdx']))).toBe('snippet');
  });

  it('goes by the whole repository where the docs are at its top', () => {
    const top = { ...site, root: '', files: new Map([['docs.json', '{}']]) };
    expect(kindOf('guides/a.mdx', top)).toBe('page');
    expect(kindOf('snippets/a.mdx', top)).toBe('snippet');
    expect(kindOf('docs.json', top)).toBe('navigation');
  });
});

describe('what input allowed-paths allows', () => {
  const isFine = (path: string, ...globs: string[]) => isAllowed(path, kindOf(path, site), globs);

  it.each([
    ['docs/data.csv', 'docs/*.csv'],
    ['docs/data.csv', 'docs/**'],
    ['README.md', '*.md'],
    ['examples/a.mdx', 'examples/**'],
    ['docs/custom.css', 'docs/custom.css'],
    ['docs/custom.css', 'docs/*.css'],
    ['docs/custom.css', '**/*.{css,js}'],
    ['docs/package.json', 'docs/package.json'],
    ['docs/Makefile', 'docs/Makefile'],
    ['docs/.vale.ini', 'docs/.vale.ini'],
    ['docs/.vale/a.yml', 'docs/.vale/**'],
  ])('includes %s only with a glob such as %s', (path, glob) => {
    expect(isFine(path)).toBe(false);
    expect(isFine(path, glob)).toBe(true);
  });

  it.each([
    ['docs/custom.css', '**'],
    ['docs/custom.css', 'docs/custom.*'],
    ['docs/package.json', 'docs/*.json'],
    ['docs/Makefile', 'docs/*'],
    ['docs/.vale.ini', 'docs/**'],
    ['docs/.claude/settings.json', 'docs/**/*.json'],
    ['docs/custom.css', '!docs/other.css'],
    ['README.md', '!docs/other.css'],
    ['.github/workflows/ci.yml', '.github/**'],
    ['.github/workflows/ci.yml', '.github/workflows/ci.yml'],
  ])('never includes %s for the glob %s', (path, glob) => {
    expect(isFine(path, glob)).toBe(false);
  });
});
