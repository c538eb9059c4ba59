import { describe, expect, it } from 'vitest';
import type { Judgement } from '../../../../src/check/judgement.ts';
import { renderReport } from '../../../../src/check/report/report.ts';
import { say } from '../../../../src/check/sentence.ts';
import { docsJson, page } from '../../../helpers/change.ts';
import { context, factOf, findingOf, goneOf, judgementOf } from '../../../helpers/judgement.ts';

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
  findingOf('removed', say`A row is gone.`, ['index.mdx:9'], { before: 'one | two' }),
  findingOf('sample-changed', say`${2} lines of a ${'sh'} sample changed.`, ['index.mdx:9'], {
    before: 'run\nrun --port 80',
    after: 'run --port 8080',
  }),
];

describe('the report', () => {
  it('has one row for each event, what blocks first, and then the most-read page', () => {
    const visitors = new Map([
      ['index.mdx', 12345],
      ['guides/setup.mdx', 12],
      ['guides/deploy.mdx', 0],
      ['new.mdx', 0],
    ]);
    const judgement = judgementOf(
      findings,
      {
        visitors,
        previewLink: 'https://preview.example/pr-12',
      },
      { before, after },
    );
    expect(judgement.findings.map(({ rule }) => rule)).toEqual([
      'dead-address',
      'removed',
      'sample-changed',
      'fact-changed',
    ]);
    expect(summaryOf(judgement)).toMatchInlineSnapshot(`
      "### ⛔ Blocked

      <code>acme/docs&#35;12</code> is blocked by 1 finding (dead-address), and 3 more findings need a review: change the pull request.

      Commit <code>a695ea6c8022</code> · preview

      #### What blocks the merge

      | What | Where |
      | --- | --- |
      | <code>/guides/deploy</code> is gone and leads nowhere: add a redirect. <sub>dead-address</sub> | <code>guides/deploy.mdx</code><br>0 visitors |

      #### To review

      | What | Where | Before → after |
      | --- | --- | --- |
      | A row is gone. <sub>removed</sub> | <code>index.mdx:9</code><br>12,345 visitors | <code>one &#124; two</code><br>→ — |
      | 2 lines of a <code>sh</code> sample changed. <sub>sample-changed</sub> | <code>index.mdx:9</code><br>12,345 visitors | <code>run</code><br><code>run --port 80</code><br>→ <code>run --port 8080</code> |
      | A number in a sentence changed or went. <sub>fact-changed</sub> | <code>guides/setup.mdx:6</code><br><code>fr/guides/setup.mdx:6</code><br><code>de/guides/setup.mdx:6</code><br><code>es/guides/setup.mdx:7</code><br>12 visitors | <code>Wait 1 minute.</code><br>→ <code>Wait 60 minutes.</code> |

      #### Changed files, most read first

      - <code>index.mdx</code> · +1 −1 · 12,345 visitors in 30 days
      - <code>guides/setup.mdx</code> · +1 −1 · 12 visitors in 30 days
      - <code>guides/deploy.mdx</code> · deleted · +0 −5 · 0 visitors in 30 days
      - <code>old.mdx</code> → <code>new.mdx</code> · moved · <code>/old</code> redirects to <code>/new</code> · +0 −0 · 0 visitors in 30 days
      - <code>docs.json</code> · +10 −5
      - <code>images/menu.png</code> · before and after

      <sub>Judged in this run. The check compares both versions; whether the text is true, only a reader can tell.</sub>
      "
    `);
  });

  it('says of a routine change what that means', () => {
    const judgement = judgementOf(
      [],
      { rules: new Map([['fact-changed', 'off']]), visitors: undefined },
      { before: texts('index.mdx', 'Hi.'), after: texts('index.mdx', 'Hello.') },
    );
    expect(summaryOf(judgement)).toMatchInlineSnapshot(`
      "### ✅ Routine

      <code>acme/docs&#35;12</code> is routine with fact-changed switched off: all of it is plain, and nothing is gone that a reader could miss; whether it is true, only a reader can tell.

      Commit <code>a695ea6c8022</code>

      #### Changed files

      - <code>index.mdx</code> · +1 −1

      <sub>Judged in this run. How many people read the pages is not known; the log says why.</sub>
      "
    `);
  });

  it('links to files as they are after the change, to what is gone, and to both versions of a picture', () => {
    const judgement = judgementOf(findings.slice(0, 1), {}, { before, after });
    const links = renderReport(judgement, context).match(/(?<=href=")[^"]*(?=")/g);
    const { headSha } = judgement;
    const pull = 'https://github.example/acme/docs/pull/12';
    const file = `https://github.example/acme/docs/blob/${headSha}`;
    const gone = `${pull}/files#diff-5d98d2e3669d149702e0d19ce360cf8194a6b8239423872b50f6ab603510cc9b`;
    expect(links).toEqual([
      pull,
      gone,
      gone,
      `${file}/guides/setup.mdx`,
      `${file}/index.mdx`,
      `${file}/new.mdx`,
      `${file}/docs.json`,
      `${pull}/files#diff-52880da9fa3389a3bbeae4e118f518709df16a988988446d9693e9954800cb74`,
      context.runUrl,
    ]);
  });

  it('links to the line of a place', () => {
    const judgement = judgementOf(findings, {}, { before, after });
    expect(renderReport(judgement, context)).toContain(
      `https://github.example/acme/docs/blob/${judgement.headSha}/guides/setup.mdx?plain=1#L6"`,
    );
  });

  it('shows the names of sites so that none of them is a link', () => {
    const [before, pages] = [
      { 'docs.json': docsJson(['a']) },
      texts('a.mdx', '[x](https://www.www.evil-site.dev)'),
    ];
    const parts = { before, after: { ...before, ...pages } };
    expect(renderReport(judgementOf([], {}, parts), context)).toContain(
      'with links to <code>www&#46;evil-site.dev</code>, which',
    );
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
