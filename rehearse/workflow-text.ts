import * as v from 'valibot';
import { parse } from 'yaml';

/** What can be read from somebody's workflow before it runs. */
export interface WorkflowFacts {
  /** The events that start it, in the order of the file. */
  readonly events: readonly WorkflowEvent[];
  /** The references after `@` by which it uses an action or a workflow of this repository. */
  readonly references: readonly string[];
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
}

const eventSchema = v.nullable(v.looseObject({ types: v.optional(oneOrMore(), []) }));
// A schedule has a list of times.
const eventsSchema = v.record(v.string(), v.union([v.array(v.unknown()), eventSchema]));
const isMapping = (value: unknown) => !Array.isArray(value);
const workflowSchema = v.looseObject({
  on: v.union([oneOrMore(), v.pipe(v.unknown(), v.check(isMapping), eventsSchema)]),
});

/** @throws Error when the text is no workflow */
export function readWorkflow(text: string, repository: string): WorkflowFacts {
  const { output, success } = v.safeParse(workflowSchema, parse(text));
  if (!success) {
    throw new Error('it has no "on:" with the events that start it');
  }
  const ours = `uses:\\s*['"]?${escaped(repository)}(?:/[\\w./-]+)?@([\\w./-]+)`;
  return {
    events: readEvents(output.on),
    references: findAll(text, new RegExp(ours, 'g')),
    keySecrets: findAll(text, /\bapi-key:\s*\$\{\{\s*secrets\.(\w+)\s*\}\}/g),
    projectVariables: findAll(text, /\bproject-id:\s*\$\{\{\s*vars\.(\w+)\s*\}\}/g),
    label: /\blabel\.name\s*==\s*'([^']+)'/.exec(text)?.[1],
  };
}

function readEvents(on: v.InferOutput<typeof workflowSchema>['on']): readonly WorkflowEvent[] {
  if (Array.isArray(on)) {
    return on.map((name) => ({ name, types: [] }));
  }
  return Object.entries(on).map(([name, event]) => ({
    name,
    types: event === null || Array.isArray(event) ? [] : event.types,
  }));
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

function findAll(text: string, pattern: RegExp): readonly string[] {
  return [...new Set([...text.matchAll(pattern)].flatMap(([, found]) => found ?? []))];
}

function escaped(text: string): string {
  return text.replaceAll(/[.\\/]/g, '\\$&');
}
