import { connect } from '../common/api.ts';
import type { Client } from '../platform/client.ts';
import { createJobs } from '../platform/job.ts';
import type { Runner } from '../runner/runner.ts';
import { ActionError, hasReason } from '../text/error.ts';
import { counted } from '../text/plain.ts';
import { withoutSecret } from '../text/secret.ts';
import type { Granted } from './access.ts';
import { findEarlier } from './earlier/find.ts';
import type { RecordDeps } from './earlier/record.ts';
import type { AddFinding } from './finding.ts';
import { type AgentInputs, readAgentInputs } from './inputs.ts';
import { type JobDeps, readJob } from './job/poll.ts';
import { attachedTo } from './job/start.ts';
import { decide, type Plan, requestOf } from './plan.ts';
import { NothingChangedError } from './prompt/changes-since.ts';
import { type Prompt, preparePrompt } from './prompt/prompt.ts';
import { findingLine } from './report/summary.ts';
import type { Result } from './result.ts';
import type { AgentDeps } from './state.ts';
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
  add('good', 'Access', `${access.askedBy || 'This event'} may start a job.`);
  const inputs = await check('Inputs', () => readAgentInputs(runner.inputs));
  if (inputs === undefined) {
    add(
      'unknown',
      'Not checked',
      'The prompt, the key and what a real run would do are checked once all inputs can be used.',
    );
  } else {
    add('good', 'Inputs', 'All inputs can be used.');
    state.learn({ inputs });
    await checkRun(inputs, access, findings, deps);
  }
  await check('GitHub', () => checkTokens(access, inputs, add, deps));
  add(
    'unknown',
    'Not checked',
    'Whether the key may start jobs, whether the plan includes the agent, and whether credits are left shows only when a job is started.',
  );
  const { prompt } = state.current;
  if (prompt !== undefined) {
    // A line of the log is cut, and half a key is not masked.
    const text = withoutSecret(prompt.text, inputs?.api.apiKey ?? '');
    runner.log.fold('The prompt as it would be sent', text);
  }
  return findings.failure() ?? { result: 'ready' };
}

/** Collects findings in the state and in the log. */
interface Findings {
  readonly add: AddFinding;
  /**
   * Runs a step of the run. What it throws is a finding, and then the value is `undefined`.
   * @throws CancelledError, NothingChangedError, and an error that is a bug of this action
   */
  check<Value>(name: string, step: () => Value | Promise<Value>): Promise<Value | undefined>;
  /** How a real run would fail: for the first finding that is bad. */
  failure(): Result | undefined;
}

function collectFindings({ runner, state }: AgentDeps): Findings {
  let failure: Result | undefined;
  const add: AddFinding = (level, name, text) => {
    const finding = { level, name, text };
    runner.log.info(findingLine(finding));
    state.learn({ findings: [...(state.current.findings ?? []), finding] });
  };
  return {
    add,
    failure: () => failure,
    async check(name, step) {
      try {
        return await step();
      } catch (error) {
        runner.signal.throwIfAborted();
        if (error instanceof NothingChangedError) {
          add('note', name, error.message);
          throw error;
        }
        if (!(error instanceof ActionError)) {
          throw error;
        }
        const { reason, message } = error;
        add('bad', name, message);
        failure ??= { result: 'error', reason, message };
        return undefined;
      }
    },
  };
}

/** Checks the prompt and the key, and finds out what a real run would do. */
async function checkRun(
  inputs: AgentInputs,
  access: Granted,
  { add, check, failure }: Findings,
  deps: RecordDeps,
): Promise<void> {
  const { runner } = deps;
  const prompt = await check('Prompt', async () => {
    const prepared = await preparePrompt(inputs, access.inputs.githubToken, deps);
    addPrompt(prepared, add);
    return prepared;
  });
  await using client = await check('API', () => connect(inputs.api, runner));
  const jobDeps = client && jobDepsOf(client, inputs, runner);
  if (jobDeps !== undefined) {
    await check('API', () => checkKey(inputs, add, jobDeps));
  }
  if (jobDeps === undefined || failure() !== undefined) {
    add(
      'unknown',
      'Real run',
      'What it would do is checked once the prompt and the key can be used.',
    );
    return;
  }
  await check('Real run', async () => {
    const request = requestOf(inputs, prompt, access.event, runner.environment);
    const earlier = await findEarlier(request, { ...deps, access, jobDeps });
    const { plan, notes } = decide(request, earlier);
    for (const { level, text } of notes) {
      add(level === 'info' ? 'good' : 'note', 'Real run', text);
    }
    add(plan.kind === 'nothing' ? 'note' : 'good', 'Real run', describePlan(plan));
  });
}

function addPrompt(prompt: Prompt | undefined, add: AddFinding): void {
  if (prompt === undefined) {
    add('good', 'Prompt', 'There is none: the step only waits for a job.');
    return;
  }
  const size = `It has ${counted(prompt.characters, 'character')}; see below.`;
  const [warning] = prompt.warnings;
  add(warning === undefined ? 'good' : 'note', 'Prompt', `${size} ${warning ?? ''}`.trimEnd());
}

function describePlan(plan: Plan): string {
  switch (plan.kind) {
    case 'new':
      return 'It would start a new job.';
    case 'continue':
      return `It would send the prompt to job ${plan.jobId} as a follow-up.`;
    case 'resume':
      return `It would resume job ${plan.job.id} of attempt ${plan.record.attempt}, and send nothing.`;
    case 'wait':
      return `It would wait for job ${plan.jobId}, and send nothing.`;
    case 'nothing':
      return `It would be skipped. ${plan.result.message}`;
  }
}

/** Longer than a brief failure of the API; a dry run is repeated soon enough. */
const limitMs = 30_000;

/** A dry run reads jobs, and says nothing about that. */
function jobDepsOf(client: Client, { api }: AgentInputs, { clock, signal }: Runner): JobDeps {
  const silence = () => {};
  return {
    jobs: createJobs(client, api.projectId),
    clock,
    signal,
    observer: {
      started: silence,
      retrying: silence,
      followingUp: silence,
      polled: silence,
      waiting: silence,
    },
    pollIntervalMs: 2000,
    deadlineMs: clock.nowMs() + limitMs,
  };
}

/** No job has this id: the API makes its own. */
const noJob = 'docs-agent-action-dry-run';

/**
 * Tries key, project and base URL with a request that changes nothing: it reads the job of `job-id`, or one
 * that cannot exist. That there is no such job is good news then.
 *
 * @throws ActionError, CancelledError
 */
async function checkKey(
  { job: asked, api: { baseUrl, projectId } }: AgentInputs,
  add: AddFinding,
  deps: JobDeps,
): Promise<void> {
  const accepts = `The API at ${baseUrl.host} accepts the key.`;
  const id = asked.kind === 'id' ? asked.id : noJob;
  try {
    const job = await readJob(attachedTo(id, deps.clock), deps);
    add('good', 'API', `${accepts} Job ${id} is ${job.status}.`);
  } catch (error) {
    if (id !== noJob || !hasReason(error, 'job-not-found')) {
      throw error;
    }
    add('good', 'API', accepts);
    add(
      'unknown',
      'Project',
      `A wrong project-id may get the same response, so compare ${projectId} with the API keys page of the dashboard.`,
    );
  }
}
