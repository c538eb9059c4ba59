import { expect, it } from 'vitest';
import { createOutputWriter, type OutputTable } from '../../../src/runner/runner.ts';
import { fakeRunner } from '../../helpers/fake-runner.ts';

interface State {
  readonly link?: string;
  readonly pages?: readonly string[];
  readonly leftOut?: number;
}

const table: OutputTable<State> = {
  link: ({ link }) => link,
  pages: ({ pages, leftOut = 0 }) => pages && { json: JSON.stringify(pages), leftOut },
};

it.each<[string, readonly State[], readonly string[]]>([
  ['nothing before it is known, or while it is empty', [{}, { link: '' }], []],
  ['each output as soon as it is known, and once', [{ link: 'a' }, { link: 'a' }], ['link=a']],
  [
    'what has changed, text and JSON alike',
    [
      { link: 'a', pages: ['/'] },
      { link: 'a', pages: ['/', '/a'] },
      { link: 'b', pages: ['/', '/a'] },
    ],
    ['link=a', 'pages=["/"]', 'pages=["/","/a"]', 'link=b'],
  ],
  [
    'an output that is empty again, once, but none that a state says nothing of',
    [{ link: 'a' }, {}, { link: '' }, { link: '' }],
    ['link=a', 'link='],
  ],
  [
    'how much of a list is left out, once',
    [
      { pages: ['/'], leftOut: 1 },
      { link: 'a', pages: ['/'], leftOut: 1 },
      { link: 'a', pages: ['/', '/a'], leftOut: 2 },
    ],
    [
      'pages=["/"]',
      'warning: The output pages leaves out 1 entry, because it would be too long.',
      'link=a',
      'pages=["/","/a"]',
      'warning: The output pages leaves out 2 entries, because it would be too long.',
    ],
  ],
])('the writer of outputs writes %s', (_name, states, told) => {
  const runner = fakeRunner();
  states.forEach(createOutputWriter(table, runner));
  expect(runner.told).toEqual(told);
});

it('an output that could not be written is written once more', () => {
  const runner = fakeRunner();
  let isFull = true;
  const write = createOutputWriter(table, {
    ...runner,
    setOutput(name, value) {
      if (isFull) {
        throw new Error('no space left');
      }
      runner.setOutput(name, value);
    },
  });
  expect(() => write({ link: 'a' })).toThrow('no space left');
  isFull = false;
  write({ link: 'a' });
  expect(runner.told).toEqual(['link=a']);
});
