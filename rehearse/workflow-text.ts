import { type ForeignPart, findForeignParts } from './foreign-parts.ts';
import { findAll, isCheckout, isElsewhere, repositoryOf, unique, writtenOut } from './uses.ts';
import {
  expressionsOf,
  handedSecrets,
  type LocalFile,
  type Part,
  parseLocalFile,
  parseWorkflow,
  partsOf,
  type WorkflowFile,
} from './workflow-file.ts';

/** What can be read from somebody's workflow before it runs. */
export interface WorkflowFacts {
  /** The events that start it, in the order of the file. */
  readonly events: readonly WorkflowEvent[];
  /** Its actions and workflows of this repository, by whatever owner, as `owner/name@reference`. */
  readonly ours: readonly string[];
  /** By which names it uses actions/checkout, likewise. */
  readonly checkouts: readonly string[];
  /** Whatever else it uses that lies in another repository. */
  readonly foreign: readonly ForeignPart[];
  /** Whatever of it takes Docker. */
  readonly docker: readonly string[];
  /** What its jobs run on, where that is written out. */
  readonly labels: readonly string[];
  /** The jobs' conditions. */
  readonly conditions: readonly string[];
  /** Values of `base-url` and `api-key` that are written out. */
  readonly addresses: readonly string[];
  readonly hasOpenKey: boolean;
  /** Names of the secrets that are given as `api-key`. */
  readonly keySecrets: readonly string[];
  /** Names of the variables that are given as `project-id`. */
  readonly projectVariables: readonly string[];
  /** Names of all secrets and variables that it reads. */
  readonly secrets: readonly string[];
  readonly variables: readonly string[];
  /** The label that its condition asks for. */
  readonly label: string | undefined;
  /** What its condition looks for in a comment. */
  readonly comment: string | undefined;
}

export interface WorkflowEvent {
  readonly name: string;
  /** Its `types`; empty when it names none. */
  readonly types: readonly string[];
  /** The inputs of `workflow_dispatch`. */
  readonly inputs: Readonly<
    Record<string, { readonly default?: unknown; readonly required: boolean }>
  >;
}

/**
 * @param name what the repository of our actions is called, whoever owns it
 * @param localTexts what it uses of its own repository
 * @throws Error when the text is no workflow
 */
export function readWorkflow(
  text: string,
  name: string,
  localTexts: readonly string[] = [],
): WorkflowFacts {
  const workflow = parseWorkflow(text);
  const locals = localTexts.map(parseLocalFile);
  const jobs = [workflow, ...locals].flatMap((file) => Object.values(file.jobs));
  const parts = [workflow, ...locals].flatMap(partsOf);
  const used = unique(parts.flatMap(({ uses }) => uses ?? [])).filter(isElsewhere);
  const isOurs = (uses: string) => uses.split(/[/@]/)[1] === name;
  const given = (input: string) => parts.flatMap((part) => writtenOut(part.with[input]));
  const expressions = [workflow, ...locals].flatMap((file) => expressionsOf(file)).join('\n');
  const handed = [workflow, ...locals].flatMap(handedSecrets);
  const all = [text, ...localTexts].join('\n');
  return {
    events: readEvents(workflow.on),
    ours: unique(used.filter(isOurs).map(repositoryOf)),
    checkouts: unique(used.filter(isCheckout).map(repositoryOf)),
    foreign: findForeignParts(parts, expressions, isOurs),
    docker: findDocker(jobs, parts, locals),
    labels: unique(jobs.flatMap((job) => job['runs-on'].flatMap(writtenOut))),
    conditions: jobs.flatMap((job) => (job.if === undefined ? [] : String(job.if))),
    addresses: given('base-url'),
    hasOpenKey: given('api-key').length > 0,
    keySecrets: findAll(all, /\bapi-key:\s*['"]?\$\{\{\s*secrets\.(\w+)\s*\}\}/g),
    projectVariables: findAll(all, /\bproject-id:\s*['"]?\$\{\{\s*vars\.(\w+)\s*\}\}/g),
    secrets: findAll(expressions, /\bsecrets\.([\w-]+)/g).filter(
      (secret) => !handed.includes(secret),
    ),
    variables: findAll(expressions, /\bvars\.([\w-]+)/g),
    label: /\blabel\.name\s*==\s*'([^']+)'/.exec(text)?.[1],
    comment: /\bcomment\.body\s*(?:==|,)\s*'([^']+)'/.exec(text)?.[1],
  };
}

/** What a file uses of the repository that it lies in, such as `./.github/actions/own`. */
export function localUses(text: string): readonly string[] {
  const uses = partsOf(parseLocalFile(text)).flatMap((part) => part.uses ?? []);
  return unique(uses).filter((path) => path.startsWith('./'));
}

const loopback = /^http:\/\/(?:127(?:\.\d+){3}|localhost|\[::1\])(?:[:/]|$)/;

/**
 * Why a workflow cannot be tried, as what follows its name and a comma; `undefined` when it can. What
 * would lead away from the sandbox, or never run there, is said before anything runs.
 */
export function findObstacle(facts: WorkflowFacts, repository: string): string | undefined {
  const strange = facts.addresses.find((address) => !loopback.test(address));
  if (strange !== undefined) {
    return `because it sets base-url to ${strange}, which is not the sandbox: leave the line out of a copy`;
  }
  if (facts.hasOpenKey) {
    return 'because it has its api-key written out: put the key into a secret, and its name here';
  }
  if (facts.ours.length === 0) {
    const others = unique(facts.foreign.map(({ uses }) => uses));
    return `because no step uses ${repository}: what it uses is ${others.join(', ') || 'nothing'}`;
  }
  return facts.docker.length > 0
    ? `because of ${facts.docker.join(' and ')}, which takes Docker: leave that out of a copy`
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

function findDocker(
  jobs: readonly LocalFile['jobs'][string][],
  parts: readonly Part[],
  locals: readonly LocalFile[],
): readonly string[] {
  const hasContainer = jobs.some(({ container }) => writtenOut(container).length > 0);
  const hasDockerAction = locals.some(({ runs }) => runs?.using === 'docker');
  return unique([
    ...(hasContainer ? ['a job with "container:"'] : []),
    ...parts.flatMap(({ uses }) => (uses?.startsWith('docker:') === true ? [uses] : [])),
    ...(hasDockerAction ? ['an action of its own that says "using: docker"'] : []),
  ]);
}
