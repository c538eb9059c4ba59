import { describe, expect, onTestFinished, test } from 'vitest';
import {
  type Effect,
  editedPull,
  type Fault,
  movedHead,
  respondWith,
  truncatedTree,
} from '../../../../sandbox/github/faults.ts';
import type { Files } from '../../../../sandbox/github/git.ts';
import { type GitHub, startGitHub } from '../../../../sandbox/github/github.ts';
import { addPull } from '../../../../sandbox/github/state.ts';
import type { Change } from '../../../../src/check/change.ts';
import {
  type ChangeReading,
  type ReadingDeps,
  readChange,
} from '../../../../src/check/reading/read-change.ts';
import { judgeChange } from '../../../../src/check/rules/rules.ts';
import { plainOf } from '../../../../src/check/sentence.ts';
import { CancelledError } from '../../../../src/text/error.ts';
import { fakeClock } from '../../../helpers/fake-runner.ts';
import { commitPull } from '../../../helpers/run.ts';
import { githubAt, githubToken, noSignal } from '../../../helpers/servers.ts';

/** A repository with a pull request, before it is read. */
interface Proposal {
  readonly before: Files;
  readonly after: Files;
  /** What the base branch got after the pull request started. */
  readonly later?: Files;
  readonly faults?: readonly Fault[];
  readonly maxTextBytes?: number;
  readonly deps?: Partial<ReadingDeps>;
  /** Called before the pull request is read. */
  readonly arrange?: (github: GitHub, head: string) => void;
}

interface ReadProposal extends ChangeReading {
  readonly requests: GitHub['requests'];
}

const settingsFile = JSON.stringify({ name: 'Docs', navigation: { pages: ['index'] } });

/** Reads a pull request of `acme/docs` from a stand-in for GitHub. */
async function readProposal(proposal: Proposal): Promise<ReadProposal> {
  const { git, base, head } = commitPull(proposal);
  const { faults, maxTextBytes } = proposal;
  const github = await startGitHub({
    repositories: [{ name: 'acme/docs', git }],
    ...(faults && { faults }),
    ...(maxTextBytes && { maxTextBytes }),
  });
  onTestFinished(() => github.close());
  addPull(github, 'acme/docs', { number: 12, base, head });
  proposal.arrange?.(github, head);
  const reading = await readChange(
    { repository: 'acme/docs', number: 12 },
    { docsRoot: undefined, allowedPaths: [] },
    {
      session: githubAt(github.url).as(githubToken),
      token: { input: 'github-token', isStandIn: false },
      clock: fakeClock(),
      signal: noSignal,
      ...proposal.deps,
    },
  );
  return { ...reading, requests: github.requests };
}

const page = (title: string, body = '') => `---\ntitle: ${title}\n---\n\n${body}\n`;

const docs = {
  'docs.json': settingsFile,
  'index.mdx': page('Home', '[Setup](/guides/setup#install)\n\n![Logo](/images/logo.png)'),
  'guides/setup.mdx': page('Setup', '## Install\n\nRun it.\n\n## Use\n\nUse it.'),
  'guides/other.mdx': page('Other', 'Nothing of it.'),
  'images/logo.png': Buffer.from([137, 80, 0, 1]),
};

/** What could not be read, with the files that it is about. */
async function unreadOf(proposal: Proposal): Promise<readonly string[]> {
  const { change } = await readProposal(proposal);
  return problemsOf(change);
}

function problemsOf({ unread }: Change): readonly string[] {
  return unread.map(({ what, places: [{ file }] }) => `${file}: ${plainOf(what)}`);
}

describe('what changed', () => {
  const withoutGraphql = { on: /^POST .*graphql/, effect: respondWith(404) };
  test.each([
    ['by GraphQL', [], 0],
    ['by one request each', [withoutGraphql], 10],
  ])(
    'is read %s, and compared with the commit that it started from',
    async (_how, faults, blobs) => {
      const { 'guides/setup.mdx': setup, ...rest } = docs;
      const before = { ...docs, '.mintignore': 'old/', 'data.json': '{}' };
      const after = {
        ...rest,
        '.mintignore': 'new/',
        'index.mdx': page('Start', '## Begin'),
        'guides/start.mdx': `${setup}More.\n`,
        'guides/other.mdx': Buffer.from([0, 1, 2]),
        'images/logo.png': Buffer.from([137, 80, 0, 2]),
        'data.json': { mode: '120000', content: '{}' } as const,
      };
      const { change, changedFiles, headSha, requests } = await readProposal({
        ...{ before, after, faults },
        later: { ...docs, 'guides/other.mdx': page('Changed meanwhile') },
      });
      const lines = (additions: number, deletions: number) => ({ additions, deletions });
      const status = 'modified';
      const start = {
        path: 'guides/start.mdx',
        previousPath: 'guides/setup.mdx',
        status: 'renamed',
      };
      expect(change.files).toEqual([
        { path: '.mintignore', status, ...lines(1, 1) },
        { path: 'data.json', status, ...lines(0, 0) },
        { path: 'guides/other.mdx', status, ...lines(0, 0) },
        { ...start, ...lines(1, 0) },
        { path: 'images/logo.png', status, ...lines(0, 0) },
        { path: 'index.mdx', status, ...lines(2, 4) },
      ]);
      expect(changedFiles).toBe(6);
      expect(problemsOf(change)).toEqual([
        'guides/other.mdx: A part could not be judged: the file could not be read, because it is binary.',
      ]);
      const anchorsOf = ({ pages }: Change['after']) => [
        ...(pages.get('index.mdx')?.anchors ?? []),
      ];
      expect([anchorsOf(change.before), anchorsOf(change.after)]).toEqual([[], ['begin']]);
      expect([...change.after.site.pages]).toEqual(['index']);
      expect([change.before.site.ignored, change.after.site.ignored]).toEqual(['old/', 'new/']);
      const used = requests.map(({ path }) => path);
      expect(used.filter((path) => path.includes('/git/blobs/'))).toHaveLength(blobs);
      expect(used.some((path) => path.includes(`/git/trees/${headSha}`))).toBe(true);
    },
  );

  test('compares copies of pages, as of a version of the docs, with what the pages were', async () => {
    const faulty = page('Setup', 'Run {port}, see [this](/nowhere).\n\n{/* Hidden. */}');
    const before = {
      ...docs,
      '.mintignore': 'drafts/',
      'README.md': page('Read', '<!-- For us. -->'),
      'guides/setup.mdx': faulty,
      'guides/other.mdx': faulty.replace('Setup', 'Other'),
    };
    const after = {
      ...before,
      'guides/other.mdx': faulty.replace('Setup', 'Other').replace('Run', 'Run {host}'),
      'v1/setup.mdx': faulty,
      'v1/other.mdx': faulty.replace('Setup', 'Other').replace('Run', 'Run {host}'),
      'v1/read.md': page('Read', '<!-- For us. -->'),
    };
    const { change } = await readProposal({ before, after });
    expect(change.after.site.ignored).toBe('drafts/');
    const blocking = judgeChange(change, new Map()).filter(({ severity }) => severity === 'block');
    const filesOf = ({ places }: (typeof blocking)[number]) => places.map(({ file }) => file);
    expect(blocking.map((finding) => [plainOf(finding.what), filesOf(finding)])).toEqual([
      [expect.stringContaining('{host}'), ['guides/other.mdx', 'v1/other.mdx']],
      // A README may be any Markdown, and a page may not.
      [expect.stringContaining('is not valid'), ['v1/read.md']],
    ]);
  });

  test('follows the old links of a copy from where the original stands', async () => {
    const text = page('Setup', '[Other](./other) [Home](../index) [Dead](./dead) [Also](/dead)');
    const before = { ...docs, 'guides/setup.mdx': text, 'guides/other.mdx': page('Other', 'O') };
    const after = { ...before, 'v1/setup.mdx': text };
    const deadIn = async (proposal: Proposal) =>
      judgeChange((await readProposal(proposal)).change, new Map())
        .filter(({ rule }) => rule === 'broken-link')
        .map(({ what, places }) => [plainOf(what).split(':')[0], places.map(({ file }) => file)]);
    const dead = [['The link to ./other leads nowhere', ['v1/setup.mdx']]];
    expect(await deadIn({ before, after })).toEqual(dead);
    // The original can change or move with its copy.
    const edited = { ...after, 'guides/setup.mdx': `${text}!`, 'v1/setup.mdx': `${text}!` };
    expect(await deadIn({ before, after: edited })).toEqual(dead);
    const { 'guides/setup.mdx': moved, ...left } = after;
    expect(await deadIn({ before, after: { ...left, 'guides/begin.mdx': moved } })).toEqual(dead);
    expect(await deadIn({ before, after: { ...after, 'v1/other.mdx': 'O' } })).toEqual([]);
  });

  test('says of no copied import that its copied snippet does not export the name', async () => {
    const text = page('Setup', "import { nope } from './snippets/part.mdx'\n\n{nope}");
    const before = { ...docs, 'v1/setup.mdx': text, 'v1/snippets/part.mdx': 'export const a = 1' };
    const copy = { 'v2/setup.mdx': text, 'v2/snippets/part.mdx': 'export const a = 1' };
    const { change } = await readProposal({ before, after: { ...before, ...copy } });
    const blocking = judgeChange(change, new Map()).filter(({ severity }) => severity === 'block');
    expect(blocking).toEqual([]);
  });
});

test('nothing is judged if the run is cancelled during the last request', async () => {
  const cancel = new AbortController();
  const change = (body: unknown) => {
    cancel.abort(new CancelledError('cancelled by the test'));
    return body;
  };
  const reading = readProposal({
    before: docs,
    after: { ...docs, 'index.mdx': page('Start') },
    faults: [{ on: /pulls\/12/, after: 1, effect: { kind: 'change', change } }],
    deps: { signal: cancel.signal },
  });
  await expect(reading).rejects.toThrow('cancelled by the test');
});

describe('unchanged pages', () => {
  const parsed = async (proposal: Proposal) => {
    const { change } = await readProposal(proposal);
    return [...change.after.pages.keys()].toSorted();
  };

  test('are not parsed where the change took nothing away', async () => {
    const after = { ...docs, 'guides/new.mdx': page('New', 'Hello.') };
    expect(await parsed({ before: docs, after })).toEqual(['guides/new.mdx']);
  });

  test('are parsed where they may use what is gone', async () => {
    const { 'images/logo.png': _, ...after } = docs;
    expect(await parsed({ before: docs, after })).toEqual(['index.mdx']);
  });

  test('are parsed where they may import a changed file, or use an anchor that is gone', async () => {
    const importing = page('Home', "import X from '/shared/license.md'\n\n<X />");
    const before = { ...docs, 'index.mdx': importing, 'shared/license.md': 'Old.' };
    const after = { ...before, 'shared/license.md': 'New.' };
    expect(await parsed({ before, after })).toEqual(['index.mdx', 'shared/license.md']);
    const shorter = { ...docs, 'guides/setup.mdx': page('Setup', '## Use\n\nUse it.') };
    const both = ['guides/setup.mdx', 'index.mdx'];
    expect(await parsed({ before: docs, after: shorter })).toEqual(both);
  });

  test('are parsed where a changed page links to an anchor of theirs, with what they include', async () => {
    const before = {
      ...docs,
      'guides/other.mdx': page('Other', "import Part from '/snippets/part.mdx'\n\n<Part />"),
      'snippets/part.mdx': '## Deep\n\nText.\n',
    };
    const after = { ...before, 'index.mdx': page('Home', '[Deep](/guides/other#deep)') };
    const files = ['guides/other.mdx', 'index.mdx', 'snippets/part.mdx'];
    expect(await parsed({ before, after })).toEqual(files);
    const importing = { ...before, 'index.mdx': before['guides/other.mdx'] };
    expect(await parsed({ before, after: importing })).toEqual(['index.mdx', 'snippets/part.mdx']);
  });

  test('say which components were used, and are parsed for nothing else', async () => {
    const other = page('Other', '<Own.Part /> <Other-x />');
    const before = { ...docs, 'index.mdx': page('Home', '<Mine />'), 'guides/other.mdx': other };
    const after = { ...before, 'index.mdx': page('Home', 'Hello.') };
    const { change } = await readProposal({ before, after });
    expect([...change.knownComponents]).toEqual(['Mine', 'Own', 'Own.Part', 'Other-x']);
    expect([...change.after.pages.keys()]).toEqual(['index.mdx']);
    const ignored = { '.mintignore': 'other/', 'docs/.mintignore': 'drafts/' };
    const code = { ...ignored, 'docs/docs.json': settingsFile, 'docs/index.mdx': '<Own />' };
    const proposal = { before: { ...code, 'a.ts': '1' }, after: { ...code, 'a.ts': '2' } };
    const { knownComponents, after: version } = (await readProposal(proposal)).change;
    expect([[...knownComponents], version.site.ignored]).toEqual([[], 'drafts/']);
  });
});

describe('what cannot be read is said, and is not compared with nothing:', () => {
  /** Too large for GraphQL, so that it takes a request of its own, unlike the settings. */
  const large = 'Run it. '.repeat(60_000);
  const api = JSON.stringify({ openapi: '3.1.0', paths: { '/users': { get: {} } } });
  const before = { ...docs, 'api/openapi.json': api, 'old.mdx': large };
  const after = {
    ...docs,
    'api/openapi.json': `${api}${large}`,
    'moved.mdx': large,
    'new.mdx': large,
  };
  const denied: Effect = respondWith(403, 'No');
  const edited = { ...docs, 'index.mdx': page('Start') };

  test('texts', async () => {
    const faults = [{ on: /git\/blobs/, effect: denied }];
    const { change } = await readProposal({ before, after, faults });
    const problem =
      'A part could not be judged: the file could not be read, because the download failed (\'GitHub responded with 403 ("No")\').';
    const files = ['old.mdx', 'api/openapi.json', 'moved.mdx', 'new.mdx'];
    expect(problemsOf(change)).toEqual(files.map((file) => `${file}: ${problem}`));
    const findings = judgeChange(change, new Map());
    expect(new Set(findings.map(({ rule }) => rule))).toEqual(
      new Set(['api-changed', 'not-judged']),
    );
  });

  test('a text before the change', async () => {
    const faulty = 'See [it](/nowhere).';
    const long = { ...docs, 'index.mdx': page('Home', `${faulty}\n\n${large}`) };
    const { change } = await readProposal({
      ...{ before: long, after: { ...docs, 'index.mdx': page('Home', faulty) } },
      faults: [{ on: /git\/blobs/, effect: denied }],
    });
    const findings = judgeChange(change, new Map());
    expect(findings.map(({ rule }) => rule)).toEqual(['not-judged']);
  });

  test('settings, without which nothing can be judged', async () => {
    const faults = [{ on: /isTruncated|git\/blobs/, effect: denied }];
    await expect(readProposal({ before, after, faults })).rejects.toThrow(
      'The settings of the docs in "docs.json" could not be read, because the download failed (\'GitHub responded with 403 ("No")\'): re-run the workflow later, or split the file with $ref if it is too large.',
    );
  });

  test('settings in a chain of files, which is read no further than it can count', async () => {
    const include = ($ref: string) =>
      JSON.stringify({ navigation: { pages: [{ $ref }, { $ref }] } });
    const chain = Object.fromEntries(
      Array.from({ length: 120 }, (_, index) => [
        `nav/${index}.json`,
        include(`${index + 1}.json`),
      ]),
    );
    const settings = { 'docs.json': include('nav/0.json'), 'nav/120.json': '["index"]' };
    const before = { ...docs, ...chain, ...settings };
    const { change, requests } = await readProposal({
      before,
      after: { ...before, 'index.mdx': page('Start') },
    });
    const { problems } = change.after.site;
    expect(problems.map(({ what }) => plainOf(what))).toEqual([
      'is nested more than 100 levels deep',
    ]);
    expect(requests.filter(({ path }) => path.endsWith('/graphql')).length).toBeLessThan(110);
  });

  test.each([0, 1])('files that GitHub does not list: %d', async (index) => {
    const after = { ...docs, 'guides/other.mdx': page('New'), 'z.mdx': page('New') };
    const proposal = { before: docs, after };
    const faults = [{ on: /git\/trees/, after: index, times: 1, effect: truncatedTree(6) }];
    const { change, changedFiles } = await readProposal({ ...proposal, faults });
    expect([change.files.map(({ path }) => path), changedFiles]).toEqual([['guides/other.mdx'], 2]);
    expect(problemsOf(change)).toEqual([
      ': A part could not be judged: the repository has too many files, so those that are new or gone are not known.',
    ]);
  });

  test('renamed files, where GitHub lists as many files as it ever does', async () => {
    const pictures = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`${index}.png`, 'x']));
    expect(await unreadOf({ before: docs, after: { ...docs, ...pictures(299) } })).toEqual([]);
    expect(await unreadOf({ before: docs, after: { ...docs, ...pictures(300) } })).toEqual([
      ': A part could not be judged: the pull request changes too many files, so which of them were renamed is not known.',
    ]);
  });

  test.each([
    ['gone', {}],
    ['moved', { 'site/docs.json': settingsFile }],
  ])('a navigation file that is %s', async (_what, moved) => {
    const { 'docs.json': _, ...others } = docs;
    const problem =
      'A part could not be judged: the change deletes or moves the navigation file, so the addresses of pages cannot be compared.';
    const unread = await unreadOf({ before: docs, after: { ...others, ...moved } });
    expect(unread).toEqual([`docs.json: ${problem}`]);
  });

  const other = { ref: 'next', sha: 'a'.repeat(40) };
  test.each<[words: string, Effect]>([
    [
      `from "HEAD into main, open" to "${'f'.repeat(40)} into main, open"`,
      movedHead('f'.repeat(40)),
    ],
    ['from "HEAD into main, open" to "HEAD into next, open"', editedPull({ base: other })],
    [
      'from "HEAD into main, open" to "HEAD into main, closed or merged"',
      editedPull({ state: 'closed' }),
    ],
    ['', respondWith(500, 'No')],
  ])('what happened to the pull request meanwhile: %s', async (words, effect) => {
    const faults = [{ on: /pulls\/12/, after: 1, effect }];
    const { change, headSha } = await readProposal({ before: docs, after: edited, faults });
    const what =
      words === ''
        ? `whether commits were added meanwhile is not known ('GitHub responded with 500 ("No")')`
        : `the pull request changed meanwhile ${words.replaceAll('HEAD', headSha)}`;
    expect(problemsOf(change)).toEqual([`: A part could not be judged: ${what}.`]);
  });
});

test.each([
  [
    404,
    /pulls/,
    'give github-token the permission "pull-requests: read" on acme/docs, and check that this repository exists',
  ],
  [403, /compare/, 'give github-token the permission "contents: read" on acme/docs'],
  [403, /git.trees/, 'give github-token the permission "contents: read" on acme/docs'],
  [
    401,
    /pulls/,
    'check that github-token is complete and has not expired, as the token of an App does after an hour',
  ],
  [500, /pulls/, 're-run the workflow later'],
])('a pull request that cannot be read is an error with advice: %d', async (status, on, advice) => {
  const faults = [{ on, effect: respondWith(status, 'No') }];
  await expect(readProposal({ before: docs, after: docs, faults })).rejects.toThrow(
    `Pull request acme/docs#12 could not be read, because GitHub responded with ${status} ("No"): ${advice}.`,
  );
});
