import { array, object, optional, string, unknown } from 'valibot';
import { id, parse } from '../text/parse.ts';
import type { ThreadPlace } from './comments.ts';
import { type GitHubDeps, type Reading, readPages } from './reading.ts';
import {
  failureOf,
  type GitHubResponse,
  isSuccess,
  type RequestFailure,
  repositoryParameters,
  sendAgain,
} from './request.ts';

/** An open pull request in a list of issues. */
interface LabelledPull {
  readonly number: number;
  /** Link to its page; its repository may have been renamed since the request named it. */
  readonly url: string;
}

const issuesSchema = array(
  object({ number: id, html_url: string(), pull_request: optional(unknown()) }),
);

/** Reads one page of "List repository issues": of each, the pull request that it is. */
function readIssues(
  body: unknown,
): readonly { readonly pull: LabelledPull | undefined }[] | undefined {
  return parse(issuesSchema, body)?.map((issue) => ({
    pull: issue.pull_request ? { number: issue.number, url: issue.html_url } : undefined,
  }));
}

const timeoutMs = 10_000;

/** More open issues with the label of the agent's pull requests are a mistake in the workflow. */
const mostPages = 10;

/**
 * Lists the open pull requests with a label, newest first, usually by one request. GitHub has no such list
 * of pull requests alone; theirs is the list of issues, which are told apart here.
 *
 * @param label percent-encoded as a whole, so only a comma has a meaning in it: it would separate two
 *   labels, even if it is encoded
 */
export async function listLabelled(
  repository: string,
  label: string,
  deps: GitHubDeps,
): Promise<Reading<readonly LabelledPull[]>> {
  const parameters = {
    ...repositoryParameters(repository),
    labels: label,
    state: 'open',
    sort: 'created',
    direction: 'desc',
  };
  const route = 'GET /repos/{owner}/{repo}/issues';
  const reading = await readPages(readIssues, route, parameters, deps, mostPages);
  return reading.kind === 'read'
    ? { kind: 'read', value: reading.value.flatMap(({ pull }) => pull ?? []) }
    : reading;
}

/**
 * Puts a label on a pull request, and makes it where the repository has none of that name.
 * @returns why that failed
 */
export async function putLabel(
  { repository, number }: ThreadPlace,
  label: string,
  { session, clock, signal }: GitHubDeps,
): Promise<RequestFailure | undefined> {
  const send = (route: string, parameters: Parameters<typeof sendAgain>[1]['parameters']) => {
    const all = { ...repositoryParameters(repository), ...parameters };
    return sendAgain(session, { route, parameters: all, timeoutMs, signal }, clock);
  };
  const found = await send('GET /repos/{owner}/{repo}/labels/{name}', { name: label });
  if (hasStatus(found, 404)) {
    const made = await send('POST /repos/{owner}/{repo}/labels', { name: label, ...look });
    // Another step may have made it in between, which GitHub answers with 422.
    if (!isSuccess(made) && !hasStatus(made, 422)) {
      return failureOf(made);
    }
  }
  const put = await send('POST /repos/{owner}/{repo}/issues/{issue_number}/labels', {
    issue_number: number,
    labels: [label],
  });
  return isSuccess(put) ? undefined : failureOf(put);
}

/** The blue that GitHub's own label "documentation" has. */
const look = {
  color: '0075ca',
  description: 'A pull request of the docs agent; the next run finds it by this label',
};

function hasStatus(response: GitHubResponse, status: number): boolean {
  return response.kind === 'response' && response.status === status;
}
