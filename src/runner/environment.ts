import type { ProxyRoutes } from '../network/http.ts';
import { variableError } from '../text/error.ts';
import { decoded } from '../text/url.ts';

/** The runner's variables about the run. Missing ones are empty strings. */
export interface Environment {
  readonly workspace: string;
  /** Path of the JSON file with the payload of the event that triggered the run. */
  readonly eventPath: string;
  readonly eventName: string;
  /** `owner/name` of the repository that the workflow belongs to. */
  readonly repository: string;
  /** The repository's id: stays the same after a rename or a transfer; empty if the runner does not set it. */
  readonly repositoryId: string;
  /** The commit that the run is about, and its branch or tag, such as `refs/heads/main`. */
  readonly sha: string;
  readonly ref: string;
  /** Who triggered the run, and who triggered this attempt. */
  readonly actor: string;
  readonly triggeringActor: string;
  /** Base URLs of GitHub: its pages, its API. */
  readonly serverUrl: string;
  readonly apiUrl: string;
  /** The workflow's file as `owner/name/path`, or its name if the runner does not set the file. */
  readonly workflow: string;
  /** Ids of the job and the step inside the workflow. */
  readonly job: string;
  readonly step: string;
  readonly runId: string;
  /** 1 for the first attempt of the run; each re-run adds 1. */
  readonly attempt: number;
  /** Run and attempt, such as `1001.2`. */
  readonly run: string;
  /** Link to this run's page; empty outside a run. */
  readonly runUrl: string;
}

/**
 * Reads the usual proxy variables. The lower-case names take precedence.
 * @throws ActionError for a proxy that the HTTP client cannot use: one without a scheme, or with a raw `%`
 *   in its user name or password
 */
export function readProxy(variables: NodeJS.ProcessEnv): ProxyRoutes {
  return {
    httpProxy: readProxyUrl(variables, ['http_proxy', 'HTTP_PROXY']),
    httpsProxy: readProxyUrl(variables, ['https_proxy', 'HTTPS_PROXY']),
    noProxy: variables['no_proxy'] ?? variables['NO_PROXY'] ?? '',
  };
}

function readProxyUrl(variables: NodeJS.ProcessEnv, names: readonly string[]): string {
  const name = names.find((candidate) => variables[candidate] !== undefined) ?? '';
  const value = variables[name] ?? '';
  if (value === '') {
    return value;
  }
  const url = URL.parse(value);
  if (url === null || !/^(?:https?|socks5?):$/.test(url.protocol) || hasRawPercent(url)) {
    throw variableError(
      name,
      'is not the URL of a proxy',
      'write it with its scheme, such as http://proxy.example:3128, and percent-encode its user name and password',
    );
  }
  return value;
}

/** Whether the user name or the password has a `%` that begins no percent-encoded character. */
function hasRawPercent({ username, password }: URL): boolean {
  const text = `${username} ${password}`;
  return text.includes('%') && decoded(text) === text;
}

export function readEnvironment(variables: NodeJS.ProcessEnv): Environment {
  const read = (name: string): string => variables[name] ?? '';
  const server = read('GITHUB_SERVER_URL');
  const repository = read('GITHUB_REPOSITORY');
  const runId = read('GITHUB_RUN_ID');
  const attempt = Number.parseInt(read('GITHUB_RUN_ATTEMPT'), 10) || 1;
  return {
    workspace: read('GITHUB_WORKSPACE') || '.',
    eventPath: read('GITHUB_EVENT_PATH'),
    eventName: read('GITHUB_EVENT_NAME'),
    repository,
    repositoryId: read('GITHUB_REPOSITORY_ID'),
    sha: read('GITHUB_SHA'),
    ref: read('GITHUB_REF'),
    actor: read('GITHUB_ACTOR'),
    triggeringActor: read('GITHUB_TRIGGERING_ACTOR'),
    serverUrl: server,
    apiUrl: read('GITHUB_API_URL'),
    // The ref behind the @ must not make this a different workflow. The file's name can contain an @, too.
    workflow:
      read('GITHUB_WORKFLOW_REF').replace(/@(?:refs\/.*|[^@]*)$/, '') || read('GITHUB_WORKFLOW'),
    job: read('GITHUB_JOB'),
    step: read('GITHUB_ACTION'),
    runId: runId || '0',
    attempt,
    run: `${runId || '0'}.${attempt}`,
    runUrl: server && repository && runId ? `${server}/${repository}/actions/runs/${runId}` : '',
  };
}
