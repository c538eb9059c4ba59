import { describe, expect, it } from 'vitest';
import {
  createOutputWriter,
  type OutputTable,
  type OutputValue,
} from '../../../src/runner/runner.ts';
import { fakeRunner } from '../../helpers/fake-runner.ts';

interface State {
  readonly link?: string;
  readonly pages?: readonly string[];
  readonly other?: number;
}

const table: OutputTable<State> = {
  link: ({ link }) => link,
  pages: ({ pages }) => pages && { json: JSON.stringify(pages) },
};

/** A writer, and the outputs that it has written since the last call. */
function writer() {
  const written: (readonly [name: string, value: OutputValue])[] = [];
  const write = createOutputWriter(table, {
    ...fakeRunner(),
    setOutput: (name, value) => written.push([name, value]),
  });
  return { write, news: () => written.splice(0) };
}

describe('the writer of outputs', () => {
  it('writes an output as soon as it is known', () => {
    const { write, news } = writer();
    write({});
    expect(news()).toEqual([]);
    write({ link: 'a' });
    expect(news()).toEqual([['link', 'a']]);
    write({ link: 'a', pages: ['/'] });
    expect(news()).toEqual([['pages', { json: '["/"]' }]]);
  });

  it('writes an output again only when it has changed, text and JSON alike', () => {
    const { write, news } = writer();
    write({ link: 'a', pages: ['/'] });
    news();
    write({ link: 'a', pages: ['/'], other: 1 });
    expect(news()).toEqual([]);
    write({ link: 'b', pages: ['/', '/a'] });
    expect(news()).toEqual([
      ['link', 'b'],
      ['pages', { json: '["/","/a"]' }],
    ]);
  });

  it('empties an output that is no longer known, once', () => {
    const { write, news } = writer();
    write({ link: 'a' });
    news();
    write({});
    write({});
    expect(news()).toEqual([['link', '']]);
  });

  it('says how much of a list it leaves out, once', () => {
    const runner = fakeRunner();
    const list: OutputTable<State> = { pages: () => ({ json: '["/"]', leftOut: 2 }) };
    const write = createOutputWriter(list, runner);
    write({});
    write({ other: 1 });
    expect(runner.told).toEqual([
      'pages=["/"]',
      'warning: The output pages leaves out 2 entries, because it would be too long.',
    ]);
  });

  it('never writes an empty output that was empty before', () => {
    const { write, news } = writer();
    write({ link: '' });
    expect(news()).toEqual([]);
  });

  it('writes an output once more that could not be written', () => {
    const written: string[] = [];
    let isFull = true;
    const write = createOutputWriter(table, {
      ...fakeRunner(),
      setOutput(name) {
        if (isFull) {
          throw new Error('no space left');
        }
        written.push(name);
      },
    });
    expect(() => write({ link: 'a' })).toThrow('no space left');
    isFull = false;
    write({ link: 'a' });
    expect(written).toEqual(['link']);
  });
});
