import {
  failureOf,
  type GitHubRequest,
  isSuccess,
  repositoryParameters,
  sendAgain,
} from '../../github/request.ts';
import type { Access } from '../access/access.ts';
import type { Tools } from '../tools.ts';
import { type Finding, good, note } from './finding.ts';

const timeoutMs = 10_000;

/**
 * Finds out what the tokens can read, and where the comment would go. No real run fails for want of
 * that, since permissions are already checked.
 */
export async function checkGitHub(
  { inputs, facts }: Access & { readonly kind: 'granted' },
  { runner, github }: Tools,
): Promise<readonly Finding[]> {
  const { repository } = runner.environment;
  const here = repositoryParameters(repository);
  const { githubToken, docsToken, comment } = inputs;
  const ask = async (
    token: string,
    route: string,
    parameters: NonNullable<GitHubRequest['parameters']>,
  ): Promise<string | undefined> => {
    const request = { route, parameters, timeoutMs, signal: runner.signal };
    const response = await sendAgain(github.as(token), request, runner.clock);
    return isSuccess(response) ? undefined : failureOf(response).problem;
  };

  const checkGitHubToken = async (): Promise<Finding> => {
    if (githubToken === '') {
      return note('github-token', 'It is empty, so nothing on GitHub is read or written with it.');
    }
    const problem = await ask(githubToken, 'GET /repos/{owner}/{repo}', here);
    return problem === undefined
      ? good('github-token', `It can read ${repository}.`)
      : note(
          'github-token',
          `It cannot read ${repository}, because ${problem}: check its repositories, its permissions and when it expires.`,
        );
  };

  const checkDocsToken = async (): Promise<Finding> => {
    const problem = await ask(docsToken, 'GET /rate_limit', {});
    return problem === undefined
      ? good(
          'docs-token',
          'GitHub accepts it. Whether it can read the docs repository shows when a job names that.',
        )
      : note('docs-token', `GitHub does not accept it, because ${problem}: create a new token.`);
  };

  const checkComment = async (): Promise<Finding> => {
    const number = comment.kind === 'thread' ? comment.number : facts.thread?.number;
    if (comment.kind === 'off' || number === undefined) {
      return good('comment', 'None is written.');
    }
    const place = `${repository}#${number}`;
    const problem = await ask(githubToken, 'GET /repos/{owner}/{repo}/issues/{issue_number}', {
      ...here,
      issue_number: number,
    });
    return problem === undefined
      ? good(
          'comment',
          `It goes to ${place}. Whether github-token may write there shows when it does.`,
        )
      : note(
          'comment',
          `It would go to ${place}, which github-token cannot read, because ${problem}: check that it exists, and that github-token has the permission "issues: write" or "pull-requests: write".`,
        );
  };

  return await Promise.all([
    checkGitHubToken(),
    ...(docsToken === githubToken ? [] : [checkDocsToken()]),
    checkComment(),
  ]);
}
