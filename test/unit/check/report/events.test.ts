import { describe, expect, it } from 'vitest';
import type { Event } from '../../../../src/check/finding.ts';
import { describeEvent } from '../../../../src/check/report/events.ts';
import { markdownOf, plainOf } from '../../../../src/check/report/sentence.ts';

/** Each event, and what people read of it: the sentence, and both versions if it has any. */
const events: readonly (readonly [
  event: Event,
  sentence: string,
  before?: string | undefined,
  after?: string,
])[] = [
  [
    { kind: 'unparsable', problem: 'is not valid MDX: Expected a closing tag for `<Note>`' },
    'The file cannot be read: it is not valid MDX: "Expected a closing tag for `<Note>`".',
  ],
  [
    { kind: 'unknown-component', name: 'Alert' },
    "Nothing defines the component <Alert>, so Mintlify drops it and what stands in it: import it, or use a component of Mintlify's.",
  ],
  [
    { kind: 'undefined-name', name: 'port' },
    String.raw`Nothing declares {port}, so Mintlify drops it: write "\{port\}" if readers should see it.`,
  ],
  [
    { kind: 'leftover', what: 'conflict-marker', text: '<<<<<<< HEAD' },
    'An unfinished merge left "<<<<<<< HEAD" in the file: resolve the conflict.',
  ],
  [
    { kind: 'leftover', what: 'fenced-page', text: '' },
    'The whole page stands in one code block, so readers see its source: remove the fence.',
  ],
  [
    { kind: 'dead-address', address: '/guides/deploy', cause: 'deleted' },
    '/guides/deploy is gone and leads nowhere: add a redirect to the page that replaces it.',
  ],
  [
    { kind: 'dead-address', address: '/setup', cause: 'moved', destination: '/install' },
    '/setup moved to /install, and the old address leads nowhere: add a redirect.',
  ],
  [
    { kind: 'dead-address', address: '/old', cause: 'redirect-removed', destination: '/new' },
    'The redirect from /old to /new is gone, so the address leads nowhere: put it back.',
  ],
  [
    { kind: 'bad-redirect', source: '/a', destination: '/a/index', problem: 'loop' },
    'The redirect from /a to /a/index comes back to where it began: redirect to a page.',
  ],
  [
    { kind: 'broken-link', what: 'link', target: '/guides/setpu', isUnchanged: false },
    'The link to /guides/setpu leads nowhere: correct it, or add the page.',
  ],
  [
    { kind: 'broken-link', what: 'picture', target: '/images/menu.png', isUnchanged: true },
    'The picture /images/menu.png does not exist. This pull request took away what the file, itself unchanged, uses.',
  ],
  [
    {
      kind: 'removed',
      what: 'page',
      text: 'Deploy',
      section: '',
      address: '/deploy',
      destination: '/run',
    },
    'The page "Deploy" is gone, and /deploy redirects to /run now.',
  ],
  [
    { kind: 'removed', what: 'section', text: 'Limits', section: 'Limits', others: 3 },
    'The section "Limits", with 3 more things in it, is gone.',
  ],
  [
    { kind: 'removed', what: 'callout', text: 'Keys expire.', section: 'Keys' },
    'A callout is gone from the section "Keys".',
    'Keys expire.',
  ],
  [
    { kind: 'removed', what: 'row', text: '429', section: '', replacement: 'See below.' },
    'A row of a table was replaced.',
    '429',
    'See below.',
  ],
  [
    { kind: 'shrunk', wordsBefore: 1200, wordsAfter: 300 },
    'The page has 300 words now, and had 1,200 before.',
  ],
  [
    { kind: 'fact-changed', what: 'number', before: 'A 1 % fee.', after: 'A fee.' },
    'A number in a sentence changed or went.',
    'A 1 % fee.',
    'A fee.',
  ],
  [
    { kind: 'fact-changed', what: 'negation', before: 'Keys expire.', after: 'Keys never expire.' },
    'A “not” or another negation in a sentence was added, changed or removed.',
    'Keys expire.',
    'Keys never expire.',
  ],
  [
    { kind: 'fact-changed', what: 'link', before: '/setup', after: '' },
    'A link is gone.',
    '/setup',
    '',
  ],
  [
    { kind: 'sample-changed', language: '', before: ['a', 'b'], after: [] },
    '2 lines of a sample are gone.',
    'a\nb',
    '',
  ],
  [
    {
      kind: 'api-changed',
      operation: 'GET /users',
      what: 'parameter',
      name: 'limit',
      before: 'type: string',
      after: '',
    },
    'The parameter "limit" of "GET /users" is gone.',
    'type: string',
  ],
  [
    {
      kind: 'navigation-changed',
      what: 'moved',
      entry: 'guides/setup',
      before: 'Start',
      after: 'More',
    },
    'guides/setup has another place in the navigation.',
    'Start',
    'More',
  ],
  [
    { kind: 'setting-changed', key: 'integrations', before: '', after: '{"x":1}' },
    'The setting "integrations" is new.',
    undefined,
    '{"x":1}',
  ],
  [
    { kind: 'redirect', source: '/', destination: '/pricing', problem: 'from-root' },
    'Readers of the front page get to /pricing now.',
  ],
  [
    { kind: 'not-plain', what: 'host', text: 'acme-docs.example' },
    'No page linked to acme-docs.example before.',
  ],
  [
    { kind: 'not-plain', what: 'file', text: 'runs' },
    'The file can run on the site, in CI or on a computer.',
  ],
  [
    { kind: 'not-plain', what: 'file', text: 'same-address guides/a.md' },
    'The page has the same address as guides/a.md.',
  ],
  [
    { kind: 'not-plain', what: 'file-mode', text: 'symlink' },
    'The file became a link to another file.',
  ],
  [
    { kind: 'not-judged', problem: 'the list of files has more than 3,000 entries' },
    'A part could not be judged: the list of files has more than 3,000 entries.',
  ],
];

describe('an event', () => {
  const cases = events.map(([event, sentence, before, after]) => ({
    event,
    sentence,
    before,
    after,
  }));

  it.each(cases)('$sentence', ({ event, sentence, before, after }) => {
    const description = describeEvent(event);
    expect(plainOf(description.sentence)).toBe(sentence);
    expect([description.before, description.after]).toEqual([before, after]);
  });
});

describe('a text of the pull request in a sentence', () => {
  it('is no Markdown, mention or tag', () => {
    const { sentence } = describeEvent({ kind: 'undefined-name', name: '@acme/x <b>' });
    expect(markdownOf(sentence)).toBe(
      'Nothing declares <code>&#123;&#64;acme/x &#60;b&#62;&#125;</code>, so Mintlify drops it: write <code>&#92;&#123;&#64;acme/x &#60;b&#62;&#92;&#125;</code> if readers should see it.',
    );
  });

  it.each([
    ['the list is too long', 'the list is too long'],
    ['the page is not valid MDX: <b>', 'the page is not valid MDX: <code>&#60;b&#62;</code>'],
    ['see www.evil.example: x', '<code>see www&#46;evil.example: x</code>'],
    ['ask @acme', '<code>ask &#64;acme</code>'],
  ])('is none in a reason either: %s', (problem, shown) => {
    const { sentence } = describeEvent({ kind: 'not-judged', problem });
    expect(markdownOf(sentence)).toBe(`A part could not be judged: ${shown}.`);
  });
});
