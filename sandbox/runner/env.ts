import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { parse } from 'yaml';

/** The repository, the event and the actor of a run. */
export interface RunContext {
  /** Base URL of GitHub's web pages, and of its REST API unless `apiUrl` is set. */
  readonly serverUrl: string;
  readonly apiUrl?: string;
  /** `owner/name` of the repository that the workflow belongs to. */
  readonly repository: string;
  readonly actor: string;
  readonly eventName: string;
  /** The workflow's own token, for inputs whose default is `${{ github.token }}`. */
  readonly token: string;
}

const manifest = v.object({
  inputs: v.optional(
    v.record(
      v.string(),
      v.object({ default: v.optional(v.union([v.string(), v.number(), v.boolean()])) }),
    ),
    {},
  ),
});

/**
 * The `INPUT_…` variables of a step, as the runner sets them: in upper case, with hyphens kept, and one
 * for each input of the action, with its default or empty. Like the runner, this does not enforce
 * `required`, and passes unknown inputs on.
 *
 * @param actionFile Path of the action's `action.yml`; without it there are no defaults.
 * @param given The step's `with:`.
 */
export function inputVariables(
  actionFile: string | undefined,
  given: Readonly<Record<string, string>>,
  token: string,
): Record<string, string> {
  const text = actionFile === undefined ? '{}' : readFileSync(actionFile, 'utf8');
  const { inputs } = v.parse(manifest, parse(text));
  const defaults = Object.entries(inputs).map(([name, input]) => [
    variableName(name),
    evaluate(name, String(input.default ?? ''), token),
  ]);
  const values = Object.entries(given).map(([name, value]) => [variableName(name), value]);
  return Object.fromEntries([...defaults, ...values]);
}

function variableName(input: string): string {
  return `INPUT_${input.replaceAll(' ', '_').toUpperCase()}`;
}

/** Evaluates the only two expressions that are supported in defaults; the job has no matrix. */
function evaluate(input: string, text: string, token: string): string {
  if (/^\$\{\{\s*github\.token\s*\}\}$/.test(text)) {
    return token;
  }
  if (/^\$\{\{\s*toJSON\(matrix\)\s*\}\}$/.test(text)) {
    return 'null';
  }
  if (text.includes('${{')) {
    throw new Error(`The default of the input "${input}" is an expression: ${text}`);
  }
  return text;
}

/** The only variables of this process that a step gets. */
const MACHINE_VARIABLES = ['PATH', 'SystemRoot', 'ComSpec', 'PATHEXT', 'TMPDIR', 'TEMP', 'TMP'];

/** Paths of the runner's files, by variable. */
type RunnerFiles = Readonly<Record<string, string>>;

/** The variables that the runner sets for every step. */
export function runnerVariables(context: RunContext, files: RunnerFiles): Record<string, string> {
  const { serverUrl, apiUrl = serverUrl, repository, actor, eventName } = context;
  const machine = MACHINE_VARIABLES.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  });
  return {
    ...Object.fromEntries(machine),
    CI: 'true',
    GITHUB_ACTIONS: 'true',
    GITHUB_ACTION: '__run',
    GITHUB_ACTOR: actor,
    GITHUB_TRIGGERING_ACTOR: actor,
    GITHUB_API_URL: apiUrl,
    GITHUB_GRAPHQL_URL: `${apiUrl}/graphql`,
    GITHUB_SERVER_URL: serverUrl,
    GITHUB_EVENT_NAME: eventName,
    GITHUB_JOB: 'docs',
    GITHUB_REF: 'refs/heads/main',
    GITHUB_REF_NAME: 'main',
    GITHUB_REF_TYPE: 'branch',
    GITHUB_REPOSITORY: repository,
    GITHUB_REPOSITORY_OWNER: repository.split('/')[0] ?? '',
    GITHUB_RUN_ATTEMPT: '1',
    GITHUB_RUN_ID: '1001',
    GITHUB_RUN_NUMBER: '7',
    GITHUB_SHA: '0123456789abcdef0123456789abcdef01234567',
    GITHUB_WORKFLOW: 'Docs',
    RUNNER_ENVIRONMENT: 'self-hosted',
    RUNNER_NAME: 'sandbox',
    ...files,
  };
}
