import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JobRecord } from '../../../../src/agent/earlier/record.ts';
import { followUpOf } from '../../../../src/agent/job/follow-up.ts';
import {
  commandIn,
  endReport,
  type ReportRun,
  workingReport,
} from '../../../../src/agent/report/summary.ts';
import type { Result } from '../../../../src/agent/result.ts';
import type { Ended, HandedOver, Reached, Waiting } from '../../../../src/agent/stage.ts';
import { unreadEvent } from '../../../../src/github/event.ts';
import {
  agentInputs,
  beforeStage,
  documentWatch,
  grantedTo,
  handedOver,
  job,
  jobRecord,
  preparedPrompt,
  pullRequest,
  resumePlan,
  waitingStage,
} from '../../../helpers/agent.ts';
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

function ending(result: Result, last: Reached): Ended {
  const saved = { kind: 'unavailable' } as const;
  return { at: 'ended', last, result, saved, askedAtMs: 0, tookMs: 5_400_400 };
}

/** The report at the end of a step. */
function reportOf(result: Result, last: Reached, where = run): string {
  return endReport(ending(result, last), where);
}

const openedResult: Result = {
  result: 'pull-request',
  job: ended,
  link: pullRequest,
};

const beganMs = Date.UTC(2026, 0, 5, 8);

describe('the report while the agent works', () => {
  it('says so, and who requested it', () => {
    expect(workingReport(stage(), run, beganMs)).toMatchInlineSnapshot(`
      "### ⏳ Waiting for the agent

      Requested by <code>octocat</code>.

      **Next:** This attempt has waited since 2026-01-05 08:00 UTC, and waits until 08:30 UTC at most. This comment is kept up to date. There is nothing to do until the agent has finished.

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

  it('leaves out what is not known', () => {
    const inputs = agentInputs({ 'base-url': 'https://api.example' });
    const bare = stage({ inputs, access: grantedTo(''), job: job({ model: '', repository: '' }) });
    const outside = { repository: '', run: '0.1', attempt: 1, runUrl: '' };
    expect(workingReport(bare, outside, beganMs)).toMatch(
      /finished\.\n\n<details>.*\n\n\| \| \|\n\|---\|---\|\n\| Job \| .*, active \|\n\n<\/details>\n$/,
    );
    expect(workingReport(bare, outside, beganMs)).not.toContain('Requested by');
  });

  it('says no time where the step does not wait', () => {
    const waiting = stage();
    const last = { ...waiting, inputs: { ...waiting.inputs, waitMs: 0 } };
    expect(workingReport(last, run, beganMs)).toContain(
      '**Next:** This attempt does not wait for the agent to finish.',
    );
  });

  it('links the run of a first attempt without naming the attempt', () => {
    expect(workingReport(stage(), { ...run, run: '1001.1', attempt: 1 }, beganMs)).toContain(
      `<a href="${run.runUrl}"><code>1001.1</code></a>`,
    );
  });
});

describe('the report at the end', () => {
  it('shows the pull request, its title, size and files, and who requested it', () => {
    expect(reportOf(openedResult, openedWith({ prompt: preparedPrompt() }))).toMatchInlineSnapshot(`
      "### ✅ Pull request opened

      Pull request: <a href="https://github.com/acme/docs/pull/12"><code>acme/docs&#35;12</code></a> <code>Document --watch</code><br>3 files changed, 12 lines added, 1 deleted:

      - <code>cli.mdx</code>
      - <code>docs.json</code>
      - <code>guides/watch.mdx</code>

      Requested by <code>octocat</code>.

      **Next:** Review the pull request before it is merged.

      <details><summary>Details</summary>

      | | |
      |---|---|
      | Job | <code>job&#95;1</code>, completed |
      | Model | <code>model-1</code> |
      | Repository | <code>acme/docs</code>, branch <code>docs-agent/job&#95;1</code> |
      | Waited | 1 h 30 min |
      | Prompt | input prompt, 19 characters, SHA-256 <code>abcdef012345</code> |
      | Run | <a href="https://github.example/acme/product/actions/runs/1001/attempts/2"><code>1001.2</code></a> |
      | Dashboard | <a href="https://app.mintlify.com"><code>Mintlify</code></a> |

      </details>
      "
    `);
  });

  it('has the message of an error, which nothing else explains', () => {
    const message = 'The key @owner is refused.';
    const result: Result = { result: 'error', reason: 'key-refused', message };
    const source = { input: 'prompt-file', path: 'docs/prompt.md' } as const;
    const prompt = preparedPrompt({ text: '1', source, leftOut: 2 });
    const plan = resumePlan();
    expect(reportOf(result, stage({ prompt, source: 'resumed', plan }))).toMatchInlineSnapshot(`
      "### ❌ The step ended with an error

      The key <code>&#64;owner</code> is refused. Job <code>job&#95;1</code> was running at 1970-01-01 00:00 UTC, costs credits until it ends, and may still open or change a pull request.

      Requested by <code>octocat</code>.

      **Next:** To get its result, run this action with job-id <code>job&#95;1</code> and no prompt. Re-running the workflow starts a second job.

      <details><summary>Details</summary>

      | | |
      |---|---|
      | Job | <code>job&#95;1</code>, active, started by an earlier attempt |
      | Model | <code>model-1</code> |
      | Repository | <code>acme/docs</code>, branch <code>docs-agent/job&#95;1</code> |
      | Waited | 1 h 30 min |
      | Prompt | sent by an earlier attempt: file <code>docs/prompt.md</code>, 1 character, SHA-256 <code>abcdef012345</code>; left out of the event text: 2 hidden parts |
      | Run | <a href="https://github.example/acme/product/actions/runs/1001/attempts/2"><code>1001.2</code></a> |
      | Dashboard | <a href="https://app.mintlify.com"><code>Mintlify</code></a> |

      </details>
      "
    `);
    const early = { ...ending(result, beforeStage()), tookMs: undefined };
    expect(endReport(early, run)).toBe(
      '### ❌ The step ended with an error\n\nThe key <code>&#64;owner</code> is refused.\n\n<details><summary>Details</summary>\n\n| | |\n|---|---|\n| Run | <a href="https://github.example/acme/product/actions/runs/1001/attempts/2"><code>1001.2</code></a> |\n\n</details>\n',
    );
  });
});

describe('the report of a re-run', () => {
  const rows = (record: JobRecord) => {
    const plan = resumePlan(record);
    const prompt = preparedPrompt();
    return workingReport(stage({ prompt, source: 'resumed', plan }), run, beganMs);
  };

  it('says which request an earlier attempt sent, and whether with this prompt', () => {
    expect(rows(jobRecord())).toMatch(
      /active, started by an earlier attempt[\s\S]*Prompt \| sent by/,
    );
    const other = jobRecord({ followUp: followUpOf(job(), undefined), promptHash: 'other' });
    expect(rows(other)).toMatch(
      /active, got its follow-up from an earlier[\s\S]*Prompt \| not sent:/,
    );
  });
});

describe('the report on a comment that asked for a change', () => {
  const inputs = agentInputs({ 'job-id': 'from-pull-request' });
  const reportOn = (commentBody: string, fields: Parameters<typeof waitingStage>[0] = {}) => {
    const access = grantedTo('octocat', { ...unreadEvent, commentBody });
    return reportOf(
      openedResult,
      openedWith({ access, inputs, prompt: preparedPrompt(), ...fields }),
    );
  };

  it('shows it, and how to ask again', () => {
    const comment = `/fix ${'x'.repeat(995)}`;
    const report = reportOn(comment);
    expect(report).toContain(`Requested by <code>octocat</code>:\n\n\`\`\`text\n${comment}\n`);
    expect(reportOn(`${comment}y`)).toMatch(/\n\/fix x{900,}…/);
    expect(report).toContain(
      'before it is merged. To ask for another change, write a comment that begins with <code>/fix</code> and a space.',
    );
  });

  it('does not show it if it is not about the pull request', () => {
    expect(reportOn('/fix go', { inputs: agentInputs() })).not.toContain('/fix');
    expect(reportOn('/fix go', { handedOver: undefined })).not.toContain('/fix');
    expect(reportOn('Please go')).not.toContain('To ask');
  });

  it.each([
    ['/docs fix it', '/docs'],
    ['/Docs-2\nfix', '/Docs-2'],
    [`/${'a'.repeat(31)} x`, `/${'a'.repeat(31)}`],
    [`/${'a'.repeat(32)} x`, undefined],
    ['/docs', undefined],
    ['/docs: x', undefined],
    [' /docs x', '/docs'],
    ['\r\n \t\r\n\n   /docs x', '/docs'],
    ['    /docs x', undefined],
    ['\t/docs x', undefined],
    ['> /docs x', undefined],
    ['`/docs x`', undefined],
    ['```\n/docs x\n```', undefined],
    ['Hi\n/docs x', undefined],
    ['/2 x', undefined],
  ])('finds the command of %j: %s', (comment, command) => {
    expect(commandIn(comment)).toBe(command);
  });
});

describe('the report of a dry run', () => {
  const inputs = agentInputs({ 'dry-run': 'true' });
  const prompt = preparedPrompt({ text: 'Use mint_key, <b>' });
  const shown = (result: Result, last: Reached) =>
    endReport({ ...ending(result, last), tookMs: undefined }, run).split(
      '\n\n<details><summary>Details',
    )[0];

  it('has what it found out, and the prompt without the key', () => {
    const facts = [['API', 'It is *there*.']] as const;
    expect(
      shown({ result: 'ready', facts }, beforeStage({ inputs, prompt })),
    ).toMatchInlineSnapshot(`
      "### ✅ Dry run: ready

      Whether the key may start jobs, the plan includes the agent, and credits are left shows only when a job is started.

      | | |
      |---|---|
      | API | It is <code>&#42;there&#42;</code>. |

      <details><summary>The prompt as it would be sent</summary>

      \`\`\`text
      Use ***, <b>
      \`\`\`

      </details>

      **Next:** Set dry-run to false for a real run."
    `);
  });

  it('has the error and the prompt, if a real run would fail after the prompt is read', () => {
    const result: Result = { result: 'error', reason: 'forbidden', message: 'It said no.' };
    expect(shown(result, beforeStage({ inputs, prompt }))).toMatchInlineSnapshot(`
      "### ❌ The step ended with an error

      It said no.

      <details><summary>The prompt as it would be sent</summary>

      \`\`\`text
      Use ***, <b>
      \`\`\`

      </details>"
    `);
  });

  it('has the error alone, if there is no prompt yet', () => {
    const result: Result = { result: 'error', reason: 'forbidden', message: 'It said no.' };
    expect(shown(result, beforeStage({ inputs }))).toMatchInlineSnapshot(`
      "### ❌ The step ended with an error

      It said no."
    `);
  });
});

describe('the files of a pull request', () => {
  const names = Array.from({ length: 12 }, (_, index) => `page-${index + 1}.mdx`);
  const ten = names.slice(0, 10).map((name) => `- <code>${name}</code>`);

  it.each<[string, readonly string[], number, readonly string[], string]>([
    ['ten', names.slice(0, 10), 10, ten, ':'],
    ['more than ten', names, 13, [...ten, '- and 3 more'], ':'],
    ['none, if GitHub does not return them', [], 12, [], '.'],
  ])('are %s', (_name, files, changedFiles, list, end) => {
    const shown = { ...documentWatch, files, changedFiles };
    const lines = reportOf(openedResult, openedWith({}, { pullRequest: shown })).split('\n');
    expect(lines.filter((line) => line.startsWith('- '))).toEqual(list);
    expect(lines[2]).toMatch(new RegExp(`${changedFiles} files changed, .* deleted\\${end}$`));
  });
});

describe('the report in another repository than the docs', () => {
  const secret = job({ ...ended, ref: 'docs-agent/secret-launch' });

  it('has the link to the pull request, but not its title, size, files or branch', () => {
    const report = reportOf(openedResult, openedWith({ job: secret }), elsewhere);
    expect(report).toContain('<code>acme/docs&#35;12</code></a>\n\nRequested by');
    expect(report).toContain('| Repository | <code>acme/docs</code> |');
    expect(workingReport(stage({ job: secret }), elsewhere, beganMs)).not.toContain(
      'secret-launch',
    );
  });

  it('has them if the docs are public', () => {
    const pull = { ...documentWatch, isPublic: true };
    const report = reportOf(openedResult, openedWith({}, { pullRequest: pull }), elsewhere);
    expect(report).toContain('<code>Document --watch</code><br>3 files changed');
  });

  it('has the address of a pull request on another server', () => {
    const link = { kind: 'link', url: 'https://ghe.example/acme/docs/pull/12' } as const;
    expect(reportOf(openedResult, openedWith({}, { link }))).toContain(
      `<a href="${link.url}"><code>https&#58;//ghe.example/acme/docs/pull/12</code></a>\n\nReq`,
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
            prompt: preparedPrompt({ source: { input: 'prompt-file', path } }),
          },
          { pullRequest: { ...documentWatch, title, files, changedFiles: files.length + 1 } },
        );
        const strange = stage({ job: job({ repository: given.repository, ref }) });
        const reports = [
          workingReport(last, run, beganMs),
          workingReport(strange, run, beganMs),
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
