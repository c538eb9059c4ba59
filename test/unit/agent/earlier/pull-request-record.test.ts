import { expect, it } from 'vitest';
import {
  latestOf,
  type RecordedComment,
  type Source,
  whoAsked,
} from '../../../../src/agent/earlier/pull-request-record.ts';

const ours: Source = { id: '1', name: 'acme/product' };
const renamed: Source = { id: '1', name: 'acme/old-name' };
const nameless: Source = { id: '', name: 'ACME/Product' };
const other: Source = { id: '2', name: 'acme/product' };
const stranger: Source = { id: '', name: 'evil/product' };

function comment(source: Source | undefined, isSigned: boolean, round = 1): RecordedComment {
  const record = { jobId: 'job_1', round, run: '', head: '', source };
  return { ...record, id: round, body: '', isSigned } as RecordedComment;
}

const signed = (source?: Source, round?: number) => comment(source, true, round);
const unsigned = (source?: Source, round?: number) => comment(source, false, round);

it.each<[string, readonly RecordedComment[], string]>([
  ['no comment', [], 'ours'],
  ['our own', [signed(ours)], 'ours'],
  ['our own, from before a rename', [signed(renamed)], 'ours'],
  ['our own, without an id', [signed(nameless)], 'ours'],
  ['an older one of ours, which names none', [signed()], 'ours'],
  ["another repository's", [signed(other)], 'another 2'],
  ['the latest with our signature', [signed(other, 1), signed(ours, 2)], 'ours'],
  ['the latest with our signature, of another', [signed(ours, 1), signed(other, 2)], 'another 2'],
  ['ours, whatever others claim', [unsigned(stranger, 9), signed(ours)], 'ours'],
  ['unsigned ones that agree', [unsigned(stranger), unsigned(stranger, 2)], 'another '],
  ['unsigned ones, of which one names none', [unsigned(), unsigned(stranger)], 'ours'],
  ['unsigned ones that disagree', [unsigned(stranger, 7), unsigned(ours, 8)], 'contradiction 8,7'],
])('who asked for a pull request: %s', (_name, comments, expected) => {
  const askedBy = whoAsked(comments, ours);
  const detail = {
    ours: () => '',
    another: () => ('source' in askedBy ? ` ${askedBy.source.id}` : ''),
    contradiction: () => ('comments' in askedBy ? ` ${askedBy.comments.map(({ id }) => id)}` : ''),
  }[askedBy.kind]();
  expect(askedBy.kind + detail).toBe(expected);
});

it('the comment with the most rounds is the latest, and of those the first', () => {
  const comments = [signed(ours, 2), signed(ours, 3), signed(other, 3), signed(ours, 1)];
  expect(latestOf(comments)).toBe(comments[1]);
  expect(latestOf([])).toBeUndefined();
});
