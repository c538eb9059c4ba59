import { describe, expect, it } from 'vitest';
import { readTryOptions } from '../../../rehearse/try/options.ts';

const read = (...args: string[]) => readTryOptions(args, '/home/me');

describe('the options of npm run try', () => {
  it('have defaults', () => {
    expect(read('docs.yml')).toEqual({
      path: '/home/me/docs.yml',
      login: 'maintainer',
      byAgent: true,
      repository: undefined,
      rounds: 1,
      minutes: 5,
      change: undefined,
      issue: 1,
      label: undefined,
      eventFile: undefined,
      inputs: {},
      variables: {},
      secrets: {},
      comment: undefined,
      attempt: 1,
    });
  });

  it('are read', () => {
    const args = ['/docs.yml', '--as', 'writer', '--issue=2', '--label', 'a b'];
    expect(read(...args, '--input', 'a=b=c\nd', '--input', 'e=', '--var', 'F_G=h')).toMatchObject({
      path: '/docs.yml',
      login: 'writer',
      byAgent: false,
      issue: 2,
      label: 'a b',
      inputs: { a: 'b=c\nd', e: '' },
      variables: { F_G: 'h' },
    });
    const secrets = ['--secret', 'A=b=c', '--secret', 'D='];
    expect(read('x', ...secrets, '--attempt', '2', '--comment', '/docs now')).toMatchObject({
      secrets: { A: 'b=c', D: '' },
      attempt: 2,
      comment: '/docs now',
    });
    expect(read('x', '--rounds', '2', '--repository', 'acme/docs')).toMatchObject({
      rounds: 2,
      repository: 'acme/docs',
    });
    expect(read('x', '--rounds', '20', '--minutes', '60')).toMatchObject({
      rounds: 20,
      minutes: 60,
    });
    expect(read('x', '--change', 'docs')).toMatchObject({
      change: '/home/me/docs',
      repository: 'acme/docs',
    });
    expect(read('x', '--event', 'e.json')).toMatchObject({ eventFile: '/home/me/e.json' });
  });

  it.each([[[]], [['--help']], [['docs.yml', '-h']]])('%j prints the usage', (args) => {
    expect(read(...args)).toBeUndefined();
  });

  it.each([
    [['--as', 'writer'], 'the workflow is missing'],
    [['docs.yml', 'stranger'], 'stranger is not expected after docs.yml: put options after --'],
    [['docs.yml', '--as', 'bob'], '--as is "bob": give one of owner, maintainer'],
    [['docs.yml', '--repository', 'a/b'], '--repository is "a/b": give one of acme/product, acme'],
    [['docs.yml', '--issue', '4'], '--issue is "4": give a number from 1 to 3'],
    [['docs.yml', '--attempt', '0'], '--attempt is "0": give a number from 1 to 9'],
    [['docs.yml', '--attempt', 'two'], '--attempt is "two": give a number from 1 to 9'],
    [['docs.yml', '--rounds', '21'], '--rounds is "21": give a number from 1 to 20'],
    [['docs.yml', '--minutes', '61'], '--minutes is "61": give a number from 1 to 60'],
    [['docs.yml', '--secret', 'a'], '--secret is "a": give NAME=VALUE'],
    [['docs.yml', '--event', 'e', '--comment', 'c'], '--event and --comment are both given'],
    [['docs.yml', '--input', 'a'], '--input is "a": give NAME=VALUE'],
    [['docs.yml', '--foo'], "Unknown option '--foo': the options are --as, --issue"],
    [['docs.yml', '--as'], ': the options are --as'],
    [['docs.yml', '--event', 'e', '--label', 'l'], '--event and --label are both given'],
  ])('%j is refused', (args, sentence) => {
    expect(() => read(...args)).toThrow(sentence);
  });
});
