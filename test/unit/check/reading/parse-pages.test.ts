import { describe, expect, test } from 'vitest';
import { parsePage } from '../../../../src/check/docs/parse-page.ts';
import {
  type PageText,
  type ParseBatch,
  parsePages,
} from '../../../../src/check/reading/parse-pages.ts';
import { fakeClock } from '../../../helpers/fake-clock.ts';
import { noSignal } from '../../../helpers/fake-github.ts';

const texts = (count: number, text = (index: number) => `# Page ${index}\n`): PageText[] =>
  Array.from({ length: count }, (_, index) => ({ path: `${index}.mdx`, text: text(index) }));

/** Exhausted by a page that has the word "bomb". */
function fakeParser(onBatch: (batch: readonly PageText[]) => void = () => {}): ParseBatch {
  return async (batch, _timeoutMs, onPage) => {
    onBatch(batch);
    for (const { text, path } of batch) {
      if (text.includes('bomb')) {
        return 'exhausted';
      }
      onPage(parsePage(text, path));
    }
    return 'done';
  };
}

test('pages come back in their order, from batches of limited size', async () => {
  const sizes: number[] = [];
  const parseBatch = fakeParser((batch) => sizes.push(batch.length));
  const pages = await parsePages(texts(400), { clock: fakeClock(), signal: noSignal, parseBatch });
  expect(pages.map((page) => page?.headings[0]?.text)).toEqual(
    texts(400).map((_, index) => `Page ${index}`),
  );
  expect(sizes).toEqual([150, 150, 100]);
});

test('a page that takes too much has a problem, and the others are parsed', async () => {
  const clock = fakeClock();
  const bomb = texts(20, (index) => (index === 7 ? 'bomb' : `# Page ${index}\n`));
  const pages = await parsePages(bomb, { clock, signal: noSignal, parseBatch: fakeParser() });
  expect(pages[7]?.problem?.what).toMatch(/^takes too much time or memory/);
  expect(pages.filter((page) => page?.problem === undefined)).toHaveLength(19);
});

test('after the overall time, pages are left out', async () => {
  const clock = fakeClock();
  const parseBatch = fakeParser(() => clock.advance(100_000));
  const pages = await parsePages(texts(400), { clock, signal: noSignal, parseBatch });
  expect(pages.filter((page) => page === undefined).length).toBeGreaterThan(0);
  expect(pages[0]?.headings).toHaveLength(1);
});

describe('in processes', () => {
  const deps = { clock: fakeClock(), signal: noSignal };

  test('pages are parsed', async () => {
    const pages = await parsePages(texts(3), deps);
    expect(pages.map((page) => page?.anchors)).toEqual([['page-0'], ['page-1'], ['page-2']]);
  });

  test('a cancelled run ends with its reason', async () => {
    const signal = AbortSignal.abort(new Error('cancelled'));
    await expect(parsePages(texts(1), { ...deps, signal })).rejects.toThrow('cancelled');
  });
});
