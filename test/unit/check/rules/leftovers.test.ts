import { describe, expect, it } from 'vitest';
import { findingsOf, page } from '../../../helpers/change.ts';

const found = (
  rule: 'conflict-marker' | 'agent-chatter',
  before: string,
  after: string,
  path = 'a.mdx',
) =>
  findingsOf({ before: { [path]: before }, after: { [path]: after } }, rule).map(
    ({ line }) => line,
  );

describe('conflict-marker', () => {
  const conflict = '<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> branch';

  it.each(['a.mdx', 'a.md', 'openapi.json', 'docs.json'])('is found in %s', (path) => {
    expect(found('conflict-marker', 'x', `x\n${conflict}`, path)).toEqual([2]);
    expect(found('conflict-marker', conflict, `x\n${conflict}`, path)).toEqual([]);
  });

  it.each([
    'A title\n=======\n\nText',
    '<<<<<<< HEAD alone',
    '>>>>>>> a deep quote\n=======\n<<<<<<< HEAD',
    '> <<<<<<< HEAD\n> =======\n> >>>>>>> branch',
  ])('is not %j', (text) => {
    expect(found('conflict-marker', 'x', text)).toEqual([]);
  });

  it('may be an example in a page about conflicts', () => {
    const sample = `\`\`\`\n${conflict}\n\`\`\``;
    const about = page(`Resolve the conflict:\n\n${sample}`);
    expect(found('conflict-marker', page('x'), about)).toEqual([]);
    expect(found('conflict-marker', page('x'), page(`Run this:\n\n${sample}`))).toHaveLength(1);
    expect(found('conflict-marker', page('x'), `${about}\n${conflict}`)).toHaveLength(1);
  });
});

it('conflict-marker finds a conflict of which a part is gone', () => {
  const start = '```js\n<<<<<<< HEAD\nconst a = 1;\n```';
  expect(found('conflict-marker', 'Text', `${start}\n\nMine\n=======`)).toHaveLength(1);
  expect(found('conflict-marker', 'Text', 'Title\n=======\n\nText')).toEqual([]);
});

describe('agent-chatter', () => {
  it.each([
    'Here is the updated page:',
    "Here's the complete revised MDX content",
    'Sure! Here is what you asked for.',
    "Certainly! I've rewritten it.",
    "I've updated the documentation to match the new API.",
    'As an AI language model, I cannot do that.',
    "Let me know if you'd like me to change anything else.",
    '**Would you like me to** add examples?',
    '[rest of file unchanged]',
    '{/* rest of the page unchanged */}',
    '<!-- ... existing content ... -->',
    '> ... (rest of the document remains unchanged)',
  ])('is %j', (line) => {
    const body = line.startsWith('<!--') ? 'a.md' : 'a.mdx';
    expect(found('agent-chatter', 'Text', `Text\n\n${line}`, body)).toEqual([3]);
    expect(found('agent-chatter', `Text\n\n${line}`, `More\n\n${line}`, body)).toEqual([]);
  });

  it.each([
    'Here is an example of the page that you get:',
    'Here are the fields of the document:',
    'Let me know if you have questions on Discord.',
    'Sure, that works too.',
    'I have updated my settings. What now?',
    'The rest of the file is yours to write.',
    'The rest of this page is the same migration by hand.',
    '- Content of the page that the rest of the file needs',
    '```js\n// ... existing code ...\n// rest of the file unchanged\n```',
  ])('is not %j', (text) => {
    expect(found('agent-chatter', 'Text', `Text\n\n${text}`)).toEqual([]);
  });
});
