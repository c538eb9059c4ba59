import { describe, expect, it } from 'vitest';
import { type FileKind, isAllowed, kindOf } from '../../../../src/check/docs/kinds.ts';

const site = {
  root: 'docs',
  files: new Map(['docs/docs.json', 'docs/nav/fr.json'].map((file) => [file, '{}'])),
  pages: new Set<string>(),
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
    ['docs/images/a.PNG', 'picture'],
    ['docs/logo/dark.svg', 'other'],
    ['docs/fonts/a.woff2', 'other'],
    ['docs/files/a.pdf', 'other'],
    ['docs/docs.json', 'navigation'],
    ['docs/nav/fr.json', 'navigation'],
    ['docs/v2/docs.json', 'other'],
    ['docs/gt-lock.json', 'tool-data'],
    ['docs/docker-compose.api.yml', 'other'],
    ['docs/api/openapi.yaml', 'data'],
    ['docs/nav/de.json', 'data'],
    ['docs/data.csv', 'other'],
    ['docs/LICENSE', 'other'],
    ['docs/AGENTS.md', 'other'],
    ['docs/CLAUDE.md', 'other'],
    ['docs/WARP.md', 'other'],
    ['docs/llms-full.txt', 'other'],
    ['docs/api/docs.json', 'other'],
    ['docs/skill.md', 'other'],
    ['docs/.mintlify/skills/x/SKILL.md', 'other'],
    ['docs/.mintlify/skills/x/run.sh', 'other'],
    ['docs/.agents/skills/x.md', 'other'],
    ['docs/custom.css', 'other'],
    ['docs/snippets/chart.jsx', 'other'],
    ['docs/page.html', 'other'],
    ['docs/tool.py', 'other'],
    ['docs/.vale.ini', 'other'],
    ['docs/.claude/settings.json', 'other'],
    ['docs/package.json', 'other'],
    ['docs/Makefile', 'other'],
    ['.github/workflows/ci.yml', 'other'],
    ['src/main.ts', 'other'],
    ['README.md', 'other'],
    ['docs2/index.mdx', 'other'],
    ['openapi.yaml', 'other'],
  ])('of %s is %s', (path, kind) => {
    expect(kindOf(path, site)).toBe(kind);
  });

  it('is readme where .mintignore names a page', () => {
    const some = { ...site, ignored: '# Ours\ninternal/\n*.draft.mdx\n!internal/a.md\n' };
    expect(kindOf('docs/internal/b.md', some)).toBe('readme');
    expect(kindOf('docs/x/a.draft.mdx', some)).toBe('readme');
    expect(kindOf('docs/index.mdx', some)).toBe('page');
    expect(kindOf('docs/internal/a.js', some)).toBe('other');
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
  const isFine = (path: string, ...globs: string[]) => isAllowed(path, globs);

  it('includes JSON for any glob if it describes an API', () => {
    expect(isAllowed('platform/plants.json', ['platform/**'])).toBe(false);
  });

  it.each([
    ['docs/data.csv', 'docs/*.csv'],
    ['README.md', '*.md'],
    ['examples/a.mdx', 'examples/**'],
    ['docs/custom.css', 'docs/custom.css'],
    ['docs/custom.css', 'docs/*.css'],
    ['platform/index.mdx', 'platform/**'],
    ['platform/docs.json', 'platform/**'],
    ['docs/package.json', 'docs/package.json'],
    ['docs/Makefile', 'docs/Makefile'],
    ['docs/.vale.ini', 'docs/.vale.ini'],
    ['docs/.vale/a.yml', 'docs/.vale/*.yml'],
  ])('includes %s only with a glob such as %s', (path, glob) => {
    expect(isFine(path)).toBe(false);
    expect(isFine(path, glob)).toBe(true);
  });

  it.each([
    ['docs/custom.css', '**'],
    ['docs/custom.css', '**/*.{css,js}'],
    ['docs/data.csv', 'docs/**'],
    ['docs/logo.svg', 'docs/**'],
    ['docs/AGENTS.md', 'docs/**'],
    ['docs/.vale/a.yml', 'docs/.vale/**'],
    ['docs/custom.css', 'docs/custom.*'],
    ['docs/package.json', 'docs/*.json'],
    ['docs/Makefile', 'docs/*'],
    ['docs/.vale.ini', 'docs/**'],
    ['docs/.claude/settings.json', 'docs/**/*.json'],
    ['docs/custom.css', '!docs/other.css'],
    ['README.md', '!docs/other.css'],
    ['.github/workflows/ci.yml', '.github/**'],
    ['.github/workflows/ci.yml', '.github/workflows/ci.yml'],
    ['.GitHub/workflows/ci.yml', '.GitHub/workflows/ci.yml'],
  ])('never includes %s for the glob %s', (path, glob) => {
    expect(isFine(path, glob)).toBe(false);
  });
});
