import { describe, expect, it } from 'vitest';
import { annotations, runWithLabel } from '../helpers/run.ts';
import { none, oneJobTried, type Routes, routes } from '../helpers/servers.ts';

/** A token without a permission that only the next run needs. */

const refused = { status: 403, body: { message: 'Resource not accessible by integration' } };
const needed = 'the permissions "issues: write" and "pull-requests: write"';

describe('a pull request that the token may not read', () => {
  const unread: Routes = { ...none, [routes.pull]: refused, [routes.files]: refused };
  const sentence = `The title and files of pull request acme/docs#12 could not be read, because GitHub responded with 403 ("Resource not accessible by integration"): give docs-token ${needed} on acme/docs.`;

  it.each(['new', 'continue', 'skip'])(
    'is a warning in the log and the summary if a later run has to read it, with on-open-pr %s',
    async (onOpen) => {
      const run = await runWithLabel(unread, { 'on-open-pr': onOpen });
      expect(run.outputs['result']).toBe('pull-request');
      expect(annotations(run, 'warning')).toEqual([sentence]);
      expect(run.summary).toMatch(/^⚠️ The title and files of pull request .* could not be read/m);
    },
  );

  it('is a line of the log without a label', async () => {
    const run = await runWithLabel(unread, { 'pr-label': '', 'on-open-pr': '' });
    expect(annotations(run, 'warning')).toEqual([]);
    expect(run.stdout).toContain(
      'could not be read, because GitHub responded with 403 ("Resource not accessible by integration"): give docs-token the permission "pull-requests: read" on acme/docs.',
    );
  });

  it('of a private repository asks for a token with all that it needs', async () => {
    const hidden = { status: 404, body: { message: 'Not Found' } };
    const run = await runWithLabel(
      { ...none, [routes.pull]: hidden, [routes.files]: hidden },
      { 'on-open-pr': 'new' },
    );
    expect(run.stdout).toContain(
      `docs-token is empty, and this workflow's own token cannot see acme/docs, so create a fine-grained token for it that has ${needed}, store it`,
    );
  });

  it('is looked for with an empty token, which says what a token needs', async () => {
    const run = await runWithLabel(none, { 'github-token': '' });
    expect(run.outputs['message']).toBe(
      `Nothing was started, because this run may belong to an open pull request, and input docs-token is empty: leave it out, or give a token that has ${needed} on acme/docs.`,
    );
  });
});

describe('a dry run', () => {
  const readable = { status: 200, body: {} };
  const list = 'GET /repos/acme/docs/pulls';

  it.each([
    ['can', { status: 200, body: [] }, '| ✅ | Pull requests | docs-token can read those of'],
    ['cannot', refused, '| ⚠️ | Pull requests | docs-token cannot read those of'],
  ])('says whether a token %s read pull requests', async (_name, reply, row) => {
    const run = await runWithLabel(
      { ...none, 'GET /repos/acme/docs': readable, [list]: reply },
      { 'dry-run': 'true' },
      oneJobTried,
    );
    expect(run.outputs['result']).toBe('ready');
    expect(run.summary).toContain(row);
    expect(run.github.calls).toContain(`${list}?per_page=1`);
  });

  it('does not try it where no run has to read one', async () => {
    const inputs = { 'dry-run': 'true', 'pr-label': '', 'on-open-pr': '' };
    const run = await runWithLabel(
      { ...none, 'GET /repos/acme/docs': readable },
      inputs,
      oneJobTried,
    );
    expect(run.count(list)).toBe(0);
  });
});
