import { connect, describeCalls } from '../common/connect.ts';
import { explainError } from '../common/explain-error.ts';
import { retry } from '../network/retry.ts';
import { createJobs, type JobResponse, type Jobs } from '../platform/job.ts';
import type { Runner } from '../runner/runner.ts';
import { ActionError, hasReason } from '../text/error.ts';
import { counted } from '../text/plain.ts';
import { withoutSecret } from '../text/secret.ts';
import type { Granted } from './access.ts';
import { findEarlier } from './earlier/find.ts';
import type { RecordDeps } from './earlier/record.ts';
import { type Finding, good, note, unknown } from './finding.ts';
import { type AgentInputs, readAgentInputs } from './inputs.ts';
import type { JobDeps } from './job/poll.ts';
import { decide, type Note, type Plan, requestOf } from './plan.ts';
import { NothingChangedError } from './prompt/changes-since.ts';
import { type Prompt, preparePrompt } from './prompt/prompt.ts';
import { findingLine } from './report/summary.ts';
import type { Result } from './result.ts';
import { type AgentDeps, hourlyLimit } from './state.ts';
import { checkTokens } from './token-checks.ts';

/**
 * Goes through the steps of a real run up to the request that starts the job, and reports what each of them
 * found. What a real run would fail for is a finding, too, so that all of them are known at once. Nothing
 * is started, and nothing is written but the report.
 *
 * @throws CancelledError when the run is cancelled
 */
export async function dryRun(access: Granted, deps: RecordDeps): Promise<Result> {
  const { runner, state } = deps;
  const findings = collectFindings(deps);
  const { add, check } = findings;
  add(good('Access', `${access.askedBy || 'This event'} may start a job.`));
  const inputs = await check('Inputs', () => readAgentInputs(runner.inputs));
  if (inputs === undefined) {
    add(
      unknown(
        'Not checked',
        'The prompt, the key and what a real run would do are checked once all inputs can be used.',
      ),
    );
  } else {
    add(good('Inputs', 'All inputs can be used.'));
    state.learn({ inputs });
    await checkRun(inputs, access, findings, deps);
  }
  await check('GitHub', async () => add(...(await checkTokens(access, inputs, deps))));
  add(
    unknown(
      'Not checked',
      'Whether the key may start jobs, whether the plan includes the agent, and whether credits are left shows only when a job is started.',
    ),
  );
  const { prompt } = state.current;
  if (prompt !== undefined) {
    // A line of the log is cut, and half a key is not masked.
    const text = withoutSecret(prompt.text, inputs?.api.apiKey ?? '');
    runner.log.fold('The prompt as it would be sent', text);
  }
  const bad = state.current.findings?.find(({ level }) => level === 'bad');
  return bad?.reason === undefined
    ? { result: 'ready' }
    : { result: 'error', reason: bad.reason, message: bad.text };
}

/** Collects findings in the state and in the log. */
interface Findings {
  add(...found: readonly Finding[]): void;
  /**
   * Runs a step of the run. What it throws is a finding, and then the value is `undefined`.
   * @throws CancelledError, NothingChangedError, and an error that is a bug of this action
   */
  check<Value>(name: string, step: () => Value | Promise<Value>): Promise<Value | undefined>;
}

function collectFindings({ runner, state }: AgentDeps): Findings {
  const add = (...found: readonly Finding[]): void => {
    for (const finding of found) {
      runner.log.info(findingLine(finding));
    }
    state.learn({ findings: [...(state.current.findings ?? []), ...found] });
  };
  return {
    add,
    async check(name, step) {
      try {
        return await step();
      } catch (error) {
        runner.signal.throwIfAborted();
        if (error instanceof NothingChangedError) {
          add(note(name, error.message));
          throw error;
        }
        const explained = explainError(error, runner.log);
        if (explained.reason === 'internal-error') {
          throw error;
        }
        add({ name, level: 'bad', text: explained.message, reason: explained.reason });
        return undefined;
      }
    },
  };
}

/** Checks the prompt and the key, and finds out what a real run would do. */
async function checkRun(
  inputs: AgentInputs,
  access: Granted,
  { add, check }: Findings,
  deps: RecordDeps,
): Promise<void> {
  const { runner } = deps;
  const prepared = await check('Prompt', async () => {
    const prompt = await preparePrompt(inputs, access.inputs.githubToken, deps);
    add(onPrompt(prompt));
    return { prompt };
  });
  await using client = await check('API', () => connect(inputs.api, runner));
  const jobs = client && createJobs(client, describeCalls(inputs.api, hourlyLimit));
  const accepted =
    jobs &&
    (await check('API', async () => {
      add(...(await tryKey(inputs, jobs, deps)));
      return jobs;
    }));
  if (prepared === undefined || accepted === undefined) {
    add(
      unknown('Real run', 'What it would do is checked once the prompt and the key can be used.'),
    );
    return;
  }
  await check('Real run', async () => {
    const request = requestOf(inputs, prepared.prompt, access.event, runner.environment);
    const earlier = await findEarlier(request, {
      ...deps,
      access,
      jobDeps: jobDepsOf(accepted, runner),
    });
    const { plan, notes } = decide(request, earlier);
    add(...notes.map(onNote), onPlan(plan));
  });
}

function onPrompt(prompt: Prompt | undefined): Finding {
  if (prompt === undefined) {
    return good('Prompt', 'There is none: the step only waits for a job.');
  }
  const size = `It has ${counted(prompt.characters, 'character')}; see below.`;
  const [warning] = prompt.warnings;
  return warning === undefined ? good('Prompt', size) : note('Prompt', `${size} ${warning}`);
}

/** What a real run would say in its log. */
function onNote({ level, text }: Note): Finding {
  return (level === 'info' ? good : note)('Real run', text);
}

function onPlan(plan: Plan): Finding {
  const name = 'Real run';
  switch (plan.kind) {
    case 'new':
      return good(name, 'It would start a new job.');
    case 'continue':
      return good(name, `It would send the prompt to job ${plan.jobId} as a follow-up.`);
    case 'resume':
      return good(
        name,
        `It would resume job ${plan.job.id} of attempt ${plan.record.attempt}, and send nothing.`,
      );
    case 'wait':
      return good(name, `It would wait for job ${plan.jobId}, and send nothing.`);
    case 'nothing':
      return note(name, `It would be skipped. ${plan.result.message}`);
  }
}

/** A dry run reads jobs, and says nothing about that. */
function jobDepsOf(jobs: Jobs, { clock, signal }: Runner): JobDeps {
  const silence = () => {};
  const observer = {
    started: silence,
    retrying: silence,
    followingUp: silence,
    polled: silence,
    waiting: silence,
  };
  return { jobs, clock, signal, observer, pollIntervalMs: undefined, deadlineMs: clock.nowMs() };
}

/** No job has this id: the API makes its own. */
const noJob = 'docs-agent-action-dry-run';

const timeoutMs = 10_000;
const delayMs = 2000;

/** Longer than a hiccup; a dry run is repeated soon enough. */
const limitMs = 30_000;

/**
 * Tries key, project and base URL with a request that changes nothing: it reads the job of `job-id`,
 * or one that cannot exist. That there is no such job is good news then.
 *
 * @throws ActionError, CancelledError
 */
async function tryKey(
  { job, api: { baseUrl, projectId } }: AgentInputs,
  jobs: Pick<Jobs, 'get'>,
  { runner: { clock, signal } }: AgentDeps,
): Promise<readonly Finding[]> {
  const id = job.kind === 'id' ? job.id : noJob;
  const deadlineMs = clock.nowMs() + limitMs;
  const response = await retry<JobResponse>(
    async () => {
      const reply = await jobs.get(id, timeoutMs);
      const isTemporary = reply.kind === 'failure' && hasReason(reply.failure.error, 'unreachable');
      return isTemporary
        ? { kind: 'again', delayMs, deadlineMs, giveUp: () => reply }
        : { kind: 'done', value: reply };
    },
    { clock, signal },
  );
  const accepts = `The API at ${baseUrl.host} accepts the key.`;
  if (response.kind === 'job') {
    return id === noJob
      ? [
          note(
            'API',
            `The API at ${baseUrl.host} knows a job ${id} that cannot exist: check base-url.`,
          ),
        ]
      : [good('API', `${accepts} Job ${id} is ${response.job.status}.`)];
  }
  const { error, isFromApi, status } = response.failure;
  if (id !== noJob || status !== 404) {
    throw error;
  }
  if (!isFromApi) {
    throw new ActionError(
      'project-not-found',
      `the API at ${baseUrl.host} responded with 404, but not as Mintlify's API does`,
      'check base-url, and whether something in between responds in place of the API',
    );
  }
  return [
    good('API', accepts),
    unknown(
      'Project',
      `A wrong project-id may get the same response, so compare ${projectId} with the API keys page of the dashboard.`,
    ),
  ];
}
