import { type GitHubDeps, readResponse } from '../github/request.ts';
import type { Environment } from '../runner/environment.ts';
import type { Granted } from './access.ts';
import { type Finding, good, note, unknown } from './finding.ts';
import {
  type AgentInputs,
  adviceOnToken,
  permissionsFor,
  type RepositoryToken,
  tokenFor,
} from './inputs.ts';
import type { AgentDeps } from './state.ts';

/**
 * Finds out what the tokens can read, and where the comment and the label would go. No real run fails for
 * want of that, since permissions are already checked.
 */
export async function checkTokens(
  access: Granted,
  inputs: AgentInputs | undefined,
  { runner, github }: AgentDeps,
): Promise<readonly Finding[]> {
  const { environment, clock, signal } = runner;
  const depsWith = (token: string): GitHubDeps => ({ session: github.as(token), clock, signal });
  const found = await Promise.all([
    checkGitHubToken(access, environment.repository, depsWith),
    inputs === undefined ? [] : checkDocsToken(access, inputs, environment, depsWith),
    checkComment(access, environment.repository, depsWith),
  ]);
  return found.flat();
}

type DepsWith = (token: string) => GitHubDeps;

async function checkGitHubToken(
  { inputs: { githubToken } }: Granted,
  repository: string,
  depsWith: DepsWith,
): Promise<Finding> {
  const name = 'github-token';
  if (githubToken === '') {
    return note(name, 'It is empty, so nothing on GitHub is read or written with it.');
  }
  const question = { route: 'GET /repos/{owner}/{repo}', repository } as const;
  const reading = await readResponse(question, depsWith(githubToken), () => true);
  return reading.kind === 'read'
    ? good(name, `It can read ${repository}.`)
    : note(
        name,
        `It cannot read ${repository}, because ${reading.problem}: check its repositories, its permissions and when it expires.`,
      );
}

/** The token for the docs repository, as far as that is known, and the label that it sets there. */
async function checkDocsToken(
  { inputs }: Granted,
  { label, docsRepository }: AgentInputs,
  environment: Environment,
  depsWith: DepsWith,
): Promise<readonly Finding[]> {
  const name = 'docs-token';
  const { docsToken, githubToken } = inputs;
  const repository = docsRepository || environment.repository;
  const token = tokenFor(repository, inputs, environment);
  const permissions = permissionsFor(label);
  const onLabel =
    label === ''
      ? []
      : [
          unknown(
            'pr-label',
            `Whether ${token.input} may put the label "${label}" on a pull request is not checked: it needs ${permissions} on ${repository}.`,
          ),
        ];
  if (token.input === 'docs-token') {
    return [...(await checkDocsRepository(label, token, depsWith)), ...onLabel];
  }
  if (docsToken === githubToken) {
    return onLabel;
  }
  const reading = await readResponse({ route: 'GET /rate_limit' }, depsWith(docsToken), () => true);
  const text =
    'GitHub accepts it. Whether it can read the docs repository shows when a job names that.';
  return [
    reading.kind === 'read'
      ? good(name, text)
      : note(name, `GitHub does not accept it, because ${reading.problem}: create a new token.`),
    ...onLabel,
  ];
}

/** GitHub says what the user of a token may do, and nothing of the token's own permissions. */
async function checkDocsRepository(
  label: string,
  token: RepositoryToken,
  depsWith: DepsWith,
): Promise<readonly Finding[]> {
  const name = 'docs-token';
  const { repository } = token;
  const permissions = permissionsFor(label);
  const reading = await readResponse(
    { route: 'GET /repos/{owner}/{repo}', repository },
    depsWith(token.value),
    ({ permissions: may }) => ({ mayLabel: may === undefined || may.push || may.triage === true }),
  );
  if (reading.kind === 'unread') {
    const advice = reading.isRefusal
      ? adviceOnToken(reading, permissions, token)
      : 'run the workflow again later';
    return [note(name, `It cannot read ${repository}, because ${reading.problem}: ${advice}.`)];
  }
  if (label === '' || (reading.value.mayLabel && !token.isStandIn)) {
    return [good(name, `It can read ${repository}.`)];
  }
  const text = token.isStandIn
    ? `It is empty, and the workflow's own token can only read ${repository}: set docs-token to one that has ${permissions} there, unless github-token has them.`
    : `Its user can only read ${repository}: use one that has ${permissions} there.`;
  return [note(name, text)];
}

async function checkComment(
  { inputs: { githubToken, comment }, event }: Granted,
  repository: string,
  depsWith: DepsWith,
): Promise<Finding> {
  const name = 'comment';
  const number = comment.kind === 'thread' ? comment.number : event.thread?.number;
  if (comment.kind === 'off' || number === undefined) {
    return good(name, 'None is written.');
  }
  const question = {
    route: 'GET /repos/{owner}/{repo}/issues/{issue_number}',
    repository,
    parameters: { issue_number: number },
  } as const;
  const reading = await readResponse(question, depsWith(githubToken), () => true);
  const place = `${repository}#${number}`;
  return reading.kind === 'read'
    ? unknown(name, `It goes to ${place}. Whether github-token may write there shows when it does.`)
    : note(
        name,
        `It would go to ${place}, which github-token cannot read, because ${reading.problem}: check that it exists, and that github-token has the permission "issues: write" or "pull-requests: write".`,
      );
}
