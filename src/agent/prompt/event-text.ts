import { createContext, Script } from 'node:vm';
import type { EventPayload } from '../../github/event.ts';
import { closest } from '../../text/closest.ts';
import { inputError } from '../../text/error.ts';
import { quoted } from '../../text/plain.ts';
import {
  addCounts,
  type HiddenCounts,
  type VisibleText,
  visiblePlainText,
} from './visible-text.ts';

/** The text of each field, by the placeholder's path. */
export interface Fields {
  readonly texts: ReadonlyMap<string, string>;
  readonly removed: HiddenCounts;
}

/**
 * Several times as long as a runner needs for 64 kB, GitHub's limit for an issue, and as long as a cancelled
 * step may take to end.
 */
const parsingTimeoutMs = 2_000;

/**
 * Reads the event's fields for the placeholders of a prompt, without what readers of GitHub's page cannot
 * see. Null becomes an empty string. A list or mapping becomes compact JSON, and the name of each text in
 * it decides how that text is read.
 *
 * Text that cannot hide anything is not parsed, so most runs load no parser.
 *
 * @param input the input that the prompt comes from
 * @throws ActionError if a field does not exist or cannot be read
 */
export async function readEventFields(
  paths: readonly (readonly string[])[],
  input: string,
  event: EventPayload,
): Promise<Fields> {
  const fields = paths.map((path) => ({ path, value: readField(path, input, event) }));
  const markdown = new Set<string>();
  for (const { path, value } of fields) {
    mapTexts(value, path, (text, name) => {
      if (mayHide(text, name)) {
        markdown.add(text);
      }
      return text;
    });
  }
  const parsed = await parse([...markdown], input);
  const removed: HiddenCounts[] = [];
  const texts = fields.map(({ path, value }) => {
    const visible = mapTexts(value, path, (text, name) => {
      const isParsed = mayHide(text, name) ? parsed.get(text) : undefined;
      const { text: shown, removed: hidden } = isParsed ?? visiblePlainText(text);
      removed.push(hidden);
      return shown;
    });
    return [path.join('.'), asText(visible)] as const;
  });
  return { texts: new Map(texts), removed: addCounts(removed) };
}

function readField(path: readonly string[], input: string, event: EventPayload): unknown {
  const placeholder = quoted(placeholderOf(path));
  if (event.kind === 'unreadable') {
    throw inputError(
      input,
      `has the placeholder ${placeholder}, but ${event.problem}`,
      'use event placeholders only in runs that GitHub starts for an event',
    );
  }
  const field = findEventField(event.payload, path);
  if (field.kind === 'value') {
    return field.value;
  }
  const meant = closest(field.name, field.names);
  const right = [...field.before, meant ?? '', ...path.slice(field.before.length + 1)];
  throw inputError(
    input,
    `has the placeholder ${placeholder}, which does not exist in this event's payload`,
    meant === undefined
      ? 'check its spelling and which event starts the workflow'
      : `write ${quoted(placeholderOf(right))}`,
  );
}

function placeholderOf(path: readonly string[]): string {
  return `{{event.${path.join('.')}}}`;
}

/** The value at a path of the event's payload, or how far the path leads, and what stands there. */
type EventField =
  | { readonly kind: 'value'; readonly value: unknown }
  | {
      readonly kind: 'missing';
      readonly before: readonly string[];
      readonly name: string;
      readonly names: readonly string[];
    };

/** Reads a field of the payload. */
export function findEventField(payload: unknown, path: readonly string[]): EventField {
  let value = payload;
  for (const [index, name] of path.entries()) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) {
      const names = Object.keys(value ?? {});
      return { kind: 'missing', before: path.slice(0, index), name, names };
    }
    value = Reflect.get(value, name);
  }
  return { kind: 'value', value };
}

/** Names, and endings of names, of the fields that GitHub shows as plain text. */
const plainName =
  /^(?:title|name|login|ref|message|label|key|slug|email|.*_(?:title|name|ref|branch|url|sha|id))$/;

/** Marks without which Markdown hides nothing. */
const hidingMark = /[<[&|$]|```|~~~|:\/\//;

/**
 * Whether a text has to be parsed. GitHub shows titles, names, branches and commit messages as plain
 * text. Workflow inputs count as such, because GitHub shows them on no page, and the people who write
 * them may start the workflow. Every other field is treated as Markdown: bodies, descriptions, and all
 * fields that are not known here.
 */
function mayHide(text: string, path: readonly string[]): boolean {
  // Items of a list take the list's name, and `changes.title.from` is the earlier title.
  const name = path.findLast((part) => part !== 'from' && !/^\d+$/.test(part)) ?? '';
  const isPlain = path[0] === 'inputs' || plainName.test(name);
  return !isPlain && hidingMark.test(text);
}

async function parse(
  texts: readonly string[],
  input: string,
): Promise<ReadonlyMap<string, VisibleText>> {
  if (texts.length === 0) {
    return new Map();
  }
  const { visibleMarkdown } = await import('./visible-markdown.ts');
  const visible = new Map<string, VisibleText>();
  const isDone = endsWithin(parsingTimeoutMs, () => {
    for (const text of texts) {
      visible.set(text, visibleMarkdown(text));
    }
  });
  if (!isDone) {
    throw inputError(
      input,
      'has a placeholder for Markdown that takes too long to parse, because it is nested very deeply or was made to be slow',
      'read the text yourself before you give it to an agent, and shorten it or leave the placeholder out',
    );
  }
  return visible;
}

/**
 * Calls a function that computes, and stops it wherever it is when the time is over, even inside of a
 * regular expression. That leaves no process behind that could outlive the step.
 *
 * @returns whether it came to its end, also without stack overflow
 */
function endsWithin(timeoutMs: number, compute: () => void): boolean {
  try {
    // Node can stop a script, and with it what the script calls.
    new Script('compute()').runInContext(createContext({ compute }), { timeout: timeoutMs });
    return true;
  } catch (error) {
    if (isTimeout(error) || error instanceof RangeError) {
      return false;
    }
    throw error;
  }
}

/** The error is one of the script's own context, so that it is no `Error` here. */
function isTimeout(error: unknown): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  );
}

/** Returns a copy of a value with every text in it replaced. */
function mapTexts(
  value: unknown,
  path: readonly string[],
  replace: (text: string, path: readonly string[]) => string,
): unknown {
  if (typeof value === 'string') {
    return replace(value, path);
  }
  if (Array.isArray(value)) {
    return value.map((item, index) => mapTexts(item, [...path, String(index)], replace));
  }
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(
        Object.entries(value).map(([name, item]) => [
          name,
          mapTexts(item, [...path, name], replace),
        ]),
      )
    : value;
}

function asText(value: unknown): string {
  if (value === null) {
    return '';
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
