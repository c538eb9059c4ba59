import { repositoryOf } from '../stage/stand-ins.ts';
import { findThirdParty, type ThirdPartyUse } from './third-party.ts';
import { findAll, isCheckout, isRemote, literal, unique } from './uses.ts';
import {
  callerSecrets,
  expressionsOf,
  type LocalFile,
  type Part,
  parseLocalFile,
  parseWorkflow,
  partsOf,
  type WorkflowFile,
} from './workflow-file.ts';

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
  /** The values of `if:` of its jobs. */
  readonly conditions: readonly string[];
  /** The values of `base-url`, except those in expressions. */
  readonly baseUrls: readonly string[];
  /** Whether an `api-key` is written into the file, instead of taken from a secret. */
  readonly hasLiteralKey: boolean;
  /** Names of the secrets that it passes as `api-key`. */
  readonly keySecrets: readonly string[];
  /** Names of the variables that it passes as `project-id`. */
  readonly projectVariables: readonly string[];
  /** Names of all secrets and variables that it reads. */
  readonly secrets: readonly string[];
  readonly variables: readonly string[];
  /** The label that its condition requires. */
  readonly label: string | undefined;
  /** The text that its condition requires in a comment. */
  readonly comment: string | undefined;
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
 * @throws Error when the text is not a workflow
 */
export function readWorkflow(
  text: string,
  name: string,
  localTexts: readonly string[] = [],
): Workflow {
  const workflow = parseWorkflow(text);
  const locals = localTexts.map(parseLocalFile);
  const jobs = [workflow, ...locals].flatMap((file) => Object.values(file.jobs));
  const parts = [workflow, ...locals].flatMap(partsOf);
  const used = unique(parts.flatMap(({ uses }) => uses ?? [])).filter(isRemote);
  const isOurs = (uses: string) => uses.split(/[/@]/)[1] === name;
  const literalsOf = (input: string) => parts.flatMap((part) => literal(part.with[input]));
  const expressions = [workflow, ...locals].flatMap((file) => expressionsOf(file)).join('\n');
  const fromCaller = [workflow, ...locals].flatMap(callerSecrets);
  const all = [text, ...localTexts].join('\n');
  return {
    events: readEvents(workflow.on),
    ownReferences: unique(used.filter(isOurs).map(repositoryOf)),
    checkouts: unique(used.filter(isCheckout).map(repositoryOf)),
    thirdParty: findThirdParty(parts, expressions, isOurs),
    docker: findDocker(jobs, parts, locals),
    labels: unique(jobs.flatMap((job) => job['runs-on'].flatMap(literal))),
    conditions: jobs.flatMap((job) => (job.if === undefined ? [] : String(job.if))),
    baseUrls: literalsOf('base-url'),
    hasLiteralKey: literalsOf('api-key').length > 0,
    keySecrets: findAll(all, /\bapi-key:\s*['"]?\$\{\{\s*secrets\.(\w+)\s*\}\}/g),
    projectVariables: findAll(all, /\bproject-id:\s*['"]?\$\{\{\s*vars\.(\w+)\s*\}\}/g),
    secrets: findAll(expressions, /\bsecrets\.([\w-]+)/g).filter(
      (secret) => !fromCaller.includes(secret),
    ),
    variables: findAll(expressions, /\bvars\.([\w-]+)/g),
    label: /\blabel\.name\s*==\s*'([^']+)'/.exec(text)?.[1],
    comment: /\bcomment\.body\s*(?:==|,)\s*'([^']+)'/.exec(text)?.[1],
  };
}

/** The local actions and workflows that a file uses, such as `./.github/actions/own`. */
export function localUses(text: string): readonly string[] {
  const uses = partsOf(parseLocalFile(text)).flatMap((part) => part.uses ?? []);
  return unique(uses).filter((path) => path.startsWith('./'));
}

const loopback = /^http:\/\/(?:127(?:\.\d+){3}|localhost|\[::1\])(?:[:/]|$)/;

/**
 * The reason why a workflow cannot be tried, as the end of a sentence; `undefined` when it can. It is
 * found before anything runs: the workflow would send requests to another address than the sandbox's,
 * or could not run here.
 */
export function findObstacle(workflow: Workflow, repository: string): string | undefined {
  const otherUrl = workflow.baseUrls.find((url) => !loopback.test(url));
  if (otherUrl !== undefined) {
    return `because it sets base-url to ${otherUrl}, which is not the sandbox: remove that line in a copy`;
  }
  if (workflow.hasLiteralKey) {
    return 'because its api-key is not a secret: store the key in a secret, and use that in the workflow';
  }
  if (workflow.ownReferences.length === 0) {
    const others = unique(workflow.thirdParty.map(({ uses }) => uses));
    return `because no step uses ${repository}: it only uses ${others.join(', ') || 'its own scripts'}`;
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
