import * as v from 'valibot';
import { parse } from 'yaml';

/** What can be read from somebody's workflow before it runs. */
export interface WorkflowFacts {
  /** The events that start it, in the order of the file. */
  readonly events: readonly WorkflowEvent[];
  /** Its actions and workflows of this repository, by whatever owner, as `owner/name@reference`. */
  readonly ours: readonly string[];
  /** Whatever else it uses that lies in another repository, but for actions/checkout. */
  readonly foreign: readonly string[];
  /** What its jobs run on, where that is written out. */
  readonly labels: readonly string[];
  /** The jobs' conditions. */
  readonly conditions: readonly string[];
  readonly hasContainer: boolean;
  /** Values of `base-url` and `api-key` that are written out. */
  readonly addresses: readonly string[];
  readonly hasOpenKey: boolean;
  /** Names of the secrets that are given as `api-key`. */
  readonly keySecrets: readonly string[];
  /** Names of the variables that are given as `project-id`. */
  readonly projectVariables: readonly string[];
  /** The label that its condition asks for. */
  readonly label: string | undefined;
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
// A schedule has a list of times.
const eventsSchema = v.record(v.string(), v.union([v.array(v.unknown()), eventSchema]));
const isMapping = (value: unknown) => !Array.isArray(value);

const values = v.optional(v.record(v.string(), v.unknown()), {});
const stepSchema = v.looseObject({ uses: v.optional(v.string()), with: values });
const jobSchema = v.looseObject({
  'runs-on': v.optional(v.fallback(oneOrMore(), []), []),
  if: v.optional(v.unknown()),
  container: v.optional(v.unknown()),
  uses: v.optional(v.string()),
  with: values,
  steps: v.optional(v.array(stepSchema), []),
});

const workflowSchema = v.looseObject({
  on: v.union([oneOrMore(), v.pipe(v.unknown(), v.check(isMapping), eventsSchema)]),
  jobs: v.record(v.string(), jobSchema),
});
type Workflow = v.InferOutput<typeof workflowSchema>;

/**
 * @param name what the repository of our actions is called, whoever owns it
 * @throws Error when the text is no workflow
 */
export function readWorkflow(text: string, name: string): WorkflowFacts {
  const { output, success } = v.safeParse(workflowSchema, parseYaml(text));
  if (!success) {
    throw new Error('it is no workflow, which has "on:" with its events, and "jobs:"');
  }
  const jobs = Object.values(output.jobs);
  const parts = jobs.flatMap((job) => [job, ...job.steps]);
  const used = unique(parts.flatMap(({ uses }) => uses ?? [])).filter(isElsewhere);
  const isOurs = (uses: string) => uses.split(/[/@]/)[1] === name;
  const given = (input: string) => parts.flatMap((part) => writtenOut(part.with[input]));
  return {
    events: readEvents(output.on),
    ours: unique(used.filter(isOurs).map((uses) => uses.replace(/^([^/]+\/[^/@]+)[^@]*/, '$1'))),
    foreign: used.filter((uses) => !isOurs(uses) && !uses.startsWith('actions/checkout@')),
    labels: unique(jobs.flatMap((job) => job['runs-on'].flatMap(writtenOut))),
    conditions: jobs.flatMap((job) => (job.if === undefined ? [] : String(job.if))),
    hasContainer: jobs.some(({ container }) => writtenOut(container).length > 0),
    addresses: given('base-url'),
    hasOpenKey: given('api-key').length > 0,
    keySecrets: findAll(text, /\bapi-key:\s*['"]?\$\{\{\s*secrets\.(\w+)\s*\}\}/g),
    projectVariables: findAll(text, /\bproject-id:\s*['"]?\$\{\{\s*vars\.(\w+)\s*\}\}/g),
    label: /\blabel\.name\s*==\s*'([^']+)'/.exec(text)?.[1],
  };
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
    return `because no step uses ${repository}: what it uses is ${facts.foreign.join(', ') || 'nothing'}`;
  }
  if (facts.foreign.length > 0) {
    return `because it uses ${facts.foreign.join(', ')}, and only this action and actions/checkout can be played: leave those steps out of a copy`;
  }
  return facts.hasContainer
    ? 'because it has a job with "container:", which takes Docker: leave that line out of a copy'
    : undefined;
}

function parseYaml(text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    const [first = ''] = String(error).split('\n');
    throw new Error(`it is no YAML (${first.replace(/:$/, '')})`);
  }
}

function readEvents(on: Workflow['on']): readonly WorkflowEvent[] {
  if (Array.isArray(on)) {
    return on.map((name) => ({ name, types: [], inputs: {} }));
  }
  return Object.entries(on).map(([name, event]) =>
    event === null || Array.isArray(event)
      ? { name, types: [], inputs: {} }
      : { name, types: event.types, inputs: event.inputs },
  );
}

/** A word, or a list of words. */
function oneOrMore() {
  return v.union([
    v.pipe(
      v.string(),
      v.transform((word) => [word]),
    ),
    v.array(v.string()),
  ]);
}

function isElsewhere(uses: string): boolean {
  return !/^(?:\.\/|\.github\/|docker:)/.test(uses);
}

/** What stands there, unless it is empty or an expression. */
function writtenOut(value: unknown): readonly string[] {
  const text = value === undefined || value === null ? '' : String(value).trim();
  return text === '' || text.includes('${{') ? [] : [text];
}

function findAll(text: string, pattern: RegExp): readonly string[] {
  return unique([...text.matchAll(pattern)].flatMap(([, found]) => found ?? []));
}

function unique(words: readonly string[]): readonly string[] {
  return [...new Set(words)];
}
