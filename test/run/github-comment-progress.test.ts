import { describe, expect, it } from 'vitest';
import { type EventRun, runWithComment as run } from '../helpers/run.ts';
import {
  active,
  apiKey,
  created,
  ended,
  githubToken,
  jobBody,
  list,
  patch,
  post,
  type Reply,
  type Routes,
  refusal,
  silence,
} from '../helpers/servers.ts';

describe('a comment', () => {
  it('is created when the job starts, and updated when it ends', async () => {
    const { written, github, ...result } = await run({});
    expect(result.outputs['result']).toBe('pull-request');
    expect(written().map((text) => text.split('\n')[0])).toEqual([
      '### ⏳ The agent is working',
      '### ✅ Pull request opened',
    ]);
    const again = patch.replace('PATCH', 'GET');
    const calls = github.calls.filter((call) => call.includes('/comments'));
    expect(calls.toSorted()).toEqual([`${list}?per_page=100&page=1`, again, patch, post]);
    for (const { headers } of github.arrivals) {
      expect(headers.authorization).toBe(`token ${githubToken}`);
    }
    expect(written().join()).not.toContain(apiKey);
  });

  it('shows an error after the start', async () => {
    const { written, ...result } = await run({}, {}, [created, refusal(401), refusal(401)]);
    expect(result.outputs['result']).toBe('error');
    expect(result.outputs['message']).toContain('responded with 401');
    expect(written().at(-1)).toMatch(
      /^### ❌ The step ended with an error\n\nJob <code>job&#95;8f2<\/code> may keep running\. The log of this run says why this step ended\.\n\n/,
    );
    expect(written().at(-1)).not.toMatch(/with 401|admin key/);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'shows that the run was cancelled: %s',
    async (signal) => {
      const onLine: EventRun['onLine'] = (line, _stream, kill) => {
        if (line.includes('started job')) kill(signal);
      };
      const { count, written, ...result } = await run({}, { onLine }, [created, active]);
      expect(result.outputs).toMatchObject({ result: 'cancelled', 'job-id': 'job_8f2' });
      expect(result.signal).toBeNull();
      expect(written().at(-1)).toContain('### 🛑 The run was cancelled');
      expect(count(post)).toBe(1);
    },
  );

  it('does not keep a cancelled run from ending', async () => {
    const onLine: EventRun['onLine'] = (line, _stream, kill) => {
      if (line.includes('started job')) kill('SIGINT');
    };
    const result = await run({ [list]: silence }, { onLine }, [created, active]);
    expect(result.outputs['result']).toBe('cancelled');
    expect(result.signal).toBeNull();
  });
});

describe('a pull request in the comment', () => {
  const docsToken = 'github_pat_d0cs';
  /** A repository that only `docs-token` can read, unless it is the workflow's own. */
  function secretRoutes(repository: string): Routes {
    const head = { ref: 'docs-agent/secret-launch', sha: 'a'.repeat(40) };
    const sizes = { changed_files: 41, additions: 42, deletions: 43 };
    const title = 'Announce the secret launch';
    const pull = { title, state: 'open', head, base: { ref: 'main' }, ...sizes };
    const reply =
      (body: unknown): Reply =>
      (request, response) => {
        const isByDocsToken = request.headers.authorization === `token ${docsToken}`;
        const mayRead = isByDocsToken === (repository !== 'acme/product');
        response.writeHead(mayRead ? 200 : 404, { 'content-type': 'application/json' });
        response.end(JSON.stringify(body));
      };
    return {
      [`GET /repos/${repository}/pulls/12`]: reply(pull),
      [`GET /repos/${repository}/pulls/12/files`]: reply([{ filename: 'secret/launch.mdx' }]),
    };
  }

  /** The step's outputs, and the text of the comment. */
  async function commentOn(repository: string) {
    const fields = { source: { repository, ref: 'docs-agent/secret-launch' } };
    const inputs = { 'docs-token': docsToken, 'project-id': 'acme-x7q1' };
    const { written, ...result } = await run(secretRoutes(repository), { inputs }, ({ url }) => [
      { status: 201, body: jobBody(fields) },
      ended('completed', { ...fields, prLink: `${url}/${repository}/pull/12` }),
    ]);
    expect(result.outputs['pr-title']).toBe('Announce the secret launch');
    expect(written()).toHaveLength(2);
    expect(written().join()).not.toContain('x7q1');
    return { text: written().join(), ...result };
  }

  it('is only a link if it is in another repository', async () => {
    const { text, summary } = await commentOn('acme/docs');
    expect(text).toContain('<code>acme/docs&#35;12</code>');
    expect(`${text}${summary}`).not.toMatch(/secret|launch|41 files|42 lines|43 deleted/);
    // Issues and summaries have the same readers.
    expect(summary).not.toContain('x7q1');
  });

  it('has its title, size and files if it is in the same repository', async () => {
    const { text } = await commentOn('acme/product');
    expect(text).toContain('<code>Announce the secret launch</code>');
    expect(text).toContain('41 files changed, 42 lines added, 43 deleted');
    expect(text).toContain('<code>secret/launch.mdx</code>');
  });
});
