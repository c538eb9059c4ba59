import { describe, expect, it } from 'vitest';
import type { Judgement } from '../../../../src/check/judgement.ts';
import { renderReport } from '../../../../src/check/report/report.ts';
import { say } from '../../../../src/check/sentence.ts';
import {
  context,
  docsJson,
  factOf,
  findingOf,
  goneOf,
  judgementOf,
  page,
} from '../../../helpers/change.ts';

/** Links of files are long, and all of them are alike. */
const withoutLinks = (markdown: string) => markdown.replaceAll(/<a href="[^"]*">|<\/a>/g, '');

const summaryOf = (judgement: Judgement) => withoutLinks(renderReport(judgement, context));

const navigation = (...groups: readonly (readonly [name: string, ...pages: string[]])[]) =>
  docsJson(groups.map(([group, ...pages]) => ({ group, pages })));

const texts = (path: string, text: string) => ({ [path]: page(text) });

const before = {
  'docs.json': navigation(['Start', 'index', 'guides/setup'], ['More', 'guides/deploy', 'old']),
  ...texts('index.mdx', 'Welcome.'),
  ...texts('guides/setup.mdx', 'Set it up. Then wait for a minute.'),
  ...texts('guides/deploy.mdx', 'Deploy it.'),
  'images/menu.png': 'old',
  ...texts('old.mdx', 'A page that moves, with some text in it so that it is known again.'),
};

const after = {
  'docs.json': docsJson(
    [
      { group: 'Start', pages: ['index'] },
      { group: 'More', pages: ['guides/setup', 'new'] },
    ],
    { redirects: [{ source: '/old', destination: '/new' }] },
  ),
  ...texts('index.mdx', 'Welcome back.'),
  ...texts('guides/setup.mdx', 'Set it up. Then wait for an hour.'),
  'images/menu.png': 'new',
  ...texts('new.mdx', 'A page that moves, with some text in it so that it is known again.'),
};

const findings = [
  goneOf('/guides/deploy', 'guides/deploy.mdx'),
  factOf(
    'Wait 1 minute.',
    'Wait 60 minutes.',
    'guides/setup.mdx:6',
    'fr/guides/setup.mdx:6',
    'de/guides/setup.mdx:6',
    'es/guides/setup.mdx:7',
  ),
  findingOf('gone', say`Gone from ${'/index'}: ${'a row'}.`, ['index.mdx']),
  findingOf('navigation-changed', say`${2} entries moved.`, ['docs.json:9'], {
    before: 'one\ntwo',
    after: 'three',
  }),
];

describe('the report', () => {
  it('has one row for each event, what blocks first, then the new text, and the other files', () => {
    const previewLink = 'https://preview.example/pr-12';
    const judgement = judgementOf(findings, { previewLink }, { before, after });
    expect(judgement.findings.map(({ rule }) => rule)).toEqual([
      'dead-address',
      'settings-changed',
      'gone',
      'navigation-changed',
    ]);
    expect(summaryOf(judgement)).toMatchInlineSnapshot(`
      "### ⛔ Blocked

      <code>acme/docs&#35;12</code> is blocked by 1 finding (dead-address), and 3 more findings need a review: change the pull request.

      Commit <code>a695ea6c8022</code> · preview

      #### What blocks the merge

      | What | Where |
      | --- | --- |
      | <code>/guides/deploy</code> is gone and leads nowhere: add a redirect. <sub>dead-address</sub> | <code>guides/deploy.mdx</code> |

      #### To review

      | What | Where | Before → after |
      | --- | --- | --- |
      | A setting changed. <sub>settings-changed</sub> | <code>guides/setup.mdx:6</code><br><code>fr/guides/setup.mdx:6</code><br><code>de/guides/setup.mdx:6</code><br><code>es/guides/setup.mdx:7</code> | <code>Wait 1 minute.</code><br>→ <code>Wait 60 minutes.</code> |
      | Gone from <code>/index</code>: <code>a row</code>. <sub>gone</sub> | <code>index.mdx</code> |  |
      | 2 entries moved. <sub>navigation-changed</sub> | <code>docs.json:9</code> | <code>one</code><br><code>two</code><br>→ <code>three</code> |

      #### New text

      In all, 2 lines on 2 pages are new, and nobody has checked them.

      - <code>guides/deploy.mdx</code> · deleted · +0 −5
      - <code>guides/setup.mdx</code> · +1 −1
      - <code>index.mdx</code> · +1 −1
      - <code>old.mdx</code> → <code>new.mdx</code> · moved · +0 −0

      #### Other files

      - <code>docs.json</code> · +10 −5
      - <code>images/menu.png</code>

      <sub>The check says what breaks, and which facts are gone. Whether the text is true, it cannot know. Judged in this run.</sub>
      "
    `);
  });

  it('says of a change that passed how much is new', () => {
    const judgement = judgementOf(
      [],
      { rules: new Map([['gone', 'off']]) },
      { before: texts('index.mdx', 'Hi.'), after: texts('index.mdx', 'Hello.') },
    );
    expect(summaryOf(judgement)).toMatchInlineSnapshot(`
      "### ✅ Passed

      <code>acme/docs&#35;12</code> passed with gone switched off: 1 line on 1 page is new, and nobody has checked it.

      Commit <code>a695ea6c8022</code>

      #### New text

      - <code>index.mdx</code> · +1 −1

      <sub>The check says what breaks, and which facts are gone. Whether the text is true, it cannot know. Judged in this run.</sub>
      "
    `);
  });

  it('links to what changed in each file', () => {
    const judgement = judgementOf(findings.slice(0, 1), {}, { before, after });
    const links = renderReport(judgement, context).match(/(?<=href=")[^"]*(?=")/g);
    const pull = 'https://github.example/acme/docs/pull/12';
    const gone = `${pull}/files#diff-5d98d2e3669d149702e0d19ce360cf8194a6b8239423872b50f6ab603510cc9b`;
    expect(links?.slice(0, 3)).toEqual([pull, gone, gone]);
    expect(links?.slice(3, -1)).toEqual(
      Array(5).fill(expect.stringMatching(/^https:.*\/pull\/12\/files#diff-[\da-f]{64}$/)),
    );
    expect(links?.at(-1)).toBe(context.runUrl);
  });

  it('links to the line of a place', () => {
    const judgement = judgementOf(findings, {}, { before, after });
    expect(renderReport(judgement, context)).toContain(
      `https://github.example/acme/docs/blob/${judgement.headSha}/guides/setup.mdx?plain=1#L6"`,
    );
  });

  it('has the first hundred of a kind, and says how many more there are', () => {
    const many = Array.from({ length: 101 }, (_, index) =>
      findingOf('gone', say`Gone.`, [`${index}.mdx`]),
    );
    const summary = summaryOf(judgementOf(many));
    expect(summary.match(/<sub>gone<\/sub>/g)).toHaveLength(100);
    expect(summary).toContain('\n… and 1 more\n');
  });

  it('fits into a comment, and says what it leaves out', () => {
    const many = Array.from({ length: 300 }, (_, index) =>
      factOf('<'.repeat(300), '>'.repeat(300), `${'x'.repeat(150)}/${index}.mdx:3`),
    );
    const report = renderReport(judgementOf(many), context);
    expect(report.length).toBeLessThanOrEqual(65_000);
    expect(report.length).toBeGreaterThan(55_000);
    expect(report).toMatch(/… and 2\d\d more$/m);
  });
});
