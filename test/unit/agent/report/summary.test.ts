import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pullRequestLink } from '../../../../src/agent/report/pull-request.ts';
import { endReport, type ReportRun, workingReport } from '../../../../src/agent/report/summary.ts';
import type { Result } from '../../../../src/agent/result.ts';
import type { HandedOver, Reached, Waiting } from '../../../../src/agent/stage.ts';
import { agentInputs } from '../../../helpers/agent-inputs.ts';
import { job, pullRequest } from '../../../helpers/jobs.ts';
import { preparedPrompt } from '../../../helpers/prompts.ts';
import { documentWatch } from '../../../helpers/pull-requests.ts';
import { beforeStage, grantedTo, handedOver, waitingStage } from '../../../helpers/stages.ts';
import { hostileText } from '../../../hostile/hostile-text.ts';
import { findEffects } from '../../../hostile/oracles.ts';

const run: ReportRun = {
  repository: 'Acme/Docs',
  run: '1001.2',
  attempt: 2,
  runUrl: 'https://github.example/acme/product/actions/runs/1001',
};

/** A run in a repository whose readers may have no access to the docs. */
const elsewhere: ReportRun = { ...run, repository: 'acme/product' };

const ended = job({ status: 'completed', pullRequest });

/** The stage of a job, with changes; the prompt is not known. */
function stage(fields: Parameters<typeof waitingStage>[0] = {}): Waiting {
  return waitingStage({ prompt: undefined, ...fields });
}

/** The stage after the job has opened its pull request, with changes. */
function openedWith(
  fields: Parameters<typeof waitingStage>[0] = {},
  over: Partial<HandedOver> = {},
): Waiting {
  return stage({ job: ended, handedOver: handedOver(over), ...fields });
}

const opened = openedWith();

/** The report at the end of a step with this duration. */
function reportOf(result: Result, last: Reached, where = run, tookMs: number | undefined = 81_000) {
  const message = 'message' in result ? result.message : 'A sentence.';
  return endReport(
    { at: 'ended', last, result, kept: 'no-record', findings: undefined, message, tookMs },
    where,
  );
}

const openedResult: Result = { result: 'pull-request', job: ended, url: pullRequest.url };

describe('the report while the agent works', () => {
  it('says so, and who requested it', () => {
    expect(workingReport(stage(), run)).toMatchInlineSnapshot(`
      "### ⏳ The agent is working

      Requested by <code>octocat</code>.

      **Next:** This comment is kept up to date. There is nothing to do until the agent has finished.

      <details><summary>Details</summary>

      | | |
      |---|---|
      | Job | <code>job&#95;1</code>, active |
      | Model | <code>model-1</code> |
      | Repository | <code>acme/docs</code>, branch <code>docs-agent/job&#95;1</code> |
      | Run | <a href="https://github.example/acme/product/actions/runs/1001/attempts/2"><code>1001.2</code></a> |
      | Dashboard | <a href="https://app.mintlify.com"><code>Mintlify</code></a> |

      </details>
      "
    `);
  });

  it('has no link to the run if there is none', () => {
    const outside = { repository: '', run: '0.1', attempt: 1, runUrl: '' };
    expect(workingReport(stage(), run)).toContain('| Run |');
    expect(workingReport(stage(), outside)).not.toContain('| Run |');
  });

  it('links the run of a first attempt without naming the attempt', () => {
    expect(workingReport(stage(), { ...run, run: '1001.1', attempt: 1 })).toContain(
      `<a href="${run.runUrl}"><code>1001.1</code></a>`,
    );
  });
});

describe('the report at the end', () => {
  it('shows the pull request, its title, size and files, and who requested it', () => {
    expect(reportOf(openedResult, opened)).toMatchInlineSnapshot(`
      "### ✅ Pull request opened

      Pull request: <a href="https://github.com/acme/docs/pull/12"><code>acme/docs&#35;12</code></a> <code>Document --watch</code><br>3 files changed, 12 lines added, 1 deleted:

      - <code>cli.mdx</code>
      - <code>docs.json</code>
      - <code>guides/watch.mdx</code>

      Requested by <code>octocat</code>.

      **Next:** Review the pull request and merge it.

      <details><summary>Details</summary>

      | | |
      |---|---|
      | Job | <code>job&#95;1</code>, completed |
      | Model | <code>model-1</code> |
      | Repository | <code>acme/docs</code>, branch <code>docs-agent/job&#95;1</code> |
      | Waited | 1 min 21 s |
      | Run | <a href="https://github.example/acme/product/actions/runs/1001/attempts/2"><code>1001.2</code></a> |
      | Dashboard | <a href="https://app.mintlify.com"><code>Mintlify</code></a> |

      </details>
      "
    `);
  });

  it.each<Result>([
    { result: 'no-pull-request', job: job(), mayNotHaveBegun: false },
    { result: 'failed', job: job() },
    { result: 'archived', job: job() },
    { result: 'timed-out', job: job() },
    { result: 'running', job: job() },
    { result: 'cancelled', phase: 'waiting' },
  ])('says what to do next without repeating the message: $result', (result) => {
    const report = reportOf(result, stage());
    expect(report).toMatch(/\n\*\*Next:\*\* [A-Z].*\n/);
    expect(report).not.toContain('A sentence.');
    expect(report).toContain('| Waited | 1 min 21 s |');
  });

  it('has the message of an error, which nothing else explains', () => {
    const result: Result = {
      result: 'error',
      reason: 'key-refused',
      message: 'The key @owner is refused.',
    };
    expect(reportOf(result, stage())).toMatchInlineSnapshot(`
      "### ❌ The step ended with an error

      The key <code>&#64;owner</code> is refused.

      Requested by <code>octocat</code>.

      **Next:** Re-running the workflow starts a second job.

      <details><summary>Details</summary>

      | | |
      |---|---|
      | Job | <code>job&#95;1</code>, active |
      | Model | <code>model-1</code> |
      | Repository | <code>acme/docs</code>, branch <code>docs-agent/job&#95;1</code> |
      | Waited | 1 min 21 s |
      | Run | <a href="https://github.example/acme/product/actions/runs/1001/attempts/2"><code>1001.2</code></a> |
      | Dashboard | <a href="https://app.mintlify.com"><code>Mintlify</code></a> |

      </details>
      "
    `);
    expect(reportOf(result, beforeStage(), run, undefined)).toBe(
      '### ❌ The step ended with an error\n\nThe key <code>&#64;owner</code> is refused.\n\n<details><summary>Details</summary>\n\n| | |\n|---|---|\n| Waited | 1 min 21 s |\n| Run | <a href="https://github.example/acme/product/actions/runs/1001/attempts/2"><code>1001.2</code></a> |\n\n</details>\n',
    );
  });

  it('says how long the step waited, even for a job that it did not start', () => {
    const inputs = agentInputs({ 'job-id': 'job_1', prompt: '' });
    expect(reportOf(openedResult, openedWith({ inputs }), run, 5_400_400)).toContain(
      '| Waited | 1 h 30 min |',
    );
  });

  it('has the length and the source of the prompt, but not the prompt', () => {
    const origin = { input: 'prompt-file', path: 'docs/prompt.md' } as const;
    const prompt = preparedPrompt({ origin, characters: 1 });
    const report = reportOf(openedResult, openedWith({ prompt }));
    expect(report).toContain(
      '| Prompt | file <code>docs/prompt.md</code>, 1 character, SHA-256 <code>abcdef012345</code> |',
    );
    expect(report).not.toContain('yourself');
  });

  it('describes a prompt from an input', () => {
    expect(reportOf(openedResult, openedWith({ prompt: preparedPrompt() }))).toContain(
      '| Prompt | input prompt, 19 characters, SHA-256 <code>abcdef012345</code> |',
    );
  });

  it('links the dashboard only if it is known', () => {
    const own = openedWith({ inputs: agentInputs({ 'base-url': 'https://api.example' }) });
    const row = '| Dashboard | <a href="https://app.mintlify.com"><code>Mintlify</code></a> |';
    expect(reportOf(openedResult, opened)).toContain(row);
    expect(reportOf(openedResult, own)).not.toContain('Dashboard');
  });

  it('names no one for an event without an actor', () => {
    expect(workingReport(stage({ access: grantedTo('') }), run)).not.toContain('Requested by');
  });
});

describe('the files of a pull request', () => {
  const names = Array.from({ length: 12 }, (_, index) => `page-${index + 1}.mdx`);

  const list = (files: readonly string[], changedFiles: number) =>
    reportOf(
      openedResult,
      openedWith({}, { pullRequest: { ...documentWatch, files, changedFiles } }),
    )
      .split('\n')
      .filter((line) => line.startsWith('- '));

  it('are the first ten, and how many more there are', () => {
    const ten = names.slice(0, 10).map((name) => `- <code>${name}</code>`);
    expect(list(names.slice(0, 10), 10)).toEqual(ten);
    expect(list(names.slice(0, 10), 12)).toEqual([...ten, '- and 2 more']);
    expect(list(names, 12)).toEqual([...ten, '- and 2 more']);
  });

  it('are left out if GitHub does not return them', () => {
    expect(list([], 12)).toEqual([]);
    const without = openedWith({}, { pullRequest: { ...documentWatch, files: [] } });
    expect(reportOf(openedResult, without)).toContain('12 lines added, 1 deleted.\n');
    expect(reportOf(openedResult, opened)).toContain('12 lines added, 1 deleted:\n');
  });
});

describe('the report in another repository than the docs', () => {
  const secret = job({ ...ended, ref: 'docs-agent/secret-launch' });

  it('has the link to the pull request, but not its title, size, files or branch', () => {
    expect(reportOf(openedResult, openedWith({ job: secret }), elsewhere)).toMatchInlineSnapshot(`
      "### ✅ Pull request opened

      Pull request: <a href="https://github.com/acme/docs/pull/12"><code>acme/docs&#35;12</code></a>

      Requested by <code>octocat</code>.

      **Next:** Review the pull request and merge it.

      <details><summary>Details</summary>

      | | |
      |---|---|
      | Job | <code>job&#95;1</code>, completed |
      | Model | <code>model-1</code> |
      | Repository | <code>acme/docs</code> |
      | Waited | 1 min 21 s |
      | Run | <a href="https://github.example/acme/product/actions/runs/1001/attempts/2"><code>1001.2</code></a> |
      | Dashboard | <a href="https://app.mintlify.com"><code>Mintlify</code></a> |

      </details>
      "
    `);
  });

  it('does not name the branch while the agent works', () => {
    expect(workingReport(stage({ job: secret }), elsewhere)).not.toContain('secret-launch');
    expect(workingReport(stage({ job: secret }), run)).toContain('secret-launch');
  });

  it('is the same for a pull request on another server', () => {
    const link = { kind: 'link', url: 'https://ghe.example/acme/docs/pull/12' } as const;
    const report = reportOf(openedResult, openedWith({}, { link }));
    expect(report).toContain(
      `<a href="${link.url}"><code>https&#58;//ghe.example/acme/docs/pull/12</code></a>`,
    );
    expect(report).not.toContain(documentWatch.title);
  });
});

describe('the link of a pull request', () => {
  it('has the short name that GitHub uses', () => {
    expect(pullRequestLink(pullRequest)).toBe(
      '<a href="https://github.com/acme/docs/pull/12"><code>acme/docs&#35;12</code></a>',
    );
  });
});

describe('untrusted text in a report', () => {
  const foreign = fc.record({
    title: hostileText,
    files: fc.array(hostileText, { maxLength: 12 }),
    login: hostileText,
    model: hostileText,
    repository: hostileText,
    ref: hostileText,
    path: hostileText,
    message: hostileText,
  });

  it('has no effect, whoever wrote it', async () => {
    await fc.assert(
      fc.asyncProperty(foreign, async (given) => {
        const { title, files, login, model, ref, path, message } = given;
        const said = `It said ${JSON.stringify(message)}.`;
        const last = openedWith(
          {
            access: grantedTo(login),
            // The branch is only shown to readers of the same repository.
            job: job({ model, ref, repository: run.repository, pullRequest }),
            prompt: preparedPrompt({ origin: { input: 'prompt-file', path } }),
          },
          { pullRequest: { ...documentWatch, title, files, changedFiles: files.length + 1 } },
        );
        const strange = stage({ job: job({ repository: given.repository, ref }) });
        const reports = [
          workingReport(last, run),
          workingReport(strange, run),
          reportOf(openedResult, last),
          reportOf({ result: 'error', reason: 'unreachable', message: said }, last),
        ];
        expect((await Promise.all(reports.map(findEffects))).flat()).toEqual([]);
      }),
      { numRuns: 30 },
    );
  });

  it('is all there, so the oracle has something to check', () => {
    const report = reportOf(
      openedResult,
      openedWith(
        { access: grantedTo('@a') },
        { pullRequest: { ...documentWatch, title: '#1', files: ['<b>'] } },
      ),
    );
    for (const shown of ['&#64;a', '&#35;1', '&#60;b&#62;']) {
      expect(report).toContain(`<code>${shown}</code>`);
    }
  });
});
