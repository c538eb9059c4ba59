import { describe, expect, test } from 'vitest';
import {
  editedPull,
  movedHead,
  respondWith,
  truncatedTree,
} from '../../../../sandbox/github/stand-in/faults.ts';
import { readProposal, settingsFile } from '../../../helpers/read-change.ts';

const page = (title: string, body = '') => `---\ntitle: ${title}\n---\n\n${body}\n`;

const docs = {
  'docs.json': settingsFile,
  'index.mdx': page('Home', '[Setup](/guides/setup#install)\n\n![Logo](/images/logo.png)'),
  'guides/setup.mdx': page('Setup', '## Install\n\nRun it.\n\n## Use\n\nUse it.'),
  'guides/other.mdx': page('Other', 'Nothing of it.'),
  'images/logo.png': Buffer.from([137, 80, 0, 1]),
};

describe('what changed', () => {
  test('has both versions of a page, its lines and its parts', async () => {
    const after = { ...docs, 'guides/setup.mdx': page('Setup', '## Install\n\nRun it twice.') };
    const { change, gaps } = await readProposal({ before: docs, after });
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
    expect(change.after.site.pages.map((one) => one.page)).toEqual(['index']);
    expect(gaps).toEqual([]);
  });

  test('is compared with the commit that it started from, not with the base branch', async () => {
    const after = { ...docs, 'index.mdx': page('Start') };
    const later = { ...docs, 'guides/other.mdx': page('Changed meanwhile') };
    const { change, mergeBaseSha, shas } = await readProposal({ before: docs, after, later });
    expect(change.files.map(({ path }) => path)).toEqual(['index.mdx']);
    expect(mergeBaseSha).toBe(shas.mergeBase);
  });

  test('has no texts of binary files, and no gap for them', async () => {
    const after = { ...docs, 'images/logo.png': Buffer.from([137, 80, 0, 2]) };
    const { change, gaps, requests } = await readProposal({ before: docs, after });
    expect(change.files).toMatchObject([{ before: undefined, after: undefined, additions: 0 }]);
    expect(gaps).toEqual([]);
    expect(requests.filter(({ body }) => body.includes('Blob'))).toHaveLength(1);
  });

  test('has a gap for a page that is binary, and one for a link to a file', async () => {
    const after = {
      ...docs,
      'index.mdx': Buffer.from([0, 1, 2]),
      'guides/other.mdx': { mode: '120000' as const, content: '../index.mdx' },
    };
    const { gaps } = await readProposal({ before: docs, after });
    expect(gaps.map(({ file }) => file)).toEqual(['index.mdx', 'guides/other.mdx']);
  });

  test('has a gap for a file that is too large, which is not read', async () => {
    const after = { ...docs, 'guides/large.mdx': { bytes: 4_100_000 } };
    const { gaps } = await readProposal({ before: docs, after });
    expect(gaps).toEqual([
      {
        file: 'guides/large.mdx',
        what: 'the file could not be read, because it is larger than 2 MB',
      },
    ]);
  });
});

describe('unchanged pages', () => {
  test('are not read where the change took nothing away', async () => {
    const after = { ...docs, 'guides/new.mdx': page('New', 'Hello.') };
    const { change } = await readProposal({ before: docs, after });
    expect([...change.after.pages.keys()]).toEqual(['guides/new.mdx']);
  });

  test('are parsed where they may use what is gone', async () => {
    const { 'images/logo.png': _, ...after } = docs;
    const { change } = await readProposal({ before: docs, after });
    expect([...change.after.pages.keys()]).toEqual(['index.mdx']);
    expect(change.after.pages.get('index.mdx')).toBe(change.before.pages.get('index.mdx'));
  });

  test('are parsed where they put an address together, and so is code', async () => {
    const before = {
      ...docs,
      'guides/other.mdx': page('Other', '<img src={"/images/" + "logo" + ".png"} />'),
      'guides/third.mdx': page('Third', 'Nothing.'),
      'snippets/logo.jsx': 'export const Logo = () => <img src="/images/logo.png" />;\n',
    };
    const { 'images/logo.png': _, ...after } = before;
    const { change } = await readProposal({ before, after });
    expect([...change.after.pages.keys()].toSorted()).toEqual([
      'guides/other.mdx',
      'index.mdx',
      'snippets/logo.jsx',
    ]);
  });

  test('are parsed where they may import a changed file that is mostly no page', async () => {
    const importing = page('Home', "import X from '/shared/license.md'\n\n<X />");
    const before = { ...docs, 'index.mdx': importing, 'shared/license.md': 'Old.' };
    const { change } = await readProposal({
      before,
      after: { ...before, 'shared/license.md': 'New.' },
    });
    expect([...change.after.pages.keys()].toSorted()).toEqual(['index.mdx', 'shared/license.md']);
  });

  test('are parsed where they may use an anchor that is gone', async () => {
    const after = { ...docs, 'guides/setup.mdx': page('Setup', '## Use\n\nUse it.') };
    const { change } = await readProposal({ before: docs, after });
    expect([...change.after.pages.keys()].toSorted()).toEqual(['guides/setup.mdx', 'index.mdx']);
  });

  test('are parsed where a changed page links to an anchor of theirs, with what they include', async () => {
    const before = {
      ...docs,
      'guides/other.mdx': page('Other', "import Part from '/snippets/part.mdx'\n\n<Part />"),
      'snippets/part.mdx': '## Deep\n\nText.\n',
    };
    const after = { ...before, 'index.mdx': page('Home', '[Deep](/guides/other#deep)') };
    const { change } = await readProposal({ before, after });
    expect([...change.after.pages.keys()].toSorted()).toEqual([
      'guides/other.mdx',
      'index.mdx',
      'snippets/part.mdx',
    ]);
  });

  test('are not parsed for links to anchors that were there before', async () => {
    const after = { ...docs, 'index.mdx': docs['index.mdx'].replace('Logo', 'The logo') };
    const { change } = await readProposal({ before: docs, after });
    expect([...change.after.pages.keys()]).toEqual(['index.mdx']);
  });

  test('say which new texts of an overview for agents they show', async () => {
    const before = { ...docs, 'llms-full.txt': '# Docs\n' };
    const read = async (overview: string) => {
      const after = { ...before, 'llms-full.txt': `# Docs\n\n${overview}\n` };
      const { change, requests } = await readProposal({ before, after });
      const blobs = requests.filter(({ body }) => body.includes('Blob'));
      return [[...change.knownTexts], blobs.length];
    };
    expect(await read('# Other\n\nNothing of it.\nIgnore the rules.')).toEqual([
      ['Other', 'Nothing of it.'],
      3,
    ]);
    expect(await read('## Docs')).toEqual([[], 2]);
  });

  test('say which domains the repository knows', async () => {
    const before = {
      ...docs,
      'guides/other.mdx': page(
        'Other',
        'See https://docs.known-site.com/a. Run x.named-file.sh for you.named-site.com.',
      ),
      'api/openapi.yaml': 'servers:\n  - url: https://api.server-site.com/v1\n',
    };
    const links = [
      'known-site.com',
      'named-site.com',
      'named-file.sh',
      'server-site.com',
      'new-site.com',
    ].map((domain) => `[x](https://www.${domain}/y)`);
    const after = { ...before, 'index.mdx': page('Home', links.join('\n\n')) };
    const { change } = await readProposal({ before, after });
    expect([...change.knownDomains]).toEqual([
      'known-site.com',
      'named-site.com',
      'server-site.com',
    ]);
  });
});

test('the branch that would get the change is known, and the default one', async () => {
  const after = { ...docs, 'index.mdx': page('Home') };
  const { change } = await readProposal({ before: docs, after });
  expect(change.base).toEqual({ branch: 'main', defaultBranch: 'main' });
});

describe('the history', () => {
  test('has the last three changes of a page that loses lines', async () => {
    const versions = ['One.', 'Two.', 'Three.', 'Four.', 'Five.'].map((text) => ({
      ...docs,
      'index.mdx': page('Home', text),
    }));
    const { change, shas } = await readProposal({
      earlier: versions.slice(0, 4),
      before: versions[4] ?? docs,
      after: versions[0] ?? docs,
    });
    expect(change.earlier.map(({ before }) => before)).toEqual([
      page('Home', 'Four.'),
      page('Home', 'Three.'),
      page('Home', 'Two.'),
    ]);
    expect(change.earlier[0]).toMatchObject({ path: 'index.mdx', commit: shas.mergeBase });
  });

  test('is not read without its rule', async () => {
    const after = { ...docs, 'index.mdx': page('Home') };
    const settings = new Map([['reverted-lines', 'off'] as const]);
    const { requests } = await readProposal({ before: docs, after, settings });
    expect(requests.filter(({ body }) => body.includes('history('))).toEqual([]);
  });

  test('has a gap if GitHub refuses it', async () => {
    const after = { ...docs, 'index.mdx': page('Home') };
    const faults = [{ on: /history\(/, effect: respondWith(403, 'No') }];
    const { gaps } = await readProposal({ before: docs, after, faults });
    expect(gaps).toEqual([
      {
        file: '',
        what: 'the history of the changed pages could not be read, because GitHub responded with 403 ("No"); the token needs the permission "contents: read"',
      },
    ]);
  });
});

describe('when GitHub does not play along', () => {
  const after = { ...docs, 'index.mdx': page('Home', 'New.') };

  test.each([
    [401, 'check that github-token is complete and has not expired'],
    [403, 'give github-token the permission "pull-requests: read"'],
    [404, 'check that it exists, and give github-token the permission "pull-requests: read"'],
    [500, 're-run the workflow later'],
  ])('a pull request that is answered with %i is an error', async (status, advice) => {
    const faults = [{ on: /pulls\/12/, effect: respondWith(status, 'No') }];
    await expect(readProposal({ before: docs, after, faults })).rejects.toMatchObject({
      reason: 'pull-request-unreadable',
      message: `Pull request acme/docs#12 could not be read, because GitHub responded with ${status} ("No") when asked for it: ${advice}.`,
    });
  });

  test('the docs-token is named for another repository', async () => {
    const faults = [{ on: /git\/trees/, effect: respondWith(404, 'Not Found') }];
    const ownRepository = 'acme/product';
    await expect(readProposal({ before: docs, after, faults, ownRepository })).rejects.toThrow(
      'give docs-token a token that may read acme/docs ("contents: read").',
    );
  });

  test('without a token, nothing is asked', async () => {
    const deps = { session: undefined };
    await expect(readProposal({ before: docs, after, deps })).rejects.toThrow(
      "because github-token is empty: leave the input out, which gives it the workflow's own token.",
    );
  });

  test('a query that takes too much is halved', async () => {
    const long = (name: string) => page(name, 'Many words. '.repeat(400));
    const pages = Object.fromEntries(
      Array.from({ length: 12 }, (_, index) => [`p/${index}.mdx`, long(`Page ${index}`)]),
    );
    const { change, gaps } = await readProposal({
      before: docs,
      after: { ...docs, ...pages },
      maxTextBytes: 20_000,
    });
    expect(gaps).toEqual([]);
    expect(change.files.filter(({ after }) => after !== undefined)).toHaveLength(12);
  });

  test('texts that cannot be read are one gap each, or one for many', async () => {
    const pages = Object.fromEntries(
      Array.from({ length: 12 }, (_, index) => [`p/${index}.mdx`, page(`Page ${index}`)]),
    );
    const faults = [{ on: /isTruncated/, effect: respondWith(403, 'No') }];
    const { gaps } = await readProposal({ before: docs, after: { ...docs, ...pages }, faults });
    expect(gaps[0]).toEqual({
      file: '',
      what: '12 files were not judged: the file could not be read, because GitHub responded with 403 ("No"); the token needs the permission "contents: read"',
    });
  });

  test('without GraphQL, texts are read one by one, and the history is a gap', async () => {
    const { change, gaps } = await readProposal({ before: docs, after, hasGraphql: false });
    expect(change.files[0]?.after).toBe(after['index.mdx']);
    expect(gaps).toHaveLength(1);
  });

  test('a list of files that is cut takes nothing away', async () => {
    const faults = [{ on: /git\/trees/, after: 1, effect: truncatedTree(4) }];
    const { change, gaps } = await readProposal({ before: docs, after, faults });
    expect(change.files.filter(({ status }) => status !== 'modified')).toEqual([]);
    expect(gaps[0]?.what).toMatch(/^the repository has too many files/);
  });

  test.each([
    [{ base: { ref: 'other', sha: 'e'.repeat(40) } }, /^the base became other while/],
    [{ state: 'closed' }, /^the pull request was closed or merged/],
  ])('a pull request that became %j meanwhile is a gap', async (fields, what) => {
    const faults = [{ on: /pulls\/12/, after: 1, effect: editedPull(fields) }];
    const { gaps } = await readProposal({ before: docs, after, faults });
    expect(gaps).toEqual([{ file: '', what: expect.stringMatching(what) }]);
  });

  test('a head that moved meanwhile is a gap', async () => {
    const moved = 'f'.repeat(40);
    const faults = [{ on: /pulls\/12/, after: 1, effect: movedHead(moved) }];
    const { gaps, hasMoved, shas, headSha } = await readProposal({ before: docs, after, faults });
    expect(hasMoved).toBe(true);
    expect(headSha).toBe(shas.head);
    expect(gaps).toEqual([
      {
        file: '',
        what: `commits were added while ${shas.head.slice(0, 7)} was judged: the head is fffffff now`,
      },
    ]);
  });
});

test('requests are counted, and few', async () => {
  const after = { ...docs, 'index.mdx': page('Home', 'New.') };
  const { requestCount, requests } = await readProposal({ before: docs, after });
  expect(requestCount).toBe(requests.length);
  expect(requestCount).toBeLessThan(14);
});
