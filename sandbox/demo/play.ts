import * as v from 'valibot';
import { type GitHubClient, githubClient } from '../github/client.ts';
import { type Person, PRODUCT_REPOSITORY } from '../github/seed.ts';
import type { StepResult } from '../runner/runner.ts';
import { type Sandbox, startSandbox } from '../sandbox.ts';
import { heading } from '../terminal.ts';
import { type Labeling, playStep } from './play-step.ts';
import { type Bundle, DemoFailed, mergePullRequest, type Screen, showEnd } from './scenes.ts';

export interface DemoOptions extends Bundle {
  readonly screen: Screen;
  /** How long the agent works, in milliseconds. */
  readonly workMs?: number;
}

/** The issue that gets the label. */
const ISSUE = 1;

/**
 * Plays two workflow runs: from the label on an issue to the merged pull request, and a stranger's
 * issue whose template sets the label. Everything is real but the service, the code host and the
 * agent's wits.
 *
 * @throws {DemoFailed}
 */
export async function playDemo(options: DemoOptions): Promise<void> {
  const { screen, workMs = 1000 } = options;
  const { print } = screen;
  const sandbox = await startSandbox({ workMs });
  try {
    const maintainer = githubClient(sandbox.github.url, sandbox.github.tokens.maintainer);
    print(heading(`A maintainer labels issue #${ISSUE} of ${PRODUCT_REPOSITORY} "docs"`));
    const { outputs } = await startJob(options, sandbox, maintainer);
    await mergePullRequest(maintainer, sandbox, outputs['pr-link'] ?? '', screen);
    print(heading('A stranger opens an issue whose template sets the label, in their name'));
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

/** The payload of the event that starts the workflow, sent in the name of whoever has the token. */
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
  options: DemoOptions,
  sandbox: Sandbox,
  maintainer: GitHubClient,
): Promise<StepResult> {
  const { screen } = options;
  const path = `/repos/${PRODUCT_REPOSITORY}/issues/${ISSUE}`;
  await maintainer.request('POST', `${path}/labels`, v.unknown(), { labels: ['docs'] });
  const issue = await maintainer.request('GET', path, issueSchema);
  screen.print(issue.title);
  const labeling = await labelingOf(issue, 'maintainer', sandbox);
  const result = await playStep(options, sandbox, labeling, screen);
  showEnd(result, screen);
  return result;
}

/** The label is there, but nobody with rights set it: no job may be spent. */
async function refuseStranger(
  options: DemoOptions,
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
  const { screen } = options;
  screen.print(issue.title);
  const { outputs } = await playStep(
    options,
    sandbox,
    await labelingOf(issue, 'stranger', sandbox),
    screen,
  );
  const sent = sandbox.requests.length - before;
  screen.print(`result=${outputs['result']}, reason=${outputs['reason']}`);
  screen.print(`Requests that reached the service: ${sent}.`);
  if (sent > 0 || outputs['result'] !== 'skipped') {
    throw new DemoFailed('The stranger was not refused');
  }
}
