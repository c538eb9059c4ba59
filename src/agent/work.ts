import { connect, describeCalls } from '../common/connect.ts';
import type { GitHub } from '../github/client.ts';
import { createJobs } from '../platform/jobs.ts';
import type { Runner } from '../runner/step.ts';
import { counted } from '../text/plain.ts';
import { workingText } from './comment-text.ts';
import { type AgentInputs, readAgentInputs } from './inputs.ts';
import type { Known } from './known.ts';
import { createNarrator } from './narrator.ts';
import { openComment } from './open-comment.ts';
import { describeRemoved, promptWarnings } from './prompt/messages.ts';
import { type Prompt, readPrompt } from './prompt/prompt.ts';
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
    const narrator = createNarrator(runner, known, inputs.service.projectId, (job) =>
      known.comment?.show(workingText(known, runner), job.id),
    );
    const onStarted = (): void => {
      const order = { ...admission, subject: 'job', ...inputs.service } as const;
      known.comment = openComment(order, github, runner);
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
  const { environment, cancelled } = runner;
  const prompt = await readPrompt(request.prompt, variables, { ...environment, cancelled });
  known.prompt = prompt;
  describePrompt(prompt, runner);
  return { ...request, prompt: prompt.text };
}

function describePrompt(prompt: Prompt, { log }: Runner): void {
  for (const warning of promptWarnings(prompt)) {
    log.warning(warning);
  }
  const removed = describeRemoved(prompt.removed);
  if (removed !== '') {
    log.info(`Taken out of event text: ${removed}.`);
  }
  log.debug(
    `The prompt comes from ${prompt.origin.input} and has ${counted(prompt.characters, 'character')}, SHA-256 ${prompt.sha256}.`,
  );
}
