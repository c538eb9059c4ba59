import * as v from 'valibot';
import { parse } from 'yaml';

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
  with: values,
});
const stepsSchema = v.optional(v.array(stepSchema), []);
const jobSchema = v.looseObject({
  'runs-on': v.optional(v.fallback(oneOrMore(), []), []),
  name: v.optional(v.string()),
  if: v.optional(v.unknown()),
  container: v.optional(v.unknown()),
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

export type WorkflowFile = v.InferOutput<typeof workflowSchema>;
/** An action or a workflow in the same repository. */
export type LocalFile = v.InferOutput<typeof localFileSchema>;
/** A step or a job: both can have `uses:`. */
export type Part = Pick<v.InferOutput<typeof stepSchema>, 'id' | 'name' | 'uses' | 'with'>;

/** @throws Error when the text is not a workflow */
export function parseWorkflow(text: string): WorkflowFile {
  const { output, success } = v.safeParse(workflowSchema, parseYaml(text));
  if (!success) {
    throw new Error('it is not a workflow, which needs "on:" with events, and "jobs:"');
  }
  return output;
}

/** @throws Error when the text is not YAML */
export function parseLocalFile(text: string): LocalFile {
  const { success, output } = v.safeParse(localFileSchema, parseYaml(text));
  return success ? output : { jobs: {} };
}

/** All jobs and steps of a file. A job's id is its key. */
export function partsOf({ jobs, runs }: Partial<LocalFile>): readonly Part[] {
  return [
    ...Object.entries(jobs ?? {}).flatMap(([id, job]) => [{ ...job, id }, ...job.steps]),
    ...(runs?.steps ?? []),
  ];
}

/** The names of the secrets that a reusable workflow takes from its caller. */
export function callerSecrets(file: LocalFile | WorkflowFile): readonly string[] {
  return v.is(calledSchema, file) ? Object.keys(file.on.workflow_call.secrets) : [];
}

/** All expressions of a file. Comments are not part of the parsed value. */
export function expressionsOf(value: unknown, key = ''): readonly string[] {
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
