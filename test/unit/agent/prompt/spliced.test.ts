import { expect, it } from 'vitest';
import { findSpliced } from '../../../../src/agent/prompt/spliced.ts';

const payload = {
  action: 'opened',
  issue: {
    title: 'Document the new flag',
    body: 'Please say what  --fast\r\n\r\ndoes.',
    number: 7,
  },
  comment: { body: 'thanks!' },
  pull_request: { title: null, head: { ref: 'feature/$(rm -rf)' } },
};

it.each([
  ['the title', ['Do this: Document the new flag.'], ['issue.title']],
  [
    'the body, whatever became of its lines',
    ['"Please say what --fast\n\n does."'],
    ['issue.body'],
  ],
  ['a value of variables', ['{{text}}', 'Document the new flag'], ['issue.title']],
  ['a branch', ['on feature/$(rm -rf)'], ['pull_request.head.ref']],
  ['both', ['Document the new flag: Please say what --fast does.'], ['issue.title', 'issue.body']],
  ['text that is short', ['say thanks!'], []],
  ['other text', ['Document the flag, please.'], []],
  ['a placeholder', ['{{event.issue.title}}'], []],
])('%s', (_name, texts, fields) => {
  expect(findSpliced(texts, payload)).toEqual(fields);
});

it.each([[null], ['text'], [[]], [{ issue: 'text' }]])(
  'of the payload %j nothing is found',
  (other) => {
    expect(findSpliced(['Document the new flag'], other)).toEqual([]);
  },
);
