import { connect, describeCalls } from '../common/connect.ts';
import type { GitHub } from '../github/client.ts';
import type { Job } from '../platform/job.ts';
import { createJobs } from '../platform/jobs.ts';
import type { Runner } from '../runner/step.ts';
import { counted, listed } from '../text/plain.ts';
import { workingText } from './comment-text.ts';
import { type AgentInputs, readAgentInputs } from './inputs.ts';
import type { Known } from './known.ts';
import { createNarrator } from './narrator.ts';
import { openComment } from './open-comment.ts';
import { describeRemoved, type Prompt, type PromptSource, readPrompt } from './prompt.ts';
import type { Ending } from './result.ts';
import type { Work } from './start.ts';
import { startAndWait } from './start-and-wait.ts';
import type { Admission } from './who-may.ts';

const hourlyLimit = 'a project takes 100 starts and follow-ups an hour';

/**
 * Works on the job of a run that may: inputs, start, wait.
 *
 * @param known learns of everything, for however this ends
 * @throws InputError, EnvironmentError, PlatformError, CancelledError
 */
export async function work(
  admission: Admission,
  github: GitHub,
  runner: Runner,
  known: Known,
): Promise<Ending> {
  const { clock, cancelled } = runner;
  const inputs = readAgentInputs(runner.inputs);
  known.inputs = inputs;
  known.failOn = inputs.failOn;
  if (inputs.request.kind !== 'create') {
    runner.setOutput('job-id', inputs.request.jobId);
  }
  const task = await readWork(inputs, runner, known);
  const client = connect(inputs.service, runner);
  try {
    const jobs = createJobs(client, describeCalls(inputs.service, hourlyLimit));
    const showActive = (job: Job): void => known.comment?.show(workingText(known, runner), job.id);
    const narrator = createNarrator(runner, known, inputs.service.projectId, showActive);
    const onStarted = (): void => {
      const order = { ...admission, subject: 'job', ...inputs.service } as const;
      known.comment = openComment(order, github, runner);
      if (known.job?.status === 'active') {
        showActive(known.job);
      }
    };
    return await startAndWait(task, inputs, { jobs, narrator, onStarted, clock, cancelled });
  } finally {
    await client.close();
  }
}

async function readWork(
  { request, variables }: AgentInputs,
  runner: Runner,
  known: Known,
): Promise<Work> {
  if (request.kind === 'attach') {
    if (variables !== '') {
      runner.log.warning('Input variables is not used: without a prompt nothing is sent.');
    }
    return request;
  }
  const prompt = await readPrompt(request.prompt, variables, runner.environment);
  known.prompt = prompt;
  describePrompt(prompt, request.prompt, variables, runner);
  return { ...request, prompt: prompt.text };
}

function describePrompt(
  prompt: Prompt,
  source: PromptSource,
  variables: string,
  { log }: Runner,
): void {
  for (const name of prompt.unusedVariables) {
    log.warning(`Input variables has ${name}, but the prompt has no placeholder {{${name}}}.`);
  }
  const missed = prompt.unfilled.map((name) => `{{${name}}}`);
  if (missed.length > 0 && variables !== '') {
    log.warning(`The prompt still holds ${listed(missed)}: variables has no value for that.`);
  }
  const removed = describeRemoved(prompt.removed);
  if (removed !== '') {
    log.info(`Taken out of event text: ${removed}.`);
  }
  log.debug(
    `The prompt comes from ${source.input} and has ${counted(prompt.characters, 'character')}, SHA-256 ${prompt.sha256}.`,
  );
}
