import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { endText, workingText } from '../../../src/agent/comment-text.ts';
import type { Known } from '../../../src/agent/known.ts';
import type { Result } from '../../../src/agent/result.ts';
import { fakeClock } from '../../helpers/fake-clock.ts';
import { job, pullRequest } from '../../helpers/jobs.ts';

const runner = {
  environment: {
    repository: 'Acme/Docs',
    run: '1001.2',
    runUrl: 'https://github.example/acme/product/actions/runs/1001',
  },
  clock: fakeClock(),
};

const details = {
  title: 'Document --watch',
  branch: 'docs-agent/job_1',
  base: 'main',
  headSha: '0123456789abcdef0123456789abcdef01234567',
  changedFiles: 3,
  additions: 12,
  deletions: 1,
};

describe('the comment', () => {
  it('tells that the agent is working', () => {
    expect(workingText({ job: job() }, runner)).toMatchInlineSnapshot(`
      "### ⏳ The agent is working

      | | |
      |---|---|
      | Job | <code>job&#95;1</code>, active |
      | Model | <code>model-1</code> |
      | Repository | <code>acme/docs</code>, the agent's branch <code>docs-agent/job&#95;1</code> |
      | Run | <a href="https://github.example/acme/product/actions/runs/1001/attempts/2"><code>1001.2</code></a> |

      **Next:** This comment is kept current. Nothing is to be done until the agent is at its end.
      "
    `);
  });

  it('tells of the pull request, its title and its size', () => {
    const ended = job({ status: 'completed', pullRequest });
    const known: Known = {
      job: ended,
      link: pullRequest,
      pullRequest: details,
      sinceMs: -80_000,
    };
    const result: Result = { result: 'pull-request', job: ended, url: pullRequest.url };
    expect(endText(result, known, runner)).toMatchInlineSnapshot(`
      "### ✅ Pull request opened

      | | |
      |---|---|
      | Pull request | <a href="https://github.com/acme/docs/pull/12"><code>acme/docs&#35;12</code></a> <code>Document --watch</code> |
      | Changes | 3 files, 12 lines added, 1 deleted |
      | Job | <code>job&#95;1</code>, completed |
      | Model | <code>model-1</code> |
      | Repository | <code>acme/docs</code>, the agent's branch <code>docs-agent/job&#95;1</code> |
      | Time taken | 1 min 21 s |
      | Run | <a href="https://github.example/acme/product/actions/runs/1001/attempts/2"><code>1001.2</code></a> |

      **Next:** Review the pull request and merge it.
      "
    `);
  });

  it.each<Result>([
    { result: 'no-pull-request', job: job(), mayNotHaveBegun: false },
    { result: 'failed', job: job() },
    { result: 'archived', job: job() },
    { result: 'timed-out', job: job() },
    { result: 'cancelled', jobId: 'job_1', phase: 'waiting' },
    { result: 'error', reason: 'key-refused', message: 'The key @owner is refused.' },
  ])('tells what to do next: $result', (result) => {
    expect(endText(result, { job: job(), sinceMs: 0 }, runner)).toMatchSnapshot();
  });

  it('does without a link to the run where there is none', () => {
    const outside = { ...runner, environment: { repository: '', run: '0.1', runUrl: '' } };
    expect(workingText({ job: job() }, outside)).not.toContain('Run');
  });
});

describe('the comment in another repository than the docs', () => {
  const elsewhere = {
    ...runner,
    environment: { ...runner.environment, repository: 'acme/product' },
  };
  const ended = job({ status: 'completed', pullRequest, ref: 'docs-agent/secret-launch' });
  const known: Known = { job: ended, link: pullRequest, pullRequest: details, sinceMs: -80_000 };

  it('has the link of the pull request, and neither its title and size nor its branch', () => {
    const result: Result = { result: 'pull-request', job: ended, url: pullRequest.url };
    expect(endText(result, known, elsewhere)).toMatchInlineSnapshot(`
      "### ✅ Pull request opened

      | | |
      |---|---|
      | Pull request | <a href="https://github.com/acme/docs/pull/12"><code>acme/docs&#35;12</code></a> |
      | Job | <code>job&#95;1</code>, completed |
      | Model | <code>model-1</code> |
      | Repository | <code>acme/docs</code> |
      | Time taken | 1 min 21 s |
      | Run | <a href="https://github.example/acme/product/actions/runs/1001/attempts/2"><code>1001.2</code></a> |

      **Next:** Review the pull request and merge it.
      "
    `);
  });

  it('does not name the branch while the agent works either', () => {
    expect(workingText(known, elsewhere)).not.toContain('secret-launch');
    expect(workingText(known, runner)).toContain('secret-launch');
  });
});

describe("the project's id", () => {
  const inputs = {
    service: { apiKey: 'k', projectId: 'acme-x7q1', baseUrl: new URL('https://api.example') },
    request: { kind: 'attach', jobId: 'job_1' },
    variables: '',
    waitMs: 0,
    pollIntervalMs: undefined,
    failOn: new Set<never>(),
  } as const;

  it.each<Result>([
    { result: 'timed-out', job: job() },
    {
      result: 'error',
      reason: 'job-not-found',
      message:
        'The service answered 404 ("Project acme-x7q1 has no job job_1"): there is no job job_1 in project acme-x7q1, so check job-id.',
    },
  ])('stands in no comment: $result', (result) => {
    const text = endText(result, { job: job(), inputs, sinceMs: 0 }, runner);
    expect(text).not.toContain('x7q1');
    expect(text).toContain('job&#95;1');
    expect(workingText({ job: job(), inputs }, runner)).not.toContain('x7q1');
  });
});

/** What GitHub would act on, outside of code. */
const effective = /@\w|#\d|\bGH-\d|<(?!\/?(?:code|a)\b)|!\[|\]\(|https?:\/\/evil|\bwww\.|^\s*>|`/m;

/** What stands between the tags, entities still encoded, and outside of `<code>`. */
function outsideCode(markdown: string): string {
  return markdown.replace(/<code>[^<]*<\/code>/g, '').replace(/href="[^"]*"/g, '');
}

describe('foreign text in the comment', () => {
  const nasty = [
    '@acme/everyone',
    'fixes #1',
    'closes acme/product#2',
    'GH-3',
    '<img src=x onerror=alert(1)>',
    '</code></td><script>',
    '<!-- docs-agent-action v1 -->',
    '![x](https://evil.example/x.png)',
    '[x](https://evil.example)',
    'https://evil.example',
    'www.evil.example',
    '`` ` ``',
    '| a | b |\n|---|---|',
    '\n\n# Heading\n> quote',
    '\u202Eexe.fdp',
  ];
  const foreign = fc.array(fc.oneof(fc.constantFrom(...nasty), fc.string()), { maxLength: 4 });

  it('has no effect, whoever wrote it', () => {
    fc.assert(
      fc.property(
        foreign.map((parts) => parts.join(' ')),
        (text) => {
          const strange = job({ model: text, repository: text, ref: text, pullRequest });
          const known: Known = {
            job: strange,
            pullRequest: { ...details, title: text },
            sinceMs: 0,
          };
          const comment = endText(
            { result: 'error', reason: 'unreachable', message: text },
            known,
            runner,
          );
          expect(outsideCode(comment)).not.toMatch(effective);
          expect(comment.match(/<code>/g)?.length).toBe(comment.match(/<\/code>/g)?.length);
          expect(comment).not.toContain('<!--');
        },
      ),
    );
  });
});
