import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readSentences } from '../../scripts/error-list.ts';
import { gap } from '../../scripts/sentences.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const sentences = readSentences();

const patterns = sentences.map(({ text }) => {
  const parts = text.split(gap).map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^]*')}$`);
});

/** What steps were seen to end with: sentences alone, and the log's closing lines. */
const seen = globSync('test/dist/__snapshots__/*.snap', { cwd: root })
  .map((file) => readFileSync(join(root, file), 'utf8'))
  .flatMap((text) => [
    ...text.matchAll(/= `"([A-Z].*)"`;$/gm),
    ...text.matchAll(/"::error::(.*)",?$/gm),
  ])
  .map(([, sentence = '']) => sentence.replace(/\\(.)/g, '$1'));

describe('the list of errors', () => {
  it('has every sentence that a bundle was seen to end with', () => {
    expect(seen.length).toBeGreaterThan(20);
    expect(seen.filter((text) => !patterns.some((pattern) => pattern.test(text)))).toEqual([]);
  });

  it('says more of every sentence than that there is one', () => {
    const letters = (text: string) => text.replaceAll(gap, '').length;
    expect(sentences.filter(({ text }) => letters(text) < 25)).toEqual([]);
  });

  it('has sentences for each reason', () => {
    expect([...new Set(sentences.map(({ group }) => group))]).toHaveLength(14);
  });

  it('has the reasons that the manifest names', () => {
    const manifest = readFileSync(join(root, 'action.yml'), 'utf8');
    const [, named = ''] = /Why it is error:\s+([^.]*)\./.exec(manifest) ?? [];
    const reasons = sentences
      .map(({ group }) => group)
      .filter((group) => group !== 'skipped' && group !== 'ending');
    expect(named.split(/,\s+|\s+or\s+/).toSorted()).toEqual([...new Set(reasons)].toSorted());
  });
});
