import { array, object, parse, string } from 'valibot';
import { describe, expect, it } from 'vitest';
import {
  left,
  list,
  patch,
  post,
  runWithComment as run,
  sealedIn,
} from '../helpers/comment-run.ts';
import { oldHead, pullBody } from '../helpers/open-pull-request.ts';
import { type EventRun, githubToken } from '../helpers/run-on-event.ts';
import { active, created, ended, silence } from '../helpers/scripted-api.ts';
import type { Reply, Routes } from '../helpers/scripted-github.ts';

const elsewhere = 'https://gitlab.example/acme/docs/-/merge_requests/3';
const docsToken = 'github_pat_d0cs';

/** A comment of an earlier run, with links as paths on the local GitHub. */
interface EarlierComment {
  readonly link?: string;
  readonly earlier?: readonly string[];
  readonly jobId?: string;
  readonly author?: string;
  readonly signedWith?: string;
}

/** A thread with the comment of an earlier run, which names pull requests. */
function comment({ link = '', earlier = [], ...fields }: EarlierComment): Routes {
  const listed: Reply = (request, response) => {
    const absolute = (path: string) =>
      path.startsWith('/') ? `http://${request.headers.host}${path}` : path;
    const links = { link: absolute(link), earlier: earlier.map(absolute) };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify([left({ ...fields, ...links })]));
  };
  return { [list]: listed };
}

function pulls(states: Readonly<Record<number, Reply>>): Routes {
  return Object.fromEntries(
    Object.entries(states).map(([number, reply]) => [
      `GET /repos/acme/docs/pulls/${number}`,
      reply,
    ]),
  );
}

const open: Reply = { status: 200, body: pullBody() };
const closed: Reply = { status: 200, body: pullBody(oldHead, { state: 'closed', merged: true }) };

/** The line about earlier pull requests, with plain links, and the marker's part about them. */
function lineOf(text: string | undefined) {
  const plain = (text ?? '')
    .replaceAll(/<a href="([^"]*)"><code>([^<]*)<\/code><\/a>/g, '[$2]($1)')
    .replaceAll(/127\.0\.0\.1:\d+/g, 'HOST')
    .replaceAll('&#35;', '#');
  const lines = plain.split('\n').filter((line) => line.startsWith('**From earlier runs:**'));
  return { lines, ...linksIn(text) };
}

/** The links that the next run finds in a comment. */
function linksIn(text: string | undefined) {
  const { link, earlier } = parse(sealedLinks, sealedIn(text));
  const plain = (each: string) => each.replace(/127\.0\.0\.1:\d+/, 'HOST');
  return { link: plain(link), marked: earlier.map(plain) };
}

const sealedLinks = object({ link: string(), earlier: array(string()) });

describe('a comment that is taken over for another job', () => {
  it('keeps the earlier pull requests that are still open, in one line', async () => {
    const earlier = ['/acme/docs/pull/8', '/acme/docs/pull/7', elsewhere];
    const { written, github, count } = await run(
      {
        ...comment({ link: '/acme/docs/pull/9', earlier }),
        ...pulls({ 9: open, 8: closed, 7: { status: 404, body: { message: 'Not Found' } } }),
      },
      { inputs: { 'docs-token': docsToken } },
    );
    expect([count(post), count(patch)]).toEqual([0, 2]);
    const link = (number: number) => `[acme/docs#${number}](http://HOST/acme/docs/pull/${number})`;
    for (const text of written()) {
      expect(lineOf(text)).toMatchObject({
        lines: [
          `**From earlier runs:** ${link(9)} (still open), ${link(7)}, [https&#58;//gitlab.example/acme/docs/-/merge&#95;requests/3](https://gitlab.example/acme/docs/-/merge&#95;requests/3)`,
        ],
        marked: ['http://HOST/acme/docs/pull/9', 'http://HOST/acme/docs/pull/7', elsewhere],
      });
    }
    const asked = github.arrivals.filter(({ path }) => path.includes('/pulls/'));
    expect(asked.map(({ path }) => path).toSorted()).toEqual(
      [7, 8, 9].map((number) => `/repos/acme/docs/pulls/${number}`),
    );
    expect(asked.map(({ headers }) => headers.authorization)).toEqual(
      asked.map(() => `token ${docsToken}`),
    );
  });

  it('has no such line if there were no pull requests, or all are closed', async () => {
    for (const routes of [
      comment({}),
      { ...comment({ link: '/acme/docs/pull/9' }), ...pulls({ 9: closed }) },
    ]) {
      const { written } = await run(routes);
      expect(written()).toHaveLength(2);
      expect(written().map(lineOf)).toMatchObject([
        { lines: [], marked: [] },
        { lines: [], marked: [] },
      ]);
    }
  });

  it('keeps the latest five at most', async () => {
    const numbers = [9, 8, 7, 6, 5, 4];
    const earlier = numbers.slice(1).map((number) => `/acme/docs/pull/${number}`);
    const routes = {
      ...comment({ link: '/acme/docs/pull/9', earlier }),
      ...pulls(Object.fromEntries(numbers.map((number) => [number, open]))),
    };
    const { written } = await run(routes);
    expect(lineOf(written().at(-1)).marked).toEqual(
      [9, 8, 7, 6, 5].map((number) => `http://HOST/acme/docs/pull/${number}`),
    );
  });

  it('does not list the pull request that it is about now', async () => {
    const routes = {
      ...comment({ link: '/acme/docs/pull/9', earlier: ['/acme/docs/pull/8'] }),
      ...pulls({ 9: open, 8: open }),
    };
    const { written } = await run(routes, {}, ({ url }) => [
      created,
      active,
      ended('completed', { prLink: `${url}/acme/docs/pull/9` }),
    ]);
    const last = written().at(-1) ?? '';
    expect(linksIn(last)).toEqual({
      link: 'http://HOST/acme/docs/pull/9',
      marked: ['http://HOST/acme/docs/pull/8'],
    });
    expect(lineOf(last).lines.join()).not.toContain('#9');
  });

  it.each([
    ["a stranger's", { author: 'stranger' }],
    ['one signed with another key', { signedWith: 'mint_other' }],
  ])('takes nothing over from %s', async (_name, fields) => {
    const routes = { ...comment({ link: '/acme/docs/pull/9', ...fields }), ...pulls({ 9: open }) };
    const { written, github } = await run(routes);
    expect(written().join()).not.toContain('/pull/9');
    expect(github.calls.filter((call) => call.includes('/pulls/'))).toEqual([]);
  });

  it.each<[string, Routes, Partial<EventRun>]>([
    ['GitHub is silent about one', pulls({ 9: silence }), {}],
    ['GitHub responds with nonsense', pulls({ 9: { status: 200, body: { state: 'ajar' } } }), {}],
    ['the token may not read one', pulls({ 9: { status: 403 } }), {}],
  ])('is written all the same if %s', async (_name, routes, step) => {
    const { written, ...result } = await run(
      { ...comment({ link: '/acme/docs/pull/9' }), ...routes },
      step,
    );
    expect(result.outputs['result']).toBe('pull-request');
    expect(written().at(-1)).toContain('Pull request opened');
    expect(lineOf(written().at(-1)).lines).toEqual([
      '**From earlier runs:** [acme/docs#9](http://HOST/acme/docs/pull/9)',
    ]);
  });

  it('shows that the run was cancelled in time, even if GitHub is silent', async () => {
    const routes = { ...comment({ link: '/acme/docs/pull/9' }), ...pulls({ 9: silence }) };
    const onLine: EventRun['onLine'] = (line, _stream, kill) => {
      if (line.includes('started job')) kill('SIGINT');
    };
    const { written, ...result } = await run(routes, { onLine, speed: 1 }, [created, active]);
    expect(result.outputs['result']).toBe('cancelled');
    expect(written().at(-1)).toContain('### 🛑 The run was cancelled');
    expect(lineOf(written().at(-1)).lines).toHaveLength(1);
  });
});

describe('a comment about the same job', () => {
  it('does not list its own pull request as an earlier one', async () => {
    const routes = {
      ...comment({ jobId: 'job_8f2', link: '/acme/docs/pull/9', earlier: ['/acme/docs/pull/8'] }),
      ...pulls({ 9: open, 8: open }),
    };
    const inputs = { prompt: 'More.', 'job-id': 'job_8f2' };
    const { written, github } = await run(routes, { inputs }, ({ url }) => {
      const before = ended('completed', { prLink: `${url}/acme/docs/pull/9` });
      return [before, active, active, before];
    });
    for (const text of written()) {
      expect(linksIn(text)).toEqual({
        link: 'http://HOST/acme/docs/pull/9',
        marked: ['http://HOST/acme/docs/pull/8'],
      });
      expect(lineOf(text).lines).toEqual([
        '**From earlier runs:** [acme/docs#8](http://HOST/acme/docs/pull/8) (still open)',
      ]);
    }
    const asked = github.arrivals.filter(({ path }) => path.endsWith('/pulls/8'));
    expect(asked.map(({ headers }) => headers.authorization)).toEqual([`token ${githubToken}`]);
  });
});
