import { expect, test } from 'vitest';
import { Texts } from '../../../../src/check/reading/texts.ts';
import { plainOf } from '../../../../src/check/sentence.ts';
import { fakeClock } from '../../../helpers/fake-runner.ts';
import { githubSession, noSignal, type Script } from '../../../helpers/servers.ts';

/** Reads files of these sizes, of which by default neither GraphQL nor a single request returns anything. */
async function read(sizes: readonly number[], script: Script = () => ({ status: 404, body: {} })) {
  const { server, session } = await githubSession(script);
  const texts = new Texts({
    session,
    repository: 'acme/docs',
    clock: fakeClock(),
    signal: noSignal,
  });
  const files = sizes.map((bytes, index) => {
    const kind = index === 1 ? 'executable' : 'file';
    return { path: `${index}.mdx`, sha: `${index}`, kind, bytes } as const;
  });
  await texts.read(files);
  // Nothing is read, or counted, a second time.
  await texts.read(files);
  const queries = server.arrivals.filter(({ path }) => path === '/graphql');
  return {
    texts: files.map((file) => texts.of(file)),
    queries: queries.length,
    singles: server.arrivals.length - queries.length,
    problems: [...texts.unread].map(([path, problem]) => `${path}: ${plainOf(problem)}`),
  };
}

const tooLarge = 'it has more than 8 MB, or more than 60 MB together with the files before it';
const full = Array<number>(8).fill(7_500_000);

test.each([
  [[8_000_000], []],
  [[8_000_001], [`0.mdx: ${tooLarge}`]],
  [full, []],
  [[...full, 1], [`8.mdx: ${tooLarge}`]],
  [[...full.slice(1), 7_600_000, 1], [`7.mdx: ${tooLarge}`]],
  [Array<number>(300).fill(1), []],
  [Array<number>(301).fill(1), ['300.mdx: it would take too many requests']],
])(
  'files are not asked for above a limit of their sizes and requests: %#',
  async (sizes, refused) => {
    const { problems, singles } = await read(sizes);
    const failed = '.mdx: the download failed ("GitHub responded with 404")';
    expect(problems.filter((problem) => !problem.endsWith(failed))).toEqual(refused);
    expect([problems.length, singles]).toEqual([sizes.length, sizes.length - refused.length]);
  },
);

test('files are not parsed above a limit of their lines together', async () => {
  const text = '\n'.repeat(299_999);
  const { session } = await githubSession(() => ({
    status: 200,
    body: { data: { repository: { b0: { text, isBinary: false, isTruncated: false } } } },
  }));
  const deps = { session, repository: 'acme/docs', clock: fakeClock(), signal: noSignal };
  const texts = new Texts(deps);
  const files = Array.from({ length: 6 }, (_, index) => {
    return { path: `${index}.mdx`, sha: '0', kind: 'file', bytes: text.length } as const;
  });
  const pages = await texts.parse(files, () => '');
  expect(pages.size).toBe(5);
  expect([...texts.unread].map(([path, problem]) => `${path}: ${plainOf(problem)}`)).toEqual([
    '5.mdx: the pages and API descriptions of the change have more than 1,500,000 lines together',
  ]);
});

test.each([
  [Array<number>(100).fill(1), 1],
  [Array<number>(101).fill(1), 2],
  [[400_000, 400_000, 200_000], 1],
  [[400_000, 400_000, 200_000, 1], 2],
  [[400_001], 0],
])('GraphQL has a hundred files, or a megabyte, in each response: %#', async (sizes, queries) => {
  expect((await read(sizes)).queries).toBe(queries);
});

test('a text that GraphQL cuts, or does not return, is read by itself', async () => {
  const blobs = [
    { text: 'cut', isBinary: false, isTruncated: true },
    { text: 'whole', isBinary: false, isTruncated: false },
    { text: null, isBinary: true, isTruncated: false },
    { text: null, isBinary: null, isTruncated: false },
    null,
    { text: 7 },
  ];
  const contents = new Map([
    ['0', Buffer.from('one')],
    ['3', Buffer.from('a\u0000')],
    ['4', Buffer.from('foür')],
    ['5', Buffer.from([0xff])],
  ]);
  const { texts, problems } = await read(Array<number>(7).fill(1), (route) => {
    if (route === 'POST /graphql') {
      const fields = Object.fromEntries(blobs.map((blob, index) => [`b${index}`, blob]));
      return { status: 200, body: { data: { repository: fields } } };
    }
    const content = contents.get(route.split('/').at(-1) ?? '');
    const encoding = content === undefined ? 'none' : 'base64';
    return { status: 200, body: { content: content?.toString('base64') ?? '', encoding } };
  });
  expect(texts).toEqual(['one', 'whole', undefined, undefined, 'foür', undefined, undefined]);
  expect(problems).toEqual([
    '6.mdx: the download failed ("GitHub responded with 200, but in a form that this action cannot read")',
  ]);
});
