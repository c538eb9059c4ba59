import { describe, expect, it } from 'vitest';
import {
  type FileKind,
  isAllowed,
  isMdx,
  isParsed,
  kindOf,
  touchesDocs,
} from '../../../../src/check/docs/kinds.ts';
import { changeOf } from '../../../helpers/change.ts';
import { read } from './sites.ts';

const siteAt = read({});

const site = {
  root: 'docs',
  files: new Map(
    'docs.json nav/fr.json package.json .nav.json'.split(' ').map((file) => [`docs/${file}`, '{}']),
  ),
  pages: new Set(['changelog', 'snippets/named', 'AGENTS']),
  ignored: '# Ours\ninternal/\n*.draft.mdx\n!internal/a.md\nold/b.mdx\n',
};

/** Files below `docs`, except those that begin with a slash. */
const files: Readonly<Record<FileKind, string>> = {
  page: 'index.mdx guides/setup.md README.mdx agents.md a.MDX changelog.md drafts/a.mdx guides/old/b.mdx mysnippets/a.mdx fr/snippets/a.md SECURITY.md code_of_conduct.md',
  snippet: 'snippets/intro.mdx _snippets/intro.mdx Snippets/a.md snippets/named.mdx parts/in.mdx',
  picture:
    'in.png internal/a.png a.PNG a.png a.jpg a.jpeg a.gif a.webp a.avif a.ico a.mp4 a.webm a.mov',
  navigation: 'docs.json nav/fr.json',
  data: 'api/openapi.yaml a.yml nav/de.json packages.json internal/a.yaml',
  companion: [
    'README.md readme.md CHANGELOG.md LICENSE.md contributing.md CONTRIBUTE.md internal/b.md x/a.draft.mdx old/b.mdx',
    'gt-lock.json i18n.lock lingo.lock.yml i18n-lock accept.txt reject.dic vocab.txt words.txt wordlist.txt',
    'dictionary.dic spelling.txt ignore-words.txt .vale/accept.txt llms.txt x/llms-full.txt',
  ].join(' '),
  other: [
    'logo/dark.svg a.woff2 a.pdf a.csv LICENSE Makefile a.css snippets/chart.jsx a.html a.py',
    'AGENTS.md AGENT.md CLAUDE.local.md GEMINI.md COPILOT.md QWEN.md CODEX.md WARP.md skill.md SKILL.md',
    'v2/docs.json mint.json package.json package-lock.json npm-shrinkwrap.json pnpm-lock.yaml tsconfig.json',
    'jsconfig.json deno.json vercel.json docker-compose.yml compose.yaml .a.json .claude/settings.json',
    '.nav.json .vale.ini .mintlify/skills/x/run.sh .agents/skills/x.md internal/a.js',
    '/README.md /src/main.ts /docs2/index.mdx /openapi.yaml /.github/accept.txt',
  ].join(' '),
};

describe('the kind of a file', () => {
  it.each(Object.entries(files))('is %s', (kind, paths) => {
    const imported = new Set(['docs/parts/in.mdx', 'docs/AGENTS.md', 'docs/in.png']);
    const wrong = paths
      .split(' ')
      .map((path) => (path.startsWith('/') ? path.slice(1) : `docs/${path}`))
      .filter((path) => kindOf(path, site, imported) !== kind);
    expect(wrong).toEqual([]);
  });

  it('goes by the whole repository where the docs are at its top', () => {
    const top = { ...site, root: '', files: new Map([['docs.json', '{}']]) };
    const paths = ['guides/a.mdx', 'snippets/a.mdx', 'docs.json', '.github/accept.txt'];
    expect(paths.map((path) => kindOf(path, top))).toEqual([
      'page',
      'snippet',
      'navigation',
      'other',
    ]);
  });

  it('says what is parsed as MDX: not a README, which is for GitHub', () => {
    const paths = [
      'docs/a.md',
      'docs/snippets/a.md',
      'docs/README.md',
      'other/a.mdx',
      'other/a.md',
    ];
    expect(paths.filter((path) => isMdx(path, site))).toEqual([
      'docs/a.md',
      'docs/snippets/a.md',
      'other/a.mdx',
    ]);
  });
});

it('only Markdown and data are parsed', () => {
  const paths = 'a.mdx AGENTS.md a.png x/gt-lock.json x/openapi.json a.svg package.json a.ts';
  expect(paths.split(' ').filter(isParsed)).toEqual(['a.mdx', 'AGENTS.md', 'x/openapi.json']);
});

it('a file lies in the docs before or after its move', () => {
  const file = (path: string, previousPath?: string) => {
    const move = { path, ...(previousPath !== undefined && { previousPath }) };
    return {
      ...move,
      status: 'renamed',
      before: '',
      after: '',
      additions: 0,
      deletions: 0,
    } as const;
  };
  const version = (root: string) => ({
    ...changeOf({ before: {}, after: {} }).before,
    site: { ...siteAt, root },
  });
  const isTouched = (one: ReturnType<typeof file>) =>
    touchesDocs({ files: [one], before: version('old'), after: version('new') });
  expect(
    [file('new/a'), file('old/a'), file('x', 'old/a'), file('x', 'new/a'), file('newer/a')].map(
      isTouched,
    ),
  ).toEqual([...[true, true, true, false, false]]);
});

describe('what input allowed-paths allows', () => {
  it.each([
    ['docs/data.csv', 'docs/*.csv'],
    ['README.md', '*.md'],
    ['examples/a.mdx', 'examples/**'],
    ['docs/custom.css', 'docs/custom.css'],
    ['platform/docs.json', 'platform/**'],
    ['docs/package.json', 'docs/package.json'],
    ['docs/Makefile', 'docs/Makefile'],
    ['docs/.vale.ini', 'docs/.vale.ini'],
    ['docs/.vale/a.yml', 'docs/.vale/*.yml'],
  ])('includes %s only with a glob such as %s', (path, glob) => {
    expect(isAllowed(path, [])).toBe(false);
    expect(isAllowed(path, ['no/*.ts', glob])).toBe(true);
  });

  it.each([
    ['docs/custom.css', '**'],
    ['docs/custom.css', '**/*.{css,js}'],
    ['docs/custom.css', 'docs/custom.*'],
    ['docs/custom.css', '!docs/other.css'],
    ['platform/plants.json', 'platform/**'],
    ['docs/AGENTS.md', 'docs/**'],
    ['docs/.vale/a.yml', 'docs/.vale/**'],
    ['docs/package.json', 'docs/*.json'],
    ['docs/Makefile', 'docs/*'],
    ['docs/.claude/settings.json', 'docs/**/*.json'],
    ['.github/workflows/ci.yml', '.github/workflows/ci.yml'],
    ['.GitHub/workflows/ci.yml', '.GitHub/workflows/ci.yml'],
  ])('never includes %s for the glob %s', (path, glob) => {
    expect(isAllowed(path, [glob])).toBe(false);
  });
});
