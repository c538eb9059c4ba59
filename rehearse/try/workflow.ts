import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { parse } from 'yaml';
import { DOCS_REPOSITORY, PRODUCT_REPOSITORY } from '../../sandbox/github/seed.ts';
import { actions, bundleOf, subfolderOf } from '../../scripts/actions.ts';
import { readManifest } from '../../scripts/tables.ts';
import { repositoryOf } from '../stage/stand-ins.ts';

const inputSchema = v.object({
  default: v.optional(v.unknown()),
  required: v.optional(v.boolean(), false),
});
const eventSchema = v.nullable(
  v.looseObject({
    types: v.optional(oneOrMore(), []),
    inputs: v.optional(v.record(v.string(), v.fallback(inputSchema, { required: false })), {}),
  }),
);
// The value of `schedule` is a list.
const eventsSchema = v.record(v.string(), v.union([v.array(v.unknown()), eventSchema]));
const isMapping = (value: unknown) => !Array.isArray(value);

const values = v.optional(v.record(v.string(), v.unknown()), {});
const stepSchema = v.looseObject({
  id: v.optional(v.string()),
  name: v.optional(v.string()),
  uses: v.optional(v.string()),
  run: v.optional(v.string()),
  if: v.optional(v.unknown()),
  with: values,
});
const stepsSchema = v.optional(v.array(stepSchema), []);
const jobSchema = v.looseObject({
  'runs-on': v.optional(v.fallback(oneOrMore(), []), []),
  name: v.optional(v.string()),
  if: v.optional(v.unknown()),
  needs: v.optional(v.unknown()),
  container: v.optional(v.unknown()),
  'timeout-minutes': v.optional(v.unknown()),
  uses: v.optional(v.string()),
  with: values,
  steps: stepsSchema,
});
const jobsSchema = v.record(v.string(), jobSchema);
const workflowSchema = v.looseObject({
  on: v.union([oneOrMore(), v.pipe(v.unknown(), v.check(isMapping), eventsSchema)]),
  jobs: jobsSchema,
});
const calledSchema = v.object({
  on: v.object({
    workflow_call: v.object({ secrets: v.record(v.string(), v.unknown()) }),
  }),
});
const localFileSchema = v.looseObject({
  jobs: v.optional(jobsSchema, {}),
  runs: v.optional(v.looseObject({ using: v.optional(v.string()), steps: stepsSchema })),
});

type WorkflowFile = v.InferOutput<typeof workflowSchema>;
/** An action or a workflow in the same repository. */
type LocalFile = v.InferOutput<typeof localFileSchema>;
/** A step or a job: both can have `uses:`. */
type Part = Pick<v.InferOutput<typeof stepSchema>, 'id' | 'name' | 'uses' | 'with'>;

/** @throws Error when the text is not a workflow */
function parseWorkflow(text: string): WorkflowFile {
  const { output, success } = v.safeParse(workflowSchema, parseYaml(text));
  if (!success) {
    throw new Error('it is not a workflow, which needs "on:" with events, and "jobs:"');
  }
  return output;
}

/** @throws Error when the text is not YAML */
function parseLocalFile(text: string): LocalFile {
  const { success, output } = v.safeParse(localFileSchema, parseYaml(text));
  return success ? output : { jobs: {} };
}

/** All jobs and steps of a file. A job's id is its key. */
function partsOf({ jobs, runs }: Partial<LocalFile>): readonly Part[] {
  return [
    ...Object.entries(jobs ?? {}).flatMap(([id, job]) => [{ ...job, id }, ...job.steps]),
    ...(runs?.steps ?? []),
  ];
}

/** The names of the secrets that a reusable workflow takes from its caller. */
function callerSecrets(file: LocalFile | WorkflowFile): readonly string[] {
  return v.is(calledSchema, file) ? Object.keys(file.on.workflow_call.secrets) : [];
}

/** All expressions of a file. Comments are not part of the parsed value. */
function expressionsOf(value: unknown, key = ''): readonly string[] {
  if (typeof value === 'string') {
    return key === 'if' ? [value] : [...value.matchAll(/\$\{\{(.*?)\}\}/gs)].map(([all]) => all);
  }
  return typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, inner]) => expressionsOf(inner, name))
    : [];
}

function parseYaml(text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    const [first = ''] = String(error).split('\n');
    throw new Error(`it is not YAML (${first.replace(/:$/, '')})`);
  }
}

/** A string or a list of strings, as a list. */
function oneOrMore() {
  return v.union([
    v.pipe(
      v.string(),
      v.transform((value) => [value]),
    ),
    v.array(v.string()),
  ]);
}

/** What is known about a workflow before it runs. Its local actions and workflows are included. */
export interface Workflow {
  /** The events that trigger it, in the order of the file. */
  readonly events: readonly WorkflowEvent[];
  /** References to this repository, under any owner, as `owner/name@reference`. */
  readonly ownReferences: readonly string[];
  /** References to actions/checkout, in the same form. */
  readonly checkouts: readonly string[];
  /** Everything else that it uses of other repositories. */
  readonly thirdParty: readonly ThirdPartyUse[];
  /** Descriptions of the parts that need Docker. */
  readonly docker: readonly string[];
  /** The labels in `runs-on`, except those in expressions. */
  readonly labels: readonly string[];
  /** Its jobs, with their conditions and those of their steps. */
  readonly jobs: readonly ConditionalJob[];
  /** Warnings of jobs that GitHub ends while a step of ours may still wait. */
  readonly shortJobs: readonly string[];
  /** Whether an `api-key` is written into the file, instead of taken from a secret. */
  readonly hasLiteralKey: boolean;
  /** Names of the secrets that it passes as `api-key`. */
  readonly keySecrets: readonly string[];
  /** Names of the variables and of the secrets that it passes as `project-id`. */
  readonly projectVariables: readonly string[];
  readonly projectSecrets: readonly string[];
  /** Names of the variables with the agent's login: `DOCS_AGENT_LOGIN`, and what the author of a pull request is compared with. */
  readonly agentVariables: readonly string[];
  /** Names of the variables that it passes as `docs-repository`. */
  readonly docsVariables: readonly string[];
  /** Names of the secrets that it passes as `docs-token`. */
  readonly docsTokens: readonly string[];
  /** `owner/name` of the repository to try it in: the docs repository if it needs the pull requests there. */
  readonly repository: string;
  /** Whether its events are about the agent's pull requests, and not about what people do. */
  readonly isAboutAgent: boolean;
  /** Whether a step has a `job-id`, so that it sends a follow-up or waits for the job of an earlier step. */
  readonly namesJob: boolean;
  /** Whether it may use GitHub's command line tool. */
  readonly usesGh: boolean;
  /** Names of all secrets and variables that it reads. */
  readonly secrets: readonly string[];
  readonly variables: readonly string[];
  /** The label that its condition requires. */
  readonly label: string | undefined;
  /** The text that its condition requires in a comment. */
  readonly comment: string | undefined;
}

/** A job that a condition can leave out, or steps of it. */
export interface ConditionalJob {
  readonly label: string;
  /** Whether act's log names it so: not if an expression decides that, or if another workflow calls it. */
  readonly isNamed: boolean;
  readonly condition: string | undefined;
  readonly needsOthers: boolean;
  readonly steps: readonly {
    /** How act's log names it; `undefined` if an expression decides that. */
    readonly label: string | undefined;
    readonly id: string | undefined;
    readonly condition: string | undefined;
  }[];
}

export interface WorkflowEvent {
  readonly name: string;
  /** Its `types`; empty when it has none. */
  readonly types: readonly string[];
  /** The inputs of `workflow_dispatch`. */
  readonly inputs: Readonly<
    Record<string, { readonly default?: unknown; readonly required: boolean }>
  >;
}

/**
 * @param name the name of this repository, without its owner
 * @param localTexts the content of the local actions and workflows that it uses
 * @param repository `owner/name` of the repository to try it in, if that was given
 * @throws Error when the text is not a workflow, or uses an action that this repository does not have
 */
export function readWorkflow(
  text: string,
  name: string,
  localTexts: readonly string[] = [],
  repository?: string,
): Workflow {
  const workflow = parseWorkflow(text);
  const locals = localTexts.map(parseLocalFile);
  const jobs = [workflow, ...locals].flatMap((file) => Object.values(file.jobs));
  const parts = [workflow, ...locals].flatMap(partsOf);
  const used = unique(parts.flatMap(({ uses }) => uses ?? [])).filter(isRemote);
  const isOurs = (uses: string) => uses.split(/[/@]/)[1] === name;
  refuseUnknownActions(used.filter(isOurs), name);
  const literalsOf = (input: string) => parts.flatMap((part) => literal(part.with[input]));
  const expressions = [workflow, ...locals].flatMap((file) => expressionsOf(file)).join('\n');
  const fromCaller = [workflow, ...locals].flatMap(callerSecrets);
  const all = [text, ...localTexts].join('\n');
  const own = parts.filter(({ uses = '' }) => isOurs(uses));
  const valuesOf = (input: string, context: string) =>
    findAll(
      findAll(all, new RegExp(String.raw`\b${input}:\s*['"]?\$\{\{([^}]*)\}\}`, 'g')).join('\n'),
      new RegExp(String.raw`\b${context}\.([\w-]+)`, 'g'),
    );
  const agentVariables = findAll(
    expressions,
    /(?<=\buser\.login\s*==\s*vars\.|\bvars\.(?=DOCS_AGENT_LOGIN\b))(\w+)/g,
  );
  const isAboutAgent = agentVariables.length > 0 || !own.some(startsJob);
  const ownRepository =
    repository ??
    (agentVariables.length > 0 || needsDocsPulls(own) ? DOCS_REPOSITORY : PRODUCT_REPOSITORY);
  return {
    events: readEvents(workflow.on),
    ownReferences: unique(used.filter(isOurs).map(repositoryOf)),
    checkouts: unique(used.filter(isCheckout).map(repositoryOf)),
    thirdParty: findThirdParty(parts, isOurs, ownRepository),
    docker: findDocker(jobs, parts, locals),
    labels: unique(jobs.flatMap((job) => job['runs-on'].flatMap(literal))),
    jobs: [
      ...conditionalJobs(workflow),
      ...locals.flatMap(conditionalJobs).map((job) => ({ ...job, isNamed: false })),
    ],
    shortJobs: Object.entries(workflow.jobs).flatMap(([id, job]) =>
      warnIfShort(
        id,
        job,
        job.steps.filter(({ uses = '' }) => isOurs(uses)),
      ),
    ),
    hasLiteralKey: literalsOf('api-key').length > 0,
    keySecrets: valuesOf('api-key', 'secrets'),
    projectVariables: valuesOf('project-id', 'vars'),
    projectSecrets: valuesOf('project-id', 'secrets'),
    agentVariables,
    docsVariables: valuesOf('docs-repository', 'vars'),
    docsTokens: valuesOf('docs-token', 'secrets'),
    repository: ownRepository,
    isAboutAgent,
    namesJob: own.some((part) => part.with['job-id'] !== undefined),
    usesGh: /\bgh\b|\bG(?:H|ITHUB)_TOKEN:/.test(all),
    secrets: findAll(expressions, /\bsecrets\.([\w-]+)/g).filter(
      (secret) => !fromCaller.includes(secret),
    ),
    variables: findAll(expressions, /\bvars\.([\w-]+)/g),
    label: labelPattern
      .exec(text)
      ?.slice(1)
      .find((found) => found !== undefined),
    comment: /\bcomment\.body\s*(?:==|,)\s*'([^']+)'/.exec(text)?.[1],
  };
}

/** The linter does not notice an unknown action, because it takes the reference for another repository. */
function refuseUnknownActions(uses: readonly string[], name: string): void {
  const known = actions.map((action) => `${name}${subfolderOf(action)}`);
  for (const use of uses) {
    const action = use.replace(/^[^/]+\/|@.*$/g, '');
    if (!known.includes(action) && !action.includes('/.github/')) {
      throw new Error(`there is no action ${action}: write one of ${known.join(', ')}`);
    }
  }
}

/** @param own the job's steps that use this repository */
function warnIfShort(
  id: string,
  job: WorkflowFile['jobs'][string],
  own: readonly Part[],
): readonly string[] {
  const limit = Number(job['timeout-minutes'] ?? Number.NaN);
  const byDefault = readManifest(bundleOf('agent').actionFile).inputs['wait-minutes']?.default;
  const waits = own
    .filter((step) => isAgent(step) && String(step.with['dry-run']) !== 'true')
    .map((step) => Number(step.with['wait-minutes'] ?? byDefault));
  const longest = Math.max(...waits);
  return longest >= limit
    ? [
        `GitHub ends the job ${id} after ${limit} minutes (timeout-minutes), and a step may wait for ${longest} (wait-minutes): give the job a few minutes more, so that the step can write its outputs`,
      ]
    : [];
}

/** Whether a part that uses this repository is the agent action. */
function isAgent({ uses = '' }: Part): boolean {
  return !/\/(?:visitors|check)@/.test(uses);
}

/** The label of the event, or one that an issue or a pull request has to have. */
const labelPattern =
  /\blabel\.name\s*==\s*'([^']+)'|(?<!!\s*)contains\(\s*github\.event\.(?:issue|pull_request)\.labels\.\*\.name,\s*'([^']+)'/;

/** The local actions and workflows that a file uses, such as `./.github/actions/own`. */
export function localUses(text: string): readonly string[] {
  const uses = partsOf(parseLocalFile(text)).flatMap((part) => part.uses ?? []);
  return unique(uses).filter((path) => path.startsWith('./'));
}

/**
 * The reason why a workflow cannot be tried, as the end of a sentence; `undefined` when it can. It is
 * found before anything runs.
 */
export function findObstacle(workflow: Workflow): string | undefined {
  if (workflow.hasLiteralKey) {
    return 'because its api-key is not a secret: store the key in a secret, and use that in the workflow';
  }
  return workflow.docker.length > 0
    ? `because it needs Docker for ${workflow.docker.join(' and ')}: remove that in a copy`
    : undefined;
}

function readEvents(on: WorkflowFile['on']): readonly WorkflowEvent[] {
  if (Array.isArray(on)) {
    return on.map((name) => ({ name, types: [], inputs: {} }));
  }
  return Object.entries(on).map(([name, event]) =>
    event === null || Array.isArray(event)
      ? { name, types: [], inputs: {} }
      : { name, types: event.types, inputs: event.inputs },
  );
}

function conditionalJobs({ jobs = {} }: Partial<LocalFile>): readonly ConditionalJob[] {
  return Object.entries(jobs).map(([id, job]) => ({
    label: job.name ?? id,
    isNamed: literal(job.name ?? id).length > 0,
    condition: textOf(job.if),
    needsOthers: job.needs !== undefined,
    steps: job.steps.map((step) => ({
      label: literal((step.name ?? step.uses ?? step.run ?? step.id)?.split('\n')[0])[0],
      id: step.id,
      condition: textOf(step.if),
    })),
  }));
}

function textOf(value: unknown): string | undefined {
  return value === undefined || value === null ? undefined : String(value);
}

/** Whether a part that uses this repository starts a job, and neither continues one nor is another action. */
function startsJob(part: Part): boolean {
  return part.with['job-id'] === undefined && isAgent(part);
}

/** Whether the parts that use this repository need the pull requests of the docs, and expect them here. */
function needsDocsPulls(own: readonly Part[]): boolean {
  const has = ({ with: inputs }: Part, input: string) => (inputs[input] ?? '') !== '';
  return (
    !own.some((part) => has(part, 'docs-repository') || has(part, 'docs-token')) &&
    own.some(
      (part) =>
        has(part, 'pr-label') ||
        has(part, 'on-open-pr') ||
        part.with['job-id'] === 'from-pull-request' ||
        /\/check@/.test(part.uses ?? ''),
    )
  );
}

function findDocker(
  jobs: readonly LocalFile['jobs'][string][],
  parts: readonly Part[],
  locals: readonly LocalFile[],
): readonly string[] {
  const hasContainer = jobs.some(({ container }) => literal(container).length > 0);
  const hasDockerAction = locals.some(({ runs }) => runs?.using === 'docker');
  return unique([
    ...(hasContainer ? ['a job with "container:"'] : []),
    ...parts.flatMap(({ uses }) => (uses?.startsWith('docker:') === true ? [uses] : [])),
    ...(hasDockerAction ? ['a local action with "using: docker"'] : []),
  ]);
}

/** A step or a job that uses an action or a workflow of another repository. */
interface ThirdPartyUse {
  /** The value of `uses:`. */
  readonly uses: string;
  /** The step's name, or the repository that it checks out. */
  readonly purpose: string | undefined;
}

/** @param isOurs whether a value of `uses:` refers to this repository, under any owner */
function findThirdParty(
  parts: readonly Part[],
  isOurs: (uses: string) => boolean,
  ownRepository: string,
): readonly ThirdPartyUse[] {
  return parts.flatMap(({ uses, name, with: inputs }) => {
    if (uses === undefined || !isRemote(uses) || isOurs(uses)) {
      return [];
    }
    if (isCheckout(uses)) {
      const [repository = ownRepository] = literal(inputs['repository']);
      // The workflow's own repository can be checked out.
      return repository === ownRepository ? [] : [{ uses, purpose: `of ${repository}` }];
    }
    return [{ uses, purpose: name }];
  });
}

/** Far more than any repository has. */
const maxFiles = 100;

/**
 * The content of all local actions and workflows that a workflow uses, directly or through others.
 */
export function readLocalFiles(checkout: string, workflow: string): readonly string[] {
  const texts = new Map<string, string>();
  const open = [...localUses(workflow)];
  for (let uses = open.pop(); uses !== undefined && texts.size < maxFiles; uses = open.pop()) {
    const text = texts.has(uses) ? undefined : readLocalFile(checkout, uses);
    if (text !== undefined) {
      texts.set(uses, text);
      open.push(...localUses(text));
    }
  }
  return [...texts.values()];
}

/** @param uses the path of an action, such as `./.github/actions/own`, or of a workflow */
function readLocalFile(checkout: string, uses: string): string | undefined {
  const names = /\.ya?ml$/.test(uses)
    ? [uses]
    : ['action.yml', 'action.yaml'].map((name) => join(uses, name));
  const path = names
    .map((name) => join(checkout, name))
    .find((candidate) => statSync(candidate, { throwIfNoEntry: false })?.isFile() === true);
  return path === undefined ? undefined : readFileSync(path, 'utf8');
}

/** Whether an action or workflow is in another repository, rather than a local path or a Docker image. */
function isRemote(uses: string): boolean {
  return !/^(?:\.\/|\.github\/|docker:)/.test(uses);
}

function isCheckout(uses: string): boolean {
  return uses.startsWith('actions/checkout@');
}

/** The value as a list of one string; an empty list if it is empty or has an expression. */
function literal(value: unknown): readonly string[] {
  const text = value === undefined || value === null ? '' : String(value).trim();
  return text === '' || text.includes('${{') ? [] : [text];
}

/** Every distinct match of the pattern's first group. */
function findAll(text: string, pattern: RegExp): readonly string[] {
  return unique([...text.matchAll(pattern)].flatMap(([, found]) => found ?? []));
}

function unique(values: readonly string[]): readonly string[] {
  return [...new Set(values)];
}
