import { expect, test } from 'vitest';
import {
  type Effect,
  reset,
  respondWith,
  truncatedTree,
} from '../../../../sandbox/github/stand-in/faults.ts';
import { applyRules } from '../../../../src/check/conclude.ts';
import { type Proposal, readProposal } from '../../../helpers/read-change.ts';

const page = (text: string) => `---\ntitle: A\n---\n\n## Use\n\n${text}\n`;

const docs = {
  'docs.json':
    '{"name": "Docs", "theme": "mint", "navigation": {"pages": ["index", "setup"]}, "redirects": [{"source": "/old", "destination": "/setup"}]}',
  'index.mdx': page('Welcome. [Setup](/setup#use)'),
  'setup.mdx': page('Set it up.'),
};

const target = { repository: 'acme/docs', number: 12 };

async function judged(proposal: Proposal) {
  const reading = await readProposal(proposal);
  return applyRules(target, reading, new Map(), { kind: 'off' });
}

/** GitHub has no texts: neither many at once nor one by one. */
const noTexts = (effect: Effect) => [{ on: /isTruncated|git\/blobs/, effect }];

test.each([
  [
    respondWith(403, 'No'),
    'GitHub responded with 403 ("No"); the token needs the permission "contents: read"',
  ],
  [respondWith(500, 'No'), 'GitHub responded with 500 ("No")'],
  [reset, 'GitHub did not respond (ECONNRESET)'],
])(
  'texts that GitHub does not give are not missing, whatever it says: %j',
  async (effect, problem) => {
    const { 'setup.mdx': _, ...rest } = docs;
    const { findings, gaps, pages } = await judged({
      before: docs,
      after: {
        ...rest,
        'docs.json': '{"name": "Other", "navigation": {"pages": ["index", "new"]}}',
        'index.mdx': page('Welcome.'),
        'new.mdx': page('New.'),
      },
      faults: noTexts(effect),
    });
    const what = `the file could not be read, because ${problem}`;
    expect(findings).toEqual([]);
    expect(gaps.filter(({ file }) => file !== '')).toEqual([
      { file: 'docs.json', what },
      { file: 'index.mdx', what },
      { file: 'new.mdx', what },
      { file: 'setup.mdx', what },
    ]);
    expect(pages.map(({ lines }) => lines)).toEqual([undefined, undefined, undefined]);
  },
);

test('a page of which only one version could be read is not compared with nothing', async () => {
  const long = page('Text. '.repeat(70_000));
  const after = { ...docs, 'setup.mdx': page('See https://new-site.com.') };
  const faults = [{ on: /git\/blobs/, effect: respondWith(403, 'No') }];
  const { change, findings, gaps } = await judged({
    before: { ...docs, 'setup.mdx': long },
    after,
    faults,
  });
  expect(findings).toEqual([]);
  expect(gaps.map(({ file }) => file)).toEqual(['setup.mdx']);
  expect(change.files).toMatchObject([{ before: undefined, after: undefined, isUnread: true }]);
});

test('a navigation that could not be read is not compared, and names no page', async () => {
  const more = `{"name": "${'x'.repeat(410_000)}", "navigation": {"pages": ["index", "new"]}}`;
  const { findings, gaps } = await judged({
    before: docs,
    after: { ...docs, 'docs.json': more, 'new.mdx': page('New.') },
    faults: [{ on: /git\/blobs/, effect: respondWith(500, 'No') }],
  });
  expect(findings).toEqual([]);
  expect(gaps.map(({ file }) => file)).toEqual(['docs.json']);
});

test('files that GitHub does not list are counted', async () => {
  const { changedFiles, change } = await judged({
    before: docs,
    after: { ...docs, 'zoo.mdx': page('New.') },
    faults: [{ on: /git\/trees/, effect: truncatedTree(2) }],
  });
  expect(change.files).toEqual([]);
  expect(changedFiles).toBe(1);
});

test('a navigation file that is gone is one finding and one gap', async () => {
  const { 'docs.json': _, ...after } = docs;
  const { findings, gaps } = await judged({ before: docs, after });
  expect(findings.map(({ rule, file, what }) => `${rule} ${file} ${what}`)).toEqual([
    'settings-changed docs.json is gone, with all settings',
  ]);
  expect(gaps).toEqual([
    {
      file: 'docs.json',
      what: 'the change takes the navigation file away, so the docs cannot be read',
    },
  ]);
});

test('an unchanged page that is too large was only not searched', async () => {
  const before = { ...docs, 'images/logo.png': 'x', 'large.mdx': { bytes: 4_100_000 } };
  const { 'images/logo.png': _, ...after } = before;
  const { gaps } = await judged({ before, after });
  expect(gaps).toEqual([
    {
      file: 'large.mdx',
      what: 'the page could not be searched for links to what is gone, because it is larger than 2 MB',
    },
  ]);
});
