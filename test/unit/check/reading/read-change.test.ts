import { describe, expect, test } from 'vitest';
import {
  type Effect,
  editedPull,
  movedHead,
  reset,
  respondWith,
  truncatedTree,
} from '../../../../sandbox/github/faults.ts';
import type { GitHub } from '../../../../sandbox/github/github.ts';
import type { Change } from '../../../../src/check/change.ts';
import { judgeChange } from '../../../../src/check/rules/rules.ts';
import { plainOf } from '../../../../src/check/sentence.ts';
import { CancelledError } from '../../../../src/text/error.ts';
import { type Proposal, readProposal, settingsFile } from '../../../helpers/read-change.ts';

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
  test('has both versions of a page, its lines and its parts', async () => {
    const after = { ...docs, 'guides/setup.mdx': page('Setup', '## Install\n\nRun it twice.') };
    const { change } = await readProposal({ before: docs, after });
    expect(change.files).toEqual([
      {
        path: 'guides/setup.mdx',
        status: 'modified',
        before: docs['guides/setup.mdx'],
        after: after['guides/setup.mdx'],
        additions: 1,
        deletions: 5,
      },
    ]);
    expect(change.before.pages.get('guides/setup.mdx')?.anchors).toContain('use');
    expect(change.after.pages.get('guides/setup.mdx')?.anchors).not.toContain('use');
    expect([...change.after.site.pages]).toEqual(['index']);
    expect(change.unread).toEqual([]);
  });

  test('is compared with the commit that it started from, not with the base branch', async () => {
    const after = { ...docs, 'index.mdx': page('Start') };
    const later = { ...docs, 'guides/other.mdx': page('Changed meanwhile') };
    const { change } = await readProposal({ before: docs, after, later });
    expect(change.files.map(({ path }) => path)).toEqual(['index.mdx']);
  });

  test('has renamed files as GitHub lists them', async () => {
    const { 'guides/setup.mdx': text, ...rest } = docs;
    const after = { ...rest, 'guides/start.mdx': `${text}More.\n` };
    const { change } = await readProposal({ before: docs, after });
    const renamed = { path: 'guides/start.mdx', previousPath: 'guides/setup.mdx', additions: 1 };
    expect(change.files).toMatchObject([{ ...renamed, status: 'renamed' }]);
  });

  test('compares copies of pages, as of a version of the docs, with what the pages were', async () => {
    const faulty = page('Setup', 'Run {port}, see [this](/nowhere).\n\n{/* Hidden. */}');
    const before = {
      ...docs,
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
    const blocking = judgeChange(change, new Map()).filter(({ severity }) => severity === 'block');
    const filesOf = ({ places }: (typeof blocking)[number]) => places.map(({ file }) => file);
    expect(blocking.map((finding) => [plainOf(finding.what), filesOf(finding)])).toEqual([
      [expect.stringContaining('{host}'), ['guides/other.mdx', 'v1/other.mdx']],
      // A README may be any Markdown, and a page may not.
      [expect.stringContaining('is not valid'), ['v1/read.md']],
    ]);
  });

  const withoutGraphql = { on: /^POST .*graphql/, effect: respondWith(404) };

  test.each([
    ['with', []],
    ['without', [withoutGraphql]],
  ])('has no texts of binary files, and says which pages are none, %s GraphQL', async (...row) => {
    const [, faults] = row;
    const after = {
      ...docs,
      'images/logo.png': Buffer.from([137, 80, 0, 2]),
      'index.mdx': Buffer.from([0, 1, 2]),
    };
    const { change } = await readProposal({ before: docs, after, faults });
    expect(change.files).toMatchObject([{ path: 'images/logo.png', after: undefined }, {}]);
    expect(change.unread).toMatchObject([{ places: [{ file: 'index.mdx' }] }]);
  });

  test('is not plain where JSON has no text, so that nobody can tell what it describes', async () => {
    const after = { ...docs, 'data.json': Buffer.from([0, 1, 2]) };
    const { change } = await readProposal({ before: docs, after });
    const findings = judgeChange(change, new Map());
    expect(findings.map(({ rule, places: [{ file }] }) => [rule, file])).toEqual([
      ['other-file', 'data.json'],
    ]);
  });

  test('has a file that became a symbolic link or a program, and kept its content', async () => {
    const content = docs['index.mdx'];
    for (const mode of ['120000', '100755'] as const) {
      const after = { ...docs, 'index.mdx': { mode, content } };
      const { change } = await readProposal({ before: docs, after });
      expect(change.files).toMatchObject([{ path: 'index.mdx', status: 'modified' }]);
    }
  });

  const cut: Effect = {
    kind: 'change',
    change: (body) =>
      JSON.parse(
        JSON.stringify(body, (name, value) =>
          name === 'text' ? value.slice(0, 9) : value || name === 'isTruncated',
        ),
      ),
  };
  test.each([
    ['GraphQL', {}, false],
    ['one request each where GraphQL has no room for them', { maxTextBytes: 10 }, true],
    [
      'one request each where GraphQL cuts them',
      { faults: [{ on: /graphql/, effect: cut }] },
      true,
    ],
    ['one request each without GraphQL', { faults: [withoutGraphql] }, true],
  ])('has its texts by %s', async (_how, options, isSingle) => {
    const after = { ...docs, 'index.mdx': page('Start') };
    const { change, requests } = await readProposal({ before: docs, after, ...options });
    expect(change.files).toMatchObject([{ before: docs['index.mdx'], after: page('Start') }]);
    expect(change.unread).toEqual([]);
    expect(requests.some(({ path }) => path.includes('/git/blobs/'))).toBe(isSingle);
  });

  test('has no text of a file that is too large, which is said', async () => {
    const after = { ...docs, 'guides/large.mdx': { bytes: 8_100_000 } };
    const problem =
      'A part could not be judged: the file could not be read, because it has more than 8 MB, or more than 60 MB together with the files before it.';
    expect(await unreadOf({ before: docs, after })).toEqual([`guides/large.mdx: ${problem}`]);
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
  });

  test('say which components were used, and are parsed for nothing else', async () => {
    const before = { ...docs, 'guides/other.mdx': page('Other', '<Own.Part /> <Other-x />') };
    const after = { ...before, 'index.mdx': page('Home', 'Hello.') };
    const { change } = await readProposal({ before, after });
    expect([...change.knownComponents]).toEqual(['Own', 'Own.Part', 'Other-x']);
    expect([...change.after.pages.keys()]).toEqual(['index.mdx']);
  });
});

describe('the preview link', () => {
  const url = 'https://acme-12.mintlify.app/a b';
  const name = 'Mintlify Deployment';
  const deployment = {
    environment: 'preview',
    state: 'success',
    creator: 'mintlify[bot]',
  } as const;

  test.each<[string, (github: GitHub, commit: { repository: string; sha: string }) => unknown]>([
    [
      'a check that passed',
      ({ checkRuns }, commit) =>
        checkRuns.push({ ...commit, name, conclusion: 'success', detailsUrl: url }),
    ],
    [
      'a deployment',
      ({ deployments }, commit) =>
        deployments.push({ ...commit, ...deployment, environmentUrl: url }),
    ],
  ])('is that of %s', async (_what, report) => {
    const { previewLink } = await readProposal({
      before: docs,
      after: docs,
      arrange: (github, head) => report(github, { repository: 'acme/docs', sha: head }),
    });
    expect(previewLink).toBe('https://acme-12.mintlify.app/a%20b');
  });

  test('is none of others, of a check that failed, without https, or without access', async () => {
    const { previewLink } = await readProposal({
      before: docs,
      after: docs,
      faults: [{ on: /deployments/, effect: respondWith(403, 'No') }],
      arrange: ({ checkRuns }, head) => {
        const commit = { repository: 'acme/docs', sha: head };
        checkRuns.push({ ...commit, name: 'Other', conclusion: 'success', detailsUrl: url });
        checkRuns.push({ ...commit, name, conclusion: 'failure', detailsUrl: url });
        const detailsUrl = 'http://acme-12.mintlify.app';
        checkRuns.push({ ...commit, name, conclusion: 'success', detailsUrl });
      },
    });
    expect(previewLink).toBe('');
  });
});

describe('what cannot be read is said, and is not compared with nothing:', () => {
  /** Too large for GraphQL, so that it takes a request of its own, unlike the settings. */
  const large = 'Run it. '.repeat(60_000);
  const api = JSON.stringify({ openapi: '3.1.0', paths: { '/users': { get: {} } } });
  const before = { ...docs, 'api/openapi.json': api };
  const after = { ...docs, 'api/openapi.json': `${api}${large}`, 'new.mdx': large };
  const denied: Effect = respondWith(403, 'No');

  test.each([
    [denied, 'the download failed ("GitHub responded with 403 ("No")")'],
    [respondWith(500, 'No'), 'the download failed ("GitHub responded with 500 ("No")")'],
    [reset, 'the download failed ("GitHub did not respond (UND_ERR_SOCKET)")'],
  ])('texts, whatever GitHub says: %j', async (effect, reason) => {
    const faults = [{ on: /git\/blobs/, effect }];
    const { change } = await readProposal({ before, after, faults });
    const problem = `A part could not be judged: the file could not be read, because ${reason}.`;
    const files = ['api/openapi.json', 'new.mdx'];
    expect(problemsOf(change)).toEqual(files.map((file) => `${file}: ${problem}`));
    const findings = judgeChange(change, new Map());
    expect(new Set(findings.map(({ rule }) => rule))).toEqual(
      new Set(['not-judged', 'other-file']),
    );
  });

  test('settings, without which nothing can be judged', async () => {
    const faults = [{ on: /isTruncated|git\/blobs/, effect: denied }];
    await expect(readProposal({ before, after, faults })).rejects.toThrow(
      'The settings of the docs in "docs.json" could not be read, because the download failed ("GitHub responded with 403 ("No")"): re-run the workflow later, or split the file with $ref if it is too large.',
    );
  });

  test('files that GitHub does not list', async () => {
    const proposal = { before: docs, after: { ...docs, 'a.mdx': page('New') } };
    const faults = [{ on: /git\/trees/, effect: truncatedTree(2) }];
    const { change, changedFiles } = await readProposal({ ...proposal, faults });
    expect(change.files).toEqual([]);
    expect(changedFiles).toBe(1);
    expect(problemsOf(change)).toEqual([expect.stringContaining('too many files')]);
  });

  test('renamed files, where GitHub lists as many files as it ever does', async () => {
    const pictures = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`${index}.png`, 'x']));
    expect(await unreadOf({ before: docs, after: { ...docs, ...pictures(299) } })).toEqual([]);
    expect(await unreadOf({ before: docs, after: { ...docs, ...pictures(300) } })).toEqual([
      expect.stringContaining('so which of them were renamed is not known'),
    ]);
  });

  test('a list of files that does not say whether it is whole', async () => {
    const effect: Effect = {
      kind: 'change',
      change: (body) => ({ ...Object(body), truncated: undefined }),
    };
    const faults = [{ on: /git\/trees/, effect }];
    await expect(readProposal({ before, after, faults })).rejects.toThrow('could not be read');
  });

  test.each([
    ['gone', {}],
    ['moved', { 'site/docs.json': settingsFile }],
  ])('a navigation file that is %s', async (_what, moved) => {
    const { 'docs.json': _, ...rest } = docs;
    const problem =
      'A part could not be judged: the change deletes or moves the navigation file, so the addresses of pages cannot be compared.';
    const unread = await unreadOf({ before: docs, after: { ...rest, ...moved } });
    expect(unread).toContain(`docs.json: ${problem}`);
  });

  test('commits that arrive meanwhile, and another base', async () => {
    const edited = { ...docs, 'index.mdx': page('Start') };
    const moved = await unreadOf({
      before: docs,
      after: edited,
      faults: [{ on: /pulls\/12/, after: 1, effect: movedHead('f'.repeat(40)) }],
    });
    expect(moved).toEqual([expect.stringContaining(`to "${'f'.repeat(40)} into main, open"`)]);
    const rebased = await unreadOf({
      before: docs,
      after: edited,
      faults: [
        {
          on: /pulls\/12/,
          after: 1,
          effect: editedPull({ base: { ref: 'next', sha: 'a'.repeat(40) }, state: 'closed' }),
        },
      ],
    });
    expect(rebased).toEqual([expect.stringContaining('into next, closed or merged"')]);
  });
});

test.each([
  [
    404,
    'give github-token the permission "pull-requests: read" on acme/docs, and check that this repository exists',
  ],
  [401, 'check that github-token is complete and has not expired'],
  [500, 're-run the workflow later'],
])('a pull request that cannot be read is an error with advice: %d', async (status, advice) => {
  const proposal = {
    before: docs,
    after: docs,
    faults: [{ on: /pulls\/12/, effect: respondWith(status, 'No') }],
  };
  await expect(readProposal(proposal)).rejects.toThrow(advice);
});
