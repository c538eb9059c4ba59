import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Finding } from '../../../../src/check/finding.ts';
import type { Judgement } from '../../../../src/check/judgement.ts';
import { checkingReport } from '../../../../src/check/report/messages.ts';
import { renderReport, verdictMessage } from '../../../../src/check/report/report.ts';
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
    before: 'one\r\ntwo',
    after: 'three',
  }),
];

const row = findingOf('gone', say`Gone.`, ['a.mdx']);
const dead = goneOf('/old', 'old.mdx');
const unread = findingOf('not-judged', say`x`, ['']);
const rules = new Map([
  ['gone', 'off'],
  ['not-valid', 'review'],
  ['unseen', 'off'],
] as const);

it('has no link to a run that has no page, while the check runs', () => {
  expect(checkingReport('')).toMatch(/\n\nA run checks the newest commit, and /);
});

describe('the report', () => {
  it('has one row for each event, what blocks first, then the new text, and the other files', () => {
    const judgement = judgementOf(findings, {}, { before, after });
    expect(judgement.findings.map(({ rule }) => rule)).toEqual([
      'dead-address',
      'settings-changed',
      'gone',
      'navigation-changed',
    ]);
    expect(summaryOf(judgement)).toMatchInlineSnapshot(`
      "### ⛔ Blocked

      <code>acme/docs&#35;12</code> is blocked by 1 finding (dead-address), and 3 more findings need a review: change the pull request.

      Commit <code>a695ea6c8022</code>

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

  const passed = 'acme/docs#12 passed';
  const review = 'acme/docs#12 needs a review because of';
  it.each<[string, Partial<Judgement>, after: string, findings: readonly Finding[]]>([
    [`${passed}: no line of a page is new.`, {}, 'Hi', []],
    [`${passed}: 1 line on 1 page is new, and nobody has checked it.`, {}, 'Hi\nyou', []],
    [`${passed}: 2 lines on 1 page are new, and nobody has checked them.`, {}, 'One\nline', []],
    [`${passed} with gone and unseen switched off: no line of a page is new.`, { rules }, 'Hi', []],
    [`${review} 1 finding (gone).`, { rules }, 'Hi', [row]],
    [`${review} 3 findings (gone and not-judged).`, {}, 'Hi', [row, row, unread]],
    [
      'acme/docs#12 is blocked by 2 findings (dead-address): change the pull request.',
      ...([{}, 'Hi', [dead, dead]] as const),
    ],
    [
      'acme/docs#12 is blocked by 1 finding (dead-address), and 1 more finding needs a review: change the pull request.',
      ...([{}, 'Hi', [row, dead]] as const),
    ],
  ])('says in one sentence: %s', (sentence, others, after, all) => {
    const parts = { before: { 'a.mdx': 'Hi', 'b.mdx': '' }, after: { 'a.mdx': after } };
    const judgement = judgementOf(all, others, parts);
    expect(verdictMessage(judgement)).toBe(sentence);
    const clause = sentence.slice('acme/docs#12'.length);
    expect(summaryOf(judgement)).toContain(`<code>acme/docs&#35;12</code>${clause}\n`);
  });

  it('says what was not looked for, in one place', () => {
    const footOf = (...all: readonly Finding[]) =>
      renderReport(judgementOf(all, { rules }), { ...context, runUrl: '' })
        .split('\n')
        .at(-2);
    const end =
      'says what breaks, and which facts are gone. Whether the text is true, it cannot know.</sub>';
    expect(footOf()).toBe(`<sub>The check ${end}`);
    expect(footOf(row)).toBe(`<sub>The check with gone and unseen switched off ${end}`);
  });

  it('has links to what changed in each file, to lines, and to other files', () => {
    const unchanged = findingOf('gone', say`Gone.`, ['a b/ü#.mdx']);
    const judgement = judgementOf([...findings, unchanged, unread], {}, { before, after });
    const report = renderReport(judgement, context);
    expect(report).toContain('| the pull request |');
    const links = new Set(report.match(/(?<=href=")[^"]*(?=")/g));
    const [pull, blob] = ['pull/12', `blob/${judgement.headSha}`].map(
      (path) => `https://github.example/acme/docs/${path}`,
    );
    const diffOf = (path: string) =>
      `${pull}/files#diff-${createHash('sha256').update(path).digest('hex')}`;
    expect([...links]).toEqual([
      pull,
      diffOf('guides/deploy.mdx'),
      `${blob}/guides/setup.mdx?plain=1#L6`,
      ...['fr/guides/setup.mdx?plain=1#L6', 'de/guides/setup.mdx?plain=1#L6'].map(
        (one) => `${blob}/${one}`,
      ),
      `${blob}/es/guides/setup.mdx?plain=1#L7`,
      diffOf('index.mdx'),
      `${blob}/docs.json?plain=1#L9`,
      `${blob}/a%20b/%C3%BC%23.mdx`,
      ...['guides/setup.mdx', 'new.mdx', 'docs.json', 'images/menu.png'].map(diffOf),
      context.runUrl,
    ]);
  });

  it('names the folder of the docs, and new files', () => {
    const parts = {
      settings: 'docs/docs.json',
      before: { 'docs/docs.json': navigation(['A', 'a']), 'docs/a.mdx': 'A' },
      after: { 'docs/docs.json': navigation(['A', 'a']), 'docs/a.mdx': 'A', 'docs/b.mdx': 'B' },
    };
    const summary = summaryOf(judgementOf([], {}, parts));
    expect(summary).toContain('Commit <code>a695ea6c8022</code> · docs in <code>docs</code>\n');
    expect(summary).toContain('\n- <code>docs/b.mdx</code> · new · +1 −0\n');
    expect(summary).not.toContain('Other files');
  });

  it('has six places and six lines, and says how many more there are', () => {
    const lines = (count: number) => Array.from({ length: count }, (_, index) => `l${index}`);
    const cellsOf = (count: number) => {
      const all = lines(count).join('\n');
      const one = findingOf('gone', say`Gone.`, ['0', ...lines(count - 1)], {
        before: all,
        after: '',
      });
      const [, where, versions] =
        summaryOf(judgementOf([one]))
          .split('\n')
          .find((line) => line.includes('Gone.'))
          ?.split(' | ') ?? [];
      return [where, versions];
    };
    const code = (texts: readonly string[]) =>
      texts.map((one) => `<code>${one}</code>`).join('<br>');
    const [six, shown] = [code(['0', ...lines(5)]), code(lines(6))];
    expect(cellsOf(6)).toEqual([six, `${shown}<br>→ — |`]);
    expect(cellsOf(7)).toEqual([`${six}<br>and 1 more`, `${shown}<br>and 1 more line<br>→ — |`]);
    expect(cellsOf(8)).toEqual([`${six}<br>and 2 more`, `${shown}<br>and 2 more lines<br>→ — |`]);
  });

  it('has the first hundred of a kind, and says how many more there are', () => {
    const rowsOf = (count: number) => {
      const summary = summaryOf(judgementOf(Array<Finding>(count).fill(row)));
      return [summary.match(/<sub>gone<\/sub>/g)?.length, /… and .*/.exec(summary)?.[0]];
    };
    expect([rowsOf(100), rowsOf(101), rowsOf(1100)]).toEqual([
      ...[
        [100, undefined],
        [100, '… and 1 more'],
        [100, '… and 1,000 more'],
      ],
    ]);
  });

  it('fits into a comment, and says what it leaves out', () => {
    const many = Array.from({ length: 200 }, (_, index) => ({
      ...findingOf('gone', say`${'x'.repeat(200)}`, [`${'x'.repeat(80)}/${index + 100}.mdx:3`]),
      severity: index < 100 ? ('block' as const) : ('review' as const),
    }));
    const report = renderReport(judgementOf(many), context);
    expect(report).toMatch(/… and \d\d more$/m);
    // Of 65,536, less a marker. One more row takes 500.
    expect(report.length).toBe(63_974);
  });

  it('leaves out a row that is too wide, and nothing else', () => {
    const places = ['a', 'b', 'c', 'd', 'e', 'f'] as const;
    const [first, ...others] = places.map((name) => `${'雪'.repeat(1300)}/${name}.mdx`);
    const wide = (severity: 'block' | 'review'): Finding => ({
      ...findingOf('gone', say`Gone.`, [first ?? '', ...others]),
      severity,
    });
    const report = summaryOf(judgementOf([wide('block'), wide('review'), row]));
    expect(report).toContain('#### What blocks the merge\n\n\n… and 1 more\n\n');
    expect(report).toContain('| Gone. <sub>gone</sub> | <code>a.mdx</code> |\n\n… and 1 more\n\n');
  });
});
