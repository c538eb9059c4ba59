import { adviceOnToken, type RepositoryToken } from '../github/errors.ts';
import { ask, type RequestFailure } from '../github/request.ts';
import type { Granted } from './access.ts';
import type { AddFinding } from './finding.ts';
import { type AgentInputs, permissionsFor, tokenFor } from './inputs.ts';
import type { AgentDeps } from './state.ts';

/**
 * Finds out what the tokens can read, and where the comment and the label would go. No real run fails for
 * want of that, since permissions are already checked.
 */
export async function checkTokens(
  access: Granted,
  inputs: AgentInputs | undefined,
  add: AddFinding,
  { runner, github }: AgentDeps,
): Promise<void> {
  const { clock, signal } = runner;
  const { repository } = runner.environment;
  const deps: TokenDeps = {
    repository,
    add,
    async tryRead(path, token) {
      const requests = { session: github.as(token), clock, signal };
      const reading = await ask(
        requests,
        (octokit) => octokit.request(`GET ${path}`),
        () => true,
      );
      return reading.kind === 'ok' ? undefined : reading;
    },
  };
  await checkGitHubToken(access, deps);
  if (inputs !== undefined) {
    await checkDocsToken(access, inputs, deps);
  }
  await checkComment(access, deps);
}

interface TokenDeps {
  /** The workflow's own, `owner/name`. */
  readonly repository: string;
  readonly add: AddFinding;
  /** @returns why a path of GitHub's API cannot be read; `undefined` if it can */
  tryRead(path: string, token: string): Promise<RequestFailure | undefined>;
}

async function checkGitHubToken({ inputs }: Granted, deps: TokenDeps): Promise<void> {
  const token = tokenFor(deps.repository, inputs, deps);
  if (token.value === '') {
    deps.add('note', token.input, 'It is empty, so nothing on GitHub is read or written with it.');
  } else {
    await checkRepository(token, 'the permission "contents: read"', deps);
  }
}

/** Checks the token for the docs repository, as far as that is known, and says what the label needs there. */
async function checkDocsToken(
  { inputs }: Granted,
  { label, docsRepository }: AgentInputs,
  deps: TokenDeps,
): Promise<void> {
  const { add, tryRead } = deps;
  const { docsToken, githubToken } = inputs;
  const token = tokenFor(docsRepository || deps.repository, inputs, deps);
  const permissions = permissionsFor(label);
  if (token.input === 'docs-token') {
    await checkRepository(token, permissions, deps);
  } else if (docsToken !== githubToken) {
    const failure = await tryRead('/rate_limit', docsToken);
    add(
      failure === undefined ? 'good' : 'note',
      'docs-token',
      failure === undefined
        ? 'GitHub accepts it. Whether it can read the docs repository shows when a job names that.'
        : `GitHub does not accept it, because ${failure.problem}: create a new token.`,
    );
  }
  if (label !== '') {
    const needed = `${permissions} on ${token.repository}`;
    add(
      token.isStandIn ? 'note' : 'unknown',
      'pr-label',
      token.isStandIn
        ? `docs-token is empty, and the workflow's own token cannot put the label "${label}" on a pull request of another repository: set docs-token to one that has ${needed}, unless github-token has them.`
        : `Whether ${token.input} may put the label "${label}" on a pull request is not checked: it needs ${needed}.`,
    );
  }
}

async function checkRepository(
  token: RepositoryToken,
  permissions: string,
  { add, tryRead }: TokenDeps,
): Promise<void> {
  const { repository, input } = token;
  const failure = await tryRead(`/repos/${repository}`, token.value);
  if (failure === undefined) {
    add('good', input, `It can read ${repository}.`);
  } else {
    const advice = failure.isRefusal
      ? adviceOnToken(failure, permissions, token)
      : 'run the workflow again later';
    add('note', input, `It cannot read ${repository}, because ${failure.problem}: ${advice}.`);
  }
}

async function checkComment(
  { inputs: { githubToken, comment }, event }: Granted,
  { repository, add, tryRead }: TokenDeps,
): Promise<void> {
  const name = 'comment';
  const number = comment.kind === 'thread' ? comment.number : event.thread?.number;
  if (comment.kind === 'off' || number === undefined) {
    add('good', name, 'None is written.');
    return;
  }
  const failure = await tryRead(`/repos/${repository}/issues/${number}`, githubToken);
  const place = `${repository}#${number}`;
  add(
    failure === undefined ? 'unknown' : 'note',
    name,
    failure === undefined
      ? `It goes to ${place}. Whether github-token may write there shows when it does.`
      : `It would go to ${place}, which github-token cannot read, because ${failure.problem}: check that it exists, and that github-token has the permission "issues: write" or "pull-requests: write".`,
  );
}
