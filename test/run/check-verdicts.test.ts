import { describe, expect, it } from 'vitest';
import { respondWith, silence } from '../../sandbox/github/faults.ts';
import type { Files } from '../../sandbox/github/git.ts';
import { annotations, judge, withNavigation } from '../helpers/run.ts';
import { githubToken } from '../helpers/servers.ts';

const page = (title: string, text: string) =>
  `---\ntitle: ${title}\ndescription: About ${title}\n---\n\n## Start\n\n${text}\n`;

const before = withNavigation({
  'index.mdx': page('Acme', 'Welcome to Acme, the tool that you know already.'),
  'guides/setup.mdx': page('Setup', 'Set it up with care. See [the start](/index).'),
});

const passed = {
  before,
  after: {
    ...before,
    'guides/setup.mdx': page('Setup', 'Set it up with great care. See [the start](/index).'),
  },
};

const noted = page('Setup', 'Set it up with care. See [the start](/index).\n\n{/* Run it. */}');
const review = { before, after: { ...before, 'guides/setup.mdx': noted } };

const { 'guides/setup.mdx': _gone, ...withoutSetup } = before;
const blocked = { before, after: withoutSetup };

const byEvent = { eventName: 'pull_request_target', event: { pull_request: { number: 12 } } };

it('an ordinary change passes, and nothing is written on GitHub', async () => {
  const result = await judge(passed);
  expect(result.exitCode).toBe(0);
  expect(result.outputs).toEqual({
    verdict: 'passed',
    findings: '[]',
    pages: '[{"path":"guides/setup.mdx","status":"modified","added":1,"removed":1}]',
    'added-lines': '1',
    'removed-lines': '1',
    'new-pages': '0',
    'head-sha': result.headSha,
    'changed-files': '1',
    result: 'judged',
    message: 'acme/docs#12 passed: 1 line on 1 page is new, and nobody has checked it.',
  });
  expect(result.stderr).toBe('');
  expect(result.stdout).toContain(`::add-mask::${githubToken}\n`);
  expect(result.stdout).toContain('Checking acme/docs#12.\n');
  const writes = result.requests.filter(
    ({ method, path }) => method !== 'GET' && path !== '/graphql',
  );
  expect([writes, result.comments]).toEqual([[], []]);
});

it('the pull request is that of the event, without a link', async () => {
  expect((await judge({ ...passed, ...byEvent })).verdict).toBe('passed');
  const event = { issue: { number: 12, pull_request: {} }, comment: { body: '/check' } };
  expect((await judge({ ...passed, eventName: 'issue_comment', event })).verdict).toBe('passed');
  const other = { ...byEvent, event: { pull_request: { number: 13 } } };
  const inputs = { 'pr-link': 'https://github.example/acme/docs/pull/12' };
  expect((await judge({ ...passed, ...other, inputs })).verdict).toBe('passed');
});

it('a change that needs a person passes with a notice, unless fail-on says otherwise', async () => {
  const result = await judge(review);
  expect([result.exitCode, result.verdict, result.found]).toEqual([
    ...[0, 'review', ['unseen guides/setup.mdx:10']],
  ]);
  expect(annotations(result, 'notice')).toEqual([
    'acme/docs#12 needs a review because of 1 finding (unseen).',
  ]);
  expect(result.stdout).toContain('::notice title=unseen,file=guides/setup.mdx,line=10::');
  const failed = await judge({ ...review, inputs: { 'fail-on': 'review' } });
  expect([failed.exitCode, failed.verdict, failed.outputs['result']]).toEqual([
    1,
    'review',
    'judged',
  ]);
  expect(failed.stdout).toContain('::error title=unseen,file=guides/setup.mdx,line=10::');
});

it('rules and allowed-paths change what is found', async () => {
  const after = { ...review.after, 'styles/site.css': 'h1 { color: red }' };
  const inputs = { rules: 'unseen: off\nother-file: block' };
  const result = await judge({ before, after, inputs });
  expect([result.exitCode, result.verdict, result.found]).toEqual([
    ...[1, 'blocked', ['other-file styles/site.css']],
  ]);
  const allowed = await judge({
    before,
    after,
    inputs: { ...inputs, 'allowed-paths': 'styles/*.css' },
  });
  expect(allowed.outputs['message']).toMatch(/^acme\/docs#12 passed with unseen switched off: /);
});

it('a change that must not be merged fails the step, unless fail-on is none', async () => {
  const result = await judge(blocked);
  const message =
    'acme/docs#12 is blocked by 2 findings (dead-address and broken-link): change the pull request.';
  expect(result.exitCode).toBe(1);
  expect(result.outputs).toMatchObject({ verdict: 'blocked', result: 'judged', message });
  expect(result.summary).toMatch(/^### ⛔ Blocked\n/);
  expect(annotations(result, 'error').at(-1)).toBe(message);
  const warned = await judge({ ...blocked, inputs: { 'fail-on': 'none' } });
  expect([warned.exitCode, warned.verdict]).toEqual([0, 'blocked']);
  expect(warned.stdout).not.toMatch(/^::(?:error|warning|notice)/m);
  expect(warned.stdout).toContain(`${message}\n`);
});

describe('a page that did not change blocks, if the change takes away', () => {
  const settings = (variables: object) =>
    JSON.stringify({ navigation: { pages: ['index', 'guides/setup'] }, variables });
  const site = {
    ...before,
    'docs.json': settings({ 'api-url': 'https://api.acme.dev', version: '2.0' }),
    'guides/setup.mdx': page('Setup', 'Ask {{api-url}} for {{version}}: <Hint />'),
    'index.mdx': `import { Hint } from '/snippets/hint.mdx'\n\nWelcome. <Hint />`,
    'snippets/hint.mdx': 'export const Hint = () => <b>Take care.</b>\n',
  };

  it('a variable of the settings', async () => {
    const after = { ...site, 'docs.json': settings({ version: '2.0' }) };
    const { verdict, found } = await judge({ before: site, after });
    expect([verdict, found]).toEqual([
      'blocked',
      ['not-valid guides/setup.mdx:8', 'settings-changed docs.json:1'],
    ]);
  });

  it('what it imports from a snippet', async () => {
    const after = { ...site, 'snippets/hint.mdx': 'Take care.\n' };
    const { verdict, found } = await judge({ before: site, after });
    expect([verdict, found]).toEqual(['blocked', ['not-valid index.mdx:1']]);
  });

  const importOf = (file: string) => `import Needs from '/snippets/${file}.mdx'\n\n`;
  const linking = {
    ...before,
    'index.mdx': page('Acme', 'See [what it needs](/guides/setup#needs).'),
    'guides/setup.mdx': page('Setup', `${importOf('outer')}<Needs />`),
    'guides/other.mdx': page('Other', 'Nothing of it.'),
    'snippets/outer.mdx': `${importOf('needs')}<Needs />\n`,
    'snippets/needs.mdx': '## Needs\n\nA computer.\n',
    'snippets/hint.mdx': 'Take care.\n',
  };
  it.each<[what: string, after: Files]>([
    ['itself', { 'guides/setup.mdx': page('Setup', 'Set it up.') }],
    ['its name in the text', { 'guides/setup.mdx': page('Setup', importOf('outer')) }],
    [
      'its file, so that the name means another snippet',
      { 'guides/setup.mdx': page('Setup', `${importOf('hint')}<Needs />`) },
    ],
    ['the snippet in it', { 'snippets/outer.mdx': 'See above.\n' }],
    [
      'itself, to another page',
      {
        'guides/setup.mdx': page('Setup', 'Set it up.'),
        'guides/other.mdx': linking['guides/setup.mdx'],
      },
    ],
  ])('the snippet whose section it links to: %s', async (_what, after) => {
    const { verdict, found } = await judge({ before: linking, after: { ...linking, ...after } });
    expect([verdict, found[0]]).toEqual(['blocked', 'broken-link index.mdx:8']);
  });

  it('no snippet that only code shows', async () => {
    const used = `${importOf('needs')}export const Part = () => <Needs />\n\n<Part />`;
    const after = { ...linking, 'guides/setup.mdx': page('Setup', used) };
    expect((await judge({ before: linking, after })).verdict).toBe('review');
  });
});

describe('the settings block at their own line, in whichever file, if the change takes away', () => {
  const settings = JSON.stringify({
    navigation: { pages: ['index'], tabs: [{ $ref: './tabs/guides.json' }] },
    redirects: [{ source: '/start', destination: '/guides/setup' }],
  });
  const site: Files = {
    ...before,
    'docs.json': settings,
    'tabs/guides.json': '{ "tab": "Guides",\n "href": "/guides/setup" }',
  };

  it('the page that they lead to: a tab and a redirect are named', async () => {
    const { 'guides/setup.mdx': _page, ...after } = site;
    const { exitCode, verdict, found } = await judge({ before: site, after });
    expect([exitCode, verdict, found]).toEqual([
      1,
      'blocked',
      ['broken-link tabs/guides.json:2', 'dead-address docs.json:1', 'gone guides/setup.mdx'],
    ]);
  });

  it('nothing, so that the page can move with its redirect', async () => {
    const { 'guides/setup.mdx': setup, ...rest } = site;
    const redirects = ['/start', '/guides/setup'].map((source) => ({
      source,
      destination: '/setup',
    }));
    const moved = JSON.stringify({ ...JSON.parse(settings), redirects });
    const after: Files = { ...rest, 'docs.json': moved, 'setup.mdx': setup ?? '' };
    expect((await judge({ before: site, after })).verdict).toBe('passed');
  });
});

describe('the comment', () => {
  const inputs = { comment: 'true' };
  /** A pull request that only changes what is not the docs' business. */
  const elsewhere = {
    before: { 'docs/docs.json': before['docs.json'] ?? '', 'docs/index.mdx': 'Hi.', 'a.js': '1' },
    after: { 'docs/docs.json': before['docs.json'] ?? '', 'docs/index.mdx': 'Hi.', 'a.js': '2' },
    ...byEvent,
    inputs: { ...inputs, 'pr-link': '' },
  };

  it('does not keep an earlier verdict if there is nothing to judge any more', async () => {
    const after = { ...elsewhere.before, 'docs/index.mdx': 'Hello.' };
    const { comments: earlier } = await judge({ ...elsewhere, after });
    expect(earlier[0]?.body).toContain('Passed');
    const { outputs, comments } = await judge({ ...elsewhere, comments: earlier });
    expect(outputs['result']).toBe('skipped');
    expect(comments.map(({ body }) => body.split('\n').slice(1))).toEqual([
      [
        '### ⏭️ The check was skipped',
        '',
        '<code>Nothing was judged, because acme/docs&#35;12 changes no file of the docs in "docs".</code>',
        '',
      ],
    ]);
  });

  it('is not begun where there is nothing to judge', async () => {
    expect((await judge(elsewhere)).comments).toEqual([]);
  });

  it('has the report', async () => {
    const { comments, summary } = await judge({ ...blocked, inputs });
    expect(comments).toMatchObject([{ login: 'github-actions[bot]' }]);
    const marker = /^<!-- docs-agent-action check v1 docs=[\da-f]{12} -->\n/;
    expect(comments[0]?.body).toMatch(marker);
    expect(comments[0]?.body.replace(marker, '').trim()).toBe(summary.trim());
  });

  it('says that the pull request could not be judged, once it was read', async () => {
    const faults = [{ on: /git\/trees/, effect: respondWith(403) }];
    const { comments, outputs } = await judge({ ...passed, inputs, faults });
    expect(outputs['reason']).toBe('pull-request-unreadable');
    expect(comments.map(({ body }) => body)).toEqual([
      expect.stringContaining('could not be read, because GitHub responded with 403'),
    ]);
  });

  it('has the end of the run, even if the announcement takes longer', async () => {
    const { comments: earlier } = await judge({ ...passed, inputs });
    const { requests, comments } = await judge({
      ...passed,
      inputs,
      comments: earlier,
      faults: [
        { on: /^GET .*pulls\/12/, effect: respondWith(404) },
        { on: /^PATCH/, times: 1, effect: { kind: 'late', delayMs: 300 } },
      ],
    });
    expect(requests.map(({ method }) => method).filter((each) => each === 'PATCH')).toHaveLength(2);
    expect(comments[0]?.body).toContain('### ❌ The check ended with an error');
  });

  it('keeps no verdict of an earlier run if the run is cancelled', async () => {
    const { comments: earlier } = await judge({ ...passed, inputs });
    expect(earlier[0]?.body).toContain('### ✅ Passed');
    const cancel = new AbortController();
    const change = (body: unknown) => {
      cancel.abort();
      return body;
    };
    const cancelled = await judge({
      ...blocked,
      inputs,
      comments: earlier,
      cancel: cancel.signal,
      faults: [
        { on: /^GET .*pulls\/12/, effect: silence },
        { on: /^PATCH .*comments/, effect: { kind: 'change', change } },
      ],
    });
    expect(cancelled.outputs).toEqual({
      result: 'cancelled',
      message: 'The run was cancelled before there was a verdict.',
    });
    expect(cancelled.exitCode).toBe(1);
    expect(cancelled.summary).toMatch(/^### 🛑 The check was cancelled\n/);
    expect(cancelled.comments.map(({ body }) => body.split('\n').slice(1))).toEqual([
      [
        '### ⏳ Being checked',
        '',
        expect.stringMatching(
          /^<a href=".*">This run<\/a> checks the newest commit, and then writes its verdict here\. If it was cancelled, run it again\.$/,
        ),
        '',
      ],
    ]);
  });

  it('that cannot be written is warned of, and changes no verdict', async () => {
    const refused = {
      ...passed,
      inputs,
      faults: [{ on: /^POST .*comments/, effect: respondWith(403) }],
    };
    const result = await judge(refused);
    expect(result.exitCode).toBe(0);
    expect(result.verdict).toBe('passed');
    const warningOf = (token: string) => [
      `The comment on acme/docs#12 could not be written, because GitHub responded with 403 ("Refused by the test"): give ${token} the permission "pull-requests: write" on acme/docs, and check that the conversation is not locked.`,
    ];
    expect(annotations(result, 'warning')).toEqual(warningOf('github-token'));
    // No permission of a workflow's own token reaches another repository.
    const elsewhere = await judge({ ...refused, env: { GITHUB_REPOSITORY: 'acme/product' } });
    expect(annotations(elsewhere, 'warning')).toEqual(warningOf('docs-token'));
  });
});

describe('a pull request that cannot be read', () => {
  it('has advice on the token that was to read it', async () => {
    const faults = [{ on: /pulls\/12/, effect: respondWith(403) }];
    const inputs = { 'docs-token': 'ghp_docs', comment: 'true' };
    const result = await judge({ ...passed, inputs, faults });
    expect(result.comments).toEqual([]);
    expect(new Set(result.requests.map(({ token }) => token))).toEqual(new Set(['ghp_docs']));
    expect(result.outputs['message']).toContain(
      ': give docs-token the permission "pull-requests: read" on acme/docs.',
    );
  });

  it('is an error without a verdict', async () => {
    const pull = 'https://github.example/acme/docs/pull/13';
    const env = { GITHUB_REPOSITORY: 'acme/product' };
    const result = await judge({ ...passed, inputs: { 'pr-link': pull }, env });
    expect(result.exitCode).toBe(1);
    expect(result.outputs).toEqual({
      result: 'error',
      reason: 'pull-request-unreadable',
      message: expect.stringMatching(
        /^Pull request acme\/docs#13 could not be read, because .*404.*: docs-token is empty, and this workflow's own token sees no repository acme\/docs, so if that is its name, create a .*"pull-requests: read"/,
      ),
    });
  });
});
