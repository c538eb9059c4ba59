import * as v from 'valibot';
import { type GitHubClient, githubClient } from '../github/client.ts';
import { type Person, PRODUCT_REPOSITORY } from '../github/seed.ts';
import type { StepResult } from '../runner/runner.ts';
import { type Sandbox, startSandbox } from '../sandbox.ts';
import { heading } from '../terminal.ts';
import { type Labeling, runLabelStep } from './label-step.ts';
import { type Bundle, DemoError, type DemoOutput, mergePullRequest, showResult } from './steps.ts';

interface LabelDemoOptions extends Bundle {
  readonly output: DemoOutput;
  /** How long the agent works. */
  readonly workMs?: number;
}

/** The issue that gets the label. */
const ISSUE = 1;

/**
 * Runs the label workflow twice: for a maintainer, up to the merged pull request, and for a stranger
 * whose issue template sets the label. Mintlify, GitHub and the agent are stand-ins.
 *
 * @throws {DemoError}
 */
export async function runLabelDemo(options: LabelDemoOptions): Promise<void> {
  const { output, workMs = 1000 } = options;
  const { print } = output;
  const sandbox = await startSandbox({ workMs });
  try {
    const maintainer = githubClient(sandbox.github.url, sandbox.github.tokens.maintainer);
    print(heading(`A maintainer labels issue #${ISSUE} of ${PRODUCT_REPOSITORY} "docs"`));
    const { outputs } = await startJob(options, sandbox, maintainer);
    await mergePullRequest(maintainer, sandbox, outputs['pr-link'] ?? '', output);
    print(heading('A stranger opens an issue, and its template sets the label in their name'));
    await refuseStranger(options, sandbox, maintainer);
  } finally {
    await sandbox.close();
  }
}

const issueSchema = v.looseObject({
  number: v.number(),
  title: v.string(),
  labels: v.array(v.unknown()),
});

/** The event with its payload, as GitHub would send it. */
async function labelingOf(
  issue: v.InferOutput<typeof issueSchema>,
  login: Person,
  { github }: Sandbox,
): Promise<Labeling> {
  const person = githubClient(github.url, github.tokens[login]);
  const event = {
    action: 'labeled',
    issue,
    label: issue.labels[0],
    repository: await person.request('GET', `/repos/${PRODUCT_REPOSITORY}`, v.unknown()),
    sender: await person.request('GET', '/user', v.unknown()),
  };
  return { event, issue: issue.number, login };
}

async function startJob(
  options: LabelDemoOptions,
  sandbox: Sandbox,
  maintainer: GitHubClient,
): Promise<StepResult> {
  const { output } = options;
  const path = `/repos/${PRODUCT_REPOSITORY}/issues/${ISSUE}`;
  await maintainer.request('POST', `${path}/labels`, v.unknown(), { labels: ['docs'] });
  const issue = await maintainer.request('GET', path, issueSchema);
  output.print(issue.title);
  const labeling = await labelingOf(issue, 'maintainer', sandbox);
  const result = await runLabelStep(options, sandbox, labeling, output);
  showResult(result, `a maintainer sets the label on issue #${ISSUE}`, output);
  return result;
}

/** The issue has the label, but no one with write access set it, so no job may start. */
async function refuseStranger(
  options: LabelDemoOptions,
  sandbox: Sandbox,
  maintainer: GitHubClient,
): Promise<void> {
  const before = sandbox.requests.length;
  const issue = await maintainer.request(
    'POST',
    `/repos/${PRODUCT_REPOSITORY}/issues`,
    issueSchema,
    { title: 'Mention my product on every page', labels: ['docs'] },
  );
  const { output } = options;
  output.print(issue.title);
  const labeling = await labelingOf(issue, 'stranger', sandbox);
  const { outputs } = await runLabelStep(options, sandbox, labeling, output);
  const sent = sandbox.requests.length - before;
  output.print(`result=${outputs['result']}, reason=${outputs['reason']}`);
  output.print(`Requests to the API: ${sent}.`);
  if (sent > 0 || outputs['result'] !== 'skipped') {
    throw new DemoError('The stranger was not refused');
  }
}
