import { describe, expect, it } from 'vitest';
import { computeWithin, readEventField } from '../../../../src/agent/prompt/event-text.ts';

function read(path: string, payload: unknown) {
  return readEventField(path.split('.'), 'prompt', { kind: 'payload', payload });
}

/** The text of a field, whose path is written with dots. */
async function textOf(path: string, value: unknown): Promise<string> {
  const payload = path.split('.').reduceRight((inner, name) => ({ [name]: inner }), value);
  return (await read(path, payload)).text;
}

const markdown = 'a <!-- b --> `c` <T>';

describe('fields of the event', () => {
  it.each([
    'issue.body',
    'milestone.description',
    'check_run.output.summary',
    'changes.body.from',
    'client_payload.anything',
  ])('%s is Markdown', async (path) => {
    expect(await textOf(path, markdown)).toBe('a `c`');
  });

  it.each([
    'issue.title',
    'changes.title.from',
    'label.name',
    'issue.labels.0.name',
    'issue.user.login',
    'pull_request.head.ref',
    'workflow_run.head_branch',
    'workflow_run.display_title',
    'repository.full_name',
    'head_commit.message',
    'head_commit.modified',
    'commits.0.added.0',
    'comment.path',
    'client_payload.files',
    'inputs.text',
    'inputs.body',
  ])('%s is plain text, which can only hide invisible characters', async (path) => {
    expect(await textOf(path, `${markdown}\u200B`)).toBe(markdown);
  });

  it('the name of each text in a list or mapping decides how it is read', async () => {
    const value = {
      title: 'a<!-- b -->',
      body: 'a<!-- b -->',
      labels: [{ name: 'c\u200B<d>', description: '<e>f' }, null, 7],
    };
    const { text, leftOut } = await read('issue', { issue: value });
    expect(text).toBe(
      '{"title":"a<!-- b -->","body":"a","labels":[{"name":"c<d>","description":"f"},null,7]}',
    );
    expect(leftOut).toBe(3);
  });

  it('an item of a list is read like the list, and an old value like its field', async () => {
    const path = 'app/__tests__/[id].test.ts';
    const commits = [{ message: 'Fix <T> __a__', added: [], removed: [path], modified: [path] }];
    const changes = { title: { from: 'Fix <T> __a__' }, body: { from: '<!-- a -->b' } };
    const payload = { commits, changes };
    expect(await read('commits', payload)).toMatchObject({
      text: JSON.stringify(commits),
      leftOut: 0,
    });
    expect(await read('changes', payload)).toMatchObject({
      text: '{"title":{"from":"Fix <T> __a__"},"body":{"from":"b"}}',
      leftOut: 1,
    });
  });

  it('text without marks that can hide something stays as it was written', async () => {
    const text = '* a  b\r\n\r\n\tc\n> d_e_f\n';
    expect(await textOf('issue.body', text)).toBe(text);
  });

  it('tells whether GitHub may read a part of it differently', async () => {
    const labels = [{ name: 'docs' }];
    const payload = { issue: { title: '<i', body: '<i title=a/b>', labels } };
    expect((await read('issue.title', payload)).isUnclear).toBe(false);
    expect((await read('issue.body', payload)).isUnclear).toBe(true);
    expect((await read('issue', payload)).isUnclear).toBe(true);
  });

  it.each([
    [null, ''],
    [7, '7'],
    [false, 'false'],
    [[], '[]'],
    ['', ''],
  ])('%j', async (value, text) => {
    expect(await textOf('issue.anything', value)).toBe(text);
  });
});

describe('a null on the way to a field', () => {
  const payload = {
    issue: { milestone: null, user: null, labels: [null], title: 't' },
    pull_request: { head: { repo: null } },
    release: null,
  };

  it.each([
    'issue.milestone.title',
    'issue.user.login',
    'issue.labels.0.name',
    'pull_request.head.repo.owner.login',
    'release.name',
  ])('is empty: %s', async (path) => {
    expect(await read(path, payload)).toMatchObject({ text: '', leftOut: 0 });
  });

  it.each(['issue.milestones.title', 'issue.labels.1.name', 'issue.title.user'])(
    'is no excuse for a name that does not exist: %s',
    async (path) => {
      await expect(read(path, payload)).rejects.toThrow('which does not exist');
    },
  );

  it('does not make up a payload', async () => {
    await expect(read('issue.title', null)).rejects.toThrow('which does not exist');
  });
});

describe('a field that does not exist', () => {
  const payload = { release: { tag_name: 'v1', target_commitish: 'main' }, action: 'published' };

  it.each(['release.tag', 'relaese.tag_name', 'release.body', 'action.name'])(
    '%s',
    async (path) => {
      await expect(read(path, payload)).rejects.toThrow(
        `"{{event.${path}}}", which does not exist`,
      );
    },
  );
});

describe('text that was made to keep a parser busy', () => {
  it('is given up if it is nested too deeply', async () => {
    const body = '<b>'.repeat(20_000);
    await expect(read('issue.body', { issue: { body } })).rejects.toThrow(
      'takes too long to parse',
    );
  });

  it.each([
    ['a long line of code with blanks', `    a${' '.repeat(60_000)}b`],
    ['blanks at the end of lines', `    a${' '.repeat(30_000)}\n    b${'\t'.repeat(30_000)}`],
    ['prices', '$a '.repeat(4000)],
    ['dollars', '$'.repeat(60_000)],
    ['form feeds', `a <${'\f'.repeat(60_000)}b`],
    ['a form feed behind beginnings of footnotes', `a${'[^'.repeat(30_000)}\f<`],
  ])('takes no longer than other text: %s', async (_name, body) => {
    await expect(read('issue.body', { issue: { body } })).resolves.toMatchObject({});
  });

  it('is given up after a time, whatever makes it slow', () => {
    expect(computeWithin(20, () => Array.from({ length: 1e9 }, Math.random))).toBeUndefined();
    expect(computeWithin(60_000, () => 1)).toBe(1);
  });
});
