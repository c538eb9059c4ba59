import { connect, describeCalls } from '../../common/connect.ts';
import { explainError } from '../../common/explain-error.ts';
import { createJobs } from '../../platform/jobs.ts';
import { counted } from '../../text/plain.ts';
import { withoutSecret } from '../../text/secret.ts';
import type { Access } from '../access/access.ts';
import { type AgentInputs, readAgentInputs } from '../inputs.ts';
import { NothingChangedError } from '../prompt/changes-since.ts';
import { preparePrompt, promptWarnings } from '../prompt/prepare.ts';
import { findingLine } from '../report/report.ts';
import type { Result } from '../result.ts';
import { hourlyLimit, type Tools } from '../tools.ts';
import { findEarlierJob } from './earlier-job.ts';
import { type Finding, good, note } from './finding.ts';
import { tryKey } from './key.ts';
import { findOpenPullRequest } from './open-pull-request.ts';
import { checkGitHub } from './tokens.ts';

type Granted = Access & { readonly kind: 'granted' };

/**
 * Checks everything that a real run needs and that can be checked without starting a job, in the
 * order in which a real run would fail. Nothing is started, and nothing is written but the report.
 *
 * @throws CancelledError when the run is cancelled
 */
export async function dryRun(access: Granted, tools: Tools): Promise<Result> {
  const { runner, state } = tools;
  const findings: Finding[] = [];
  const add = (...found: readonly Finding[]): void => {
    findings.push(...found);
    for (const finding of found) {
      runner.log.info(findingLine(finding));
    }
    state.learn({ findings: [...findings] });
  };
  /** Runs a check; what it throws is a finding. */
  const check = async <Value>(name: string, run: () => Value | Promise<Value>) => {
    try {
      return await run();
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
  };
  add(good('Access', `${access.askedBy || 'This event'} may start a job.`));
  const inputs = await check('Inputs', () => readAgentInputs(runner.inputs));
  if (inputs === undefined) {
    add(unread);
  } else {
    add(good('Inputs', 'All inputs can be used.'));
    state.learn({ inputs, askedBy: access.askedBy });
    await check('Prompt', async () => add(await preparedPrompt(inputs, access, tools)));
    await check('API', async () => add(...(await readApi(inputs, tools))));
    await check('Earlier attempt', async () => add(await findEarlierJob(inputs, access, tools)));
    await check('Open pull request', async () =>
      add(...(await findOpenPullRequest(inputs, access, tools))),
    );
  }
  add(...(await checkGitHub(access, tools)), notKnown);
  if (state.current.promptText !== undefined) {
    runner.log.fold('The prompt as it would be sent', state.current.promptText);
  }
  return resultOf(findings);
}

async function preparedPrompt(
  inputs: AgentInputs,
  access: Granted,
  tools: Tools,
): Promise<Finding> {
  const { state } = tools;
  const asked = await preparePrompt(inputs, access.inputs.githubToken, tools);
  const { prompt } = state.current;
  if (asked.kind === 'attach' || prompt === undefined) {
    return good('Prompt', 'There is none: the step only waits for a job.');
  }
  // A line of the log is cut, and half a key is not masked.
  state.learn({ promptText: withoutSecret(asked.prompt, inputs.api.apiKey) });
  const size = `It has ${counted(prompt.characters, 'character')}; see below.`;
  const [warning] = promptWarnings(prompt);
  return warning === undefined ? good('Prompt', size) : note('Prompt', `${size} ${warning}`);
}

async function readApi(inputs: AgentInputs, { runner }: Tools): Promise<readonly Finding[]> {
  await using client = connect(inputs.api, runner);
  const jobs = createJobs(client, describeCalls(inputs.api, hourlyLimit));
  return await tryKey(inputs, jobs, runner);
}

const unread: Finding = {
  name: 'Not checked',
  level: 'unknown',
  text: 'The prompt, the key and earlier attempts are checked once all inputs can be used.',
};

const notKnown: Finding = {
  name: 'Not checked',
  level: 'unknown',
  text: 'Whether the key may start jobs, whether the plan includes the agent, and whether credits are left shows only when a job is started.',
};

function resultOf(findings: readonly Finding[]): Result {
  const bad = findings.find(({ level }) => level === 'bad');
  return bad?.reason === undefined
    ? { result: 'ready' }
    : { result: 'error', reason: bad.reason, message: bad.text };
}
