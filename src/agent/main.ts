import { findNoSecret } from '../common/no-secret.ts';
import { createGitHub } from '../github/client.ts';
import { type Conclusion, type Runner, runStep } from '../runner/step.ts';
import { endText } from './comment-text.ts';
import { endingOf } from './ending.ts';
import { peekFailOn } from './inputs.ts';
import { jobIdOf, type Known } from './known.ts';
import { learnLink, learnPullRequest } from './pull-request.ts';
import { report } from './report.ts';
import { type Ending, toResult } from './result.ts';
import { admit } from './who-may.ts';
import { work } from './work.ts';

/** The agent action: a prompt in, a pull request out. */
export async function main(): Promise<void> {
  const known: Known = {};
  await runStep(
    async (runner) => conclude(await tell(runner, known), runner, known),
    (error, runner) => conclude(endingOf(error, runner, known), runner, known),
  );
}

/** The story of one run: who may, inputs, start, wait. */
async function tell(runner: Runner, known: Known): Promise<Ending> {
  const noSecret = await findNoSecret(runner, ' and name dependabot[bot] in allow-bots');
  known.failOn = peekFailOn(runner.inputs);
  if (noSecret !== undefined) {
    return noSecret;
  }
  const { apiUrl, graphqlUrl } = runner.environment;
  const github = createGitHub({ apiUrl, graphqlUrl, readProxy: runner.readProxy });
  known.github = github;
  const admission = await admit(runner, github, known);
  if (admission.kind === 'skipped') {
    return admission;
  }
  const ending = await work(admission, github, runner, known);
  if (ending.kind === 'ended') {
    learnLink(ending.job, runner, known);
    await learnPullRequest(known.link, admission.inputs.docsToken, github, runner, known);
  }
  return ending;
}

function conclude(ending: Ending, runner: Runner, known: Known): Conclusion {
  const result = toResult(ending);
  return {
    ...report(result, known, runner),
    async afterwards() {
      const text = endText(result, known, runner);
      await known.comment?.finish(text, jobIdOf(known), known.link?.url);
      await known.github?.close();
    },
  };
}
