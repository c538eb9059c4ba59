import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Change, DocsVersion } from '../../../../src/check/change.ts';
import { emptyPage, type Page } from '../../../../src/check/docs/page.ts';
import type { Finding } from '../../../../src/check/finding.ts';
import { renderReport } from '../../../../src/check/report/report.ts';
import { say } from '../../../../src/check/sentence.ts';
import { changeOf, context, findingOf, judgementOf, page } from '../../../helpers/change.ts';
import { heavyRuns } from '../../../helpers/heavy-runs.ts';
import { canary, hostileText } from '../../../hostile/hostile-text.ts';
import { findEffects } from '../../../hostile/oracles.ts';

/** A change of one page, with an attacker's texts wherever there is one. */
function hostileChange(texts: readonly string[]): Change {
  const text = (index: number) => texts[index % texts.length] ?? '';
  const path = `${text(0).replaceAll('\n', '')}.mdx`;
  const plain = changeOf({ before: { 'a.mdx': page('a') }, after: { 'a.mdx': page('b') } });
  const pageOf = (first: number): Page => ({
    ...emptyPage,
    frontMatter: [{ name: 'title', json: JSON.stringify(text(first)), line: 2 }],
    uses: (['component', 'text', 'code', 'variable'] as const).map((kind) => {
      return { kind, name: text(first + 1), line: 3 };
    }),
    links: [{ target: text(first + 2), kind: 'source', line: 4 }],
  });
  const place = { file: 'docs.json', line: 1 };
  const version = (first: number, { site, ...rest }: DocsVersion): DocsVersion => ({
    ...rest,
    tree: new Map([[path, { path, sha: '1', kind: 'file', bytes: 1 }]]),
    site: {
      ...site,
      navigation: [
        { kind: 'group', label: text(first + 4), trail: text(first + 4), place },
        { kind: 'page', label: text(first + 5), trail: text(first + 4), place },
      ],
      redirects: [{ source: text(1), destination: text(2), place }],
      references: [{ kind: 'link', target: text(first + 2), place }],
    },
    pages: new Map([
      [path, pageOf(first)],
      ['gone.mdx', pageOf(first)],
    ]),
  });
  const file = { before: 'a', after: 'b', additions: 1, deletions: 1 };
  return {
    ...plain,
    files: [
      { ...file, path, status: 'modified' },
      { ...file, path: `${path}.png`, status: 'modified' },
      { ...file, path: 'gone.mdx', status: 'deleted' },
      { ...file, path: `x/${path}`, previousPath: path, status: 'renamed' },
    ],
    before: version(0, plain.before),
    after: version(3, plain.after),
  };
}

/** Findings with an attacker's texts wherever there is one. */
function hostileFindings([
  text = '',
  before = '',
  after = '',
]: readonly string[]): readonly Finding[] {
  return [
    findingOf('broken-link', say`${text} leads to ${after}, and ${before} to ${text}.`),
    findingOf('broken-link', say`It ${say`is not valid MDX: ${text}`}.`),
    findingOf('broken-link', say`${3} lines changed.`, undefined, { before, after }),
  ];
}

function hostileJudgement(texts: readonly string[]) {
  const [file = ''] = texts;
  const change = hostileChange(texts);
  const places = [{ file, line: 3 }, { file: change.files[0]?.path ?? '' }, { file }] as const;
  const findings = hostileFindings(texts).map((finding) => ({ ...finding, places }));
  return { ...judgementOf(findings, { change }), pages: change.files };
}

describe('an attacker’s text in a pull request', () => {
  const texts = fc.array(hostileText, { minLength: 3, maxLength: 9 });

  it('has no effect in the reports', async () => {
    await fc.assert(
      fc.asyncProperty(texts, async (given) => {
        const report = renderReport(hostileJudgement(given), context);
        expect(report).toContain(canary);
        expect(await findEffects(report)).toEqual([]);
      }),
      heavyRuns(100),
    );
  });
});
