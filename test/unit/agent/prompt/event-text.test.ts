import { describe, expect, it } from 'vitest';
import { type AskedField, readFieldTexts } from '../../../../src/agent/prompt/event-text.ts';

const never = new AbortController().signal;

/** The text of a field, whose path is written with dots. */
async function textOf(path: string, value: unknown): Promise<string> {
  const field: AskedField = { path: path.split('.'), value };
  const read = await readFieldTexts([field], never);
  return read.kind === 'done' ? (read.output.texts[0] ?? '') : read.kind;
}

const markdown = 'a <!-- b --> `c` <T>';

describe('fields of the event', () => {
  it.each([
    'issue.body',
    'comment.body',
    'pull_request.body',
    'review.body',
    'discussion.body',
    'release.body',
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
    const read = await readFieldTexts([{ path: ['issue'], value }], never);
    expect(read).toEqual({
      kind: 'done',
      output: {
        texts: [
          '{"title":"a<!-- b -->","body":"a","labels":[{"name":"c<d>","description":"f"},null,7]}',
        ],
        removed: { comment: 1, tag: 1, invisible: 1 },
      },
    });
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

describe('text that was crafted to keep a parser busy', () => {
  it('is given up', async () => {
    expect(await textOf('issue.body', `<b>${'*a_'.repeat(20_000)}`)).toBe('exhausted');
  });

  it('is not parsed further after a cancel', async () => {
    const cancel = new AbortController();
    const field = { path: ['issue', 'body'], value: `<b>${'>'.repeat(60_000)}` };
    const reading = readFieldTexts([field], cancel.signal);
    cancel.abort(new Error('cancelled'));
    await expect(reading).rejects.toThrow('cancelled');
  });
});
