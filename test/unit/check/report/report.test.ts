import { describe, expect, it } from 'vitest';
import { renderReport } from '../../../../src/check/report/report.ts';
import { page } from '../../../helpers/change.ts';
import { context, judgementOf } from '../../../helpers/judgement.ts';

const setup = page(`## Install

Run the installer on your machine, and wait until it says that it is done.

![The menu of the tool](/images/menu.png)

## Install on Linux

Use the package of your distribution. It is built by volunteers, and it is often a few days late.

See [the proxy](/guides/proxy).`);

const before = {
  'docs.json': JSON.stringify({
    name: 'Acme',
    navigation: {
      groups: [
        { group: 'Start', pages: ['index', 'guides/setup'] },
        { group: 'More', pages: ['guides/proxy', 'guides/old'] },
        { group: 'Français', pages: ['fr/guides/setup'] },
      ],
    },
  }),
  'index.mdx': page('Welcome. Read [how to install on Linux](/guides/setup#install-on-linux).'),
  'guides/setup.mdx': setup,
  'fr/guides/setup.mdx': setup,
  'guides/proxy.mdx': page('The proxy.'),
  'guides/old.mdx': page('Old things.', 'title: Old things'),
};

const shorter = page(`## Install

Run it.

## Linux

Use the package of your distribution. It is built by volunteers, and it is often a few days late.

See [the proxy](/guides/prxy), or [a video](https://videos.example/1).`);

const { 'guides/old.mdx': _old, ...kept } = before;

const after = {
  ...kept,
  'docs.json': JSON.stringify({
    name: 'Acme',
    navigation: {
      groups: [
        { group: 'Start', pages: ['guides/setup', 'index'] },
        { group: 'Advanced', pages: ['guides/proxy'] },
        { group: 'Français', pages: ['fr/guides/setup'] },
      ],
    },
  }),
  'guides/setup.mdx': shorter,
  'fr/guides/setup.mdx': shorter,
};

describe('the report', () => {
  it('says what blocks, what vanished, and what to look at', () => {
    const judgement = judgementOf(
      { before, after },
      {
        readers: {
          kind: 'known',
          visitors: new Map([
            ['guides/old.mdx', 12345],
            ['guides/setup.mdx', 12],
          ]),
          isWhole: true,
        },
        previewLink: 'https://preview.example/pr-12',
        pendingChecks: ['Deployment'],
        gaps: [{ file: 'guides/proxy.mdx', line: 3, what: 'the page is not valid MDX' }],
      },
    );
    expect(renderReport(judgement, context).summary).toMatchInlineSnapshot(`
      "### ⛔ Blocked

      <a href="https://github.example/acme/docs/pull/12"><code>acme/docs&#35;12</code></a>: do not merge it as it is: 3 findings, 3 points to look at and 1 part not judged (4 files, 3 pages). · <a href="https://preview.example/pr-12"><code>preview</code></a>

      #### What blocks

      | Rule | Where | What |
      | --- | --- | --- |
      | <code>broken-link</code> | <a href="https://github.example/acme/docs/blob/a695ea6c802213425643307d8df5e18909a6730b/guides/setup.mdx?plain=1#L14"><code>guides/setup.mdx:14</code></a> and its translation | <code>links to /guides/prxy, which does not exist</code> |
      | <code>page-without-redirect</code> | <code>guides/old.mdx</code> | <code>is gone, and /guides/old leads nowhere: add a redirect from /guides/old to the page that replaces it</code> |

      #### What vanished

      |  | Before | After |
      | --- | --- | --- |
      | Page <code>guides/old.mdx</code> | <code>Old things</code> | — |
      | Heading in <a href="https://github.example/acme/docs/blob/a695ea6c802213425643307d8df5e18909a6730b/guides/setup.mdx"><code>guides/setup.mdx</code></a> and its translation | <code>Install on Linux</code> | <code>Linux</code> |
      | Image in <a href="https://github.example/acme/docs/blob/a695ea6c802213425643307d8df5e18909a6730b/guides/setup.mdx"><code>guides/setup.mdx</code></a> and its translation | <code>/images/menu.png</code> | — |
      | Text in <a href="https://github.example/acme/docs/blob/a695ea6c802213425643307d8df5e18909a6730b/guides/setup.mdx"><code>guides/setup.mdx</code></a> and its translation | <code>Run the installer on your machine, and wait until it says that it is done.</code> | <code>Run it.</code> |

      #### Navigation

      \`\`\`diff
        Start/
      !   guides/setup (moved)
      + Advanced/
      +   guides/proxy (moved)
      - More/
      -   guides/proxy (moved)
      -   guides/old
      \`\`\`

      #### Pages, most read first

      | Page | Status | Lines | Visitors in 30 days |
      | --- | --- | --- | --- |
      | <code>guides/old.mdx</code> | deleted | +0 −5 | 12,345 |
      | <a href="https://github.example/acme/docs/blob/a695ea6c802213425643307d8df5e18909a6730b/guides/setup.mdx"><code>guides/setup.mdx</code></a> and its translation | modified | +3 −5 | 12 |

      #### To review

      | Rule | Where | What |
      | --- | --- | --- |
      | <code>navigation-changed</code> | <a href="https://github.example/acme/docs/blob/a695ea6c802213425643307d8df5e18909a6730b/docs.json"><code>docs.json</code></a> | <code>its navigation adds the group Advanced, removes the group More and moves 2 entries</code> |
      | <code>text-lost</code> | <code>guides/old.mdx</code> | <code>was deleted with 100% of its text: 0 of 11 characters are on other pages that changed</code> |
      | <code>broken-anchor</code> | <a href="https://github.example/acme/docs/blob/a695ea6c802213425643307d8df5e18909a6730b/index.mdx?plain=1#L6"><code>index.mdx:6</code></a> | <code>links to /guides/setup&#35;install-on-linux, but that page has no such heading</code> |

      #### Not judged

      - <a href="https://github.example/acme/docs/blob/a695ea6c802213425643307d8df5e18909a6730b/guides/proxy.mdx?plain=1#L3"><code>guides/proxy.mdx:3</code></a>: <code>the page is not valid MDX</code>

      <sub>The form of commit <code>a695ea6c8022</code> was judged, in <a href="https://github.example/acme/docs/actions/runs/1001"><code>this run</code></a>. Whether the text is right, only a reader can tell. Not finished when this was judged: <code>Deployment</code>.</sub>
      "
    `);
  });

  it('is one sentence for a routine change', () => {
    const judgement = judgementOf({
      before: { 'index.mdx': page('Welcome to the tool.') },
      after: { 'index.mdx': page('Welcome to our tool.') },
    });
    const [heading, sentence] = renderReport(judgement, context).summary.split('\n\n');
    expect(heading).toBe('### ✅ Routine');
    expect(sentence).toMatch(/nothing unusual in its form \(1 file, 1 page\)\.$/);
  });

  it('says what the verdict does not rest on', () => {
    const judgement = judgementOf(
      { before: {}, after: { 'index.mdx': page('Welcome.') } },
      {
        pagesWithoutHistory: 2,
        readers: { kind: 'unknown', problem: 'the API is down' },
      },
    );
    expect(renderReport(judgement, context).summary).toMatch(
      /The history of 2 pages was not compared\. How many people read the pages is not known; the log says why\.<\/sub>/,
    );
  });

  it('has no point to look at if there is none', () => {
    const gaps = [{ file: '', what: 'the check runs could not be read' }];
    const before = { 'index.mdx': page('Welcome to the tool.') };
    const judgement = judgementOf({ before, after: { 'index.mdx': page('Hi.') } }, { gaps });
    expect(renderReport(judgement, context).summary).toContain(': 1 part not judged (1 file, ');
  });

  it('names the first findings of a rule in a file, and counts the others', () => {
    const first = {
      rule: 'sample-changed',
      severity: 'review',
      file: 'index.mdx',
      what: 'x',
    } as const;
    const alike = Array.from({ length: 20 }, (_, index) => ({ ...first, line: index + 1 }));
    const other = { ...first, file: 'other.mdx', line: 7 };
    const findings = [...alike, other];
    const { summary } = renderReport(judgementOf({ before: {}, after: {} }, { findings }), context);
    expect(summary.match(/<code>sample-changed/g)).toHaveLength(4);
    expect(summary).toContain('21 points to look at');
    expect(summary).toMatch(/index\.mdx:3<\/code>, and 17 more in this file \|/);
  });

  it('leads to the check that fails', () => {
    const link = 'https://vendor.example/deployments/1?x=%22a%22';
    const judgement = judgementOf({
      before: {},
      after: {},
      checks: { before: [], after: [{ name: 'Deployment', isFailure: true, link }] },
    });
    expect(renderReport(judgement, context).summary).toMatch(
      /<a href="https:\/\/vendor\.example\/deployments\/1\?x=%22a%22"><code>the check "Deployment" fails/,
    );
  });

  it('fits into a comment, and says what it leaves out', () => {
    const pages = Array.from({ length: 300 }, (_, index) => `${'x'.repeat(150)}/${index}.mdx`);
    const texts = (body: string) => Object.fromEntries(pages.map((path) => [path, page(body)]));
    const judgement = judgementOf({
      before: texts('# Heading\n\nThe quick brown fox jumps over the lazy dog.'),
      after: texts(`[a](${'/missing'.repeat(40)})`),
    });
    const { summary, commentWithin } = renderReport(judgement, context);
    expect(summary).toContain('… and 200 more');
    expect(Buffer.byteLength(summary)).toBeLessThan(1_000_000);
    for (const room of [60_000, 20_000, 4000]) {
      expect(commentWithin(room).length).toBeLessThanOrEqual(room);
    }
    expect(commentWithin(4000)).toMatch(
      /\*\*Left out\*\*, because it would be too long here: .*Pages.* The whole report is in the summary of <a /,
    );
  });
});
