import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Change } from '../../../../src/check/change.ts';
import {
  defaultSeverities,
  type RuleName,
  type RuleSettings,
} from '../../../../src/check/old-finding.ts';
import { gapsOf } from '../../../../src/check/rules/gaps.ts';
import { judge } from '../../../../src/check/rules/rules.ts';
import { verdictOf } from '../../../../src/check/verdict.ts';
import { changeOf, docsJson, page, type Texts } from '../../../helpers/change.ts';
import { heavyRuns } from '../../../helpers/heavy-runs.ts';

const ruleNames = Object.keys(defaultSeverities).filter(
  (name): name is RuleName => name in defaultSeverities,
);

/** Blocks that break rules, or use what another file has. */
const block = fc.constantFrom(
  'Some text of a page.',
  '## Set up',
  '[x](/b)',
  '[x](/c#set-up)',
  '[x](/nowhere)',
  '![x](/images/a.png)',
  "import S from '/snippets/s.mdx'",
  '<script>track()</script>',
  '<iframe src="https://one.dev" />',
  '```bash\nrun this\nand that\n```',
  '[x](https://two.dev/x)',
  'Here is the updated page:',
  '<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> branch',
  '<Visibility for="agents">Be nice.</Visibility>',
  '<Card>',
);

const frontMatter = fc.constantFrom('title: A', 'title: A\nhidden: true', 'description: B');
const anyPage = fc
  .tuple(fc.array(block, { maxLength: 5 }), frontMatter)
  .map(([blocks, fields]) => page(blocks.join('\n\n'), fields));
const anySettings = fc
  .tuple(
    fc.subarray(['a', 'b', 'c', 'missing']),
    fc.subarray([
      { source: '/b', destination: '/a' },
      { source: '/c', destination: 'https://three.dev' },
    ]),
    fc.constantFrom('mint', 'maple'),
  )
  .map(([pages, redirects, theme]) => docsJson(pages, { redirects, theme }));

/** A small site in any state. */
const texts: fc.Arbitrary<Texts> = fc
  .record(
    {
      'docs.json': anySettings,
      'a.mdx': anyPage,
      'b.mdx': anyPage,
      'c.mdx': anyPage,
      'snippets/s.mdx': anyPage,
      'images/a.png': fc.constantFrom('one', 'two'),
      'custom.js': fc.constantFrom('one', 'two'),
      'AGENTS.md': fc.constantFrom('one', 'two'),
    },
    { requiredKeys: ['docs.json'] },
  )
  .map((record) =>
    Object.fromEntries(Object.entries(record).filter(([, text]) => text !== undefined)),
  );

const none: RuleSettings = new Map();
const settings: fc.Arbitrary<RuleSettings> = fc
  .array(fc.tuple(fc.constantFrom(...ruleNames), fc.constantFrom('block', 'review', 'off')))
  .map((pairs) => new Map(pairs));

const changes = fc.record({ before: texts, after: texts });

describe('the rules', () => {
  it('find nothing where nothing changed', () => {
    fc.assert(
      fc.property(texts, (both) => {
        expect(judge(changeOf({ before: both, after: both }), none)).toEqual([]);
      }),
      heavyRuns(100),
    );
  });

  it('find the same in any order of the files', () => {
    fc.assert(
      fc.property(changes, fc.integer({ min: 0, max: 20 }), (parts, shift) => {
        const change = changeOf(parts);
        const { files } = change;
        const place = files.length === 0 ? 0 : shift % files.length;
        const turned = [...files.slice(place), ...files.slice(0, place)].toReversed();
        expect(judge({ ...change, files: turned }, none)).toEqual(judge(change, none));
      }),
      heavyRuns(100),
    );
  });

  it('say nothing of an unchanged file but what it lost', () => {
    const losses: readonly RuleName[] = ['still-used', 'broken-anchor', 'page-not-in-navigation'];
    fc.assert(
      fc.property(changes, (parts) => {
        const change = changeOf(parts);
        const changed = new Set(['', 'docs.json', ...change.files.map(({ path }) => path)]);
        const rules = judge(change, none)
          .filter(({ file }) => !changed.has(file))
          .map(({ rule }) => rule);
        expect(rules.filter((rule) => !losses.includes(rule))).toEqual([]);
      }),
      heavyRuns(100),
    );
  });

  it('have the severity that the settings say, and say nothing when off', () => {
    fc.assert(
      fc.property(changes, settings, (parts, chosen) => {
        for (const { rule, severity } of judge(changeOf(parts), chosen)) {
          expect(severity).toBe(chosen.get(rule) ?? defaultSeverities[rule]);
          expect(severity).not.toBe('off');
        }
      }),
      heavyRuns(100),
    );
  });

  it('never block the move of a page with a redirect', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('Text', '[x](/b)', '## Set up', '```sh\nrun\n```'), {
          minLength: 1,
        }),
        fc.constantFrom('new', 'deep/new', 'other/new'),
        fc.constantFrom('/old', 'old', '/old/'),
        (blocks, place, source) => {
          const others = { 'b.mdx': page('[x](/old)\n\n[y](/old#set-up)') };
          const moved = page(blocks.join('\n\n'));
          const redirects = [{ source, destination: `/${place}` }];
          const change = changeOf({
            before: { ...others, 'docs.json': docsJson(['b', 'old']), 'old.mdx': moved },
            after: {
              ...others,
              'docs.json': docsJson(['b', place], { redirects }),
              [`${place}.mdx`]: moved,
            },
          });
          const findings = judge(change, none);
          expect(findings.filter(({ severity }) => severity === 'block')).toEqual([]);
        },
      ),
      heavyRuns(100),
    );
  });

  it('put first what blocks', () => {
    fc.assert(
      fc.property(changes, (parts) => {
        const severities = judge(changeOf(parts), none).map(({ severity }) => severity);
        expect(severities).toEqual(severities.toSorted());
      }),
      heavyRuns(100),
    );
  });
});

describe('the verdict', () => {
  const verdict = (change: Change, chosen: RuleSettings) =>
    verdictOf(judge(change, chosen), gapsOf(change));

  it('is never routine with a gap, whatever is switched off', () => {
    fc.assert(
      fc.property(changes, settings, (parts, chosen) => {
        const change = changeOf(parts);
        fc.pre(gapsOf(change).length > 0);
        expect(verdict(change, chosen)).not.toBe('routine');
        const allOff = new Map(ruleNames.map((name) => [name, 'off' as const]));
        expect(verdict(change, allOff)).toBe('review');
      }),
      heavyRuns(50),
    );
  });

  it('is blocked where something blocks, and routine where nothing was found', () => {
    const change = (after: string) =>
      changeOf({ before: { 'a.mdx': 'x' }, after: { 'a.mdx': after } });
    expect(verdict(change('Some text'), none)).toBe('routine');
    expect(verdict(change('[x](https://new.dev)'), none)).toBe('review');
    expect(verdict(change('[x](/nowhere)'), none)).toBe('blocked');
    expect(verdict(change('[x](/nowhere)'), new Map([['broken-link', 'review']]))).toBe('review');
    expect(verdict(change('[x](/nowhere)'), new Map([['broken-link', 'off']]))).toBe('routine');
  });
});
