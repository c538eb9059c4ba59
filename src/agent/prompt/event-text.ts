import { types } from 'node:util';
import { createContext, Script } from 'node:vm';
import type { EventPayload } from '../../github/event.ts';
import { inputError } from '../../text/error.ts';
import { removeInvisible } from '../../text/invisible.ts';
import { quoted } from '../../text/plain.ts';
import type { VisibleText } from './visible-text.ts';

/**
 * The parser takes quadratic time for crafted text. A runner needs about 2 s for the slowest honest text of 64 kB,
 * GitHub's limit for an issue. While a text is parsed, a cancelled step cannot end.
 */
const parsingLimitMs = 15_000;

/** Matches the marks and long blanks that can hide text. A text without them hides nothing. */
const hidingMark = /[<[&|$\u202B\u202D\u202E\u2067]|```|~~~|:\/\/|[\p{Zs}\t\u2800]{10}/u;

/**
 * Tests a text with and without invisible characters, because they can change the direction of writing, or stand
 * between blanks.
 */
function canHide(text: string): boolean {
  return hidingMark.test(text) || hidingMark.test(removeInvisible(text));
}

/**
 * Reads a field of the event for a placeholder, without what readers of GitHub's page cannot see. Null
 * becomes an empty string. A list or mapping becomes compact JSON, and the name of each field in it decides
 * how that field's text is read.
 *
 * A text that cannot hide anything is not parsed, so most runs load no parser.
 *
 * @param input the input that the prompt comes from
 * @throws ActionError if the field does not exist or cannot be read
 */
export async function readEventField(
  path: readonly string[],
  input: string,
  event: EventPayload,
): Promise<VisibleText> {
  const value = requireField(path, input, event);
  const isNested = typeof value === 'object' && value !== null;
  const { visibleMarkdown } =
    isNested || canHide(asText(value))
      ? await import('./visible-text.ts')
      : { visibleMarkdown: visiblePlain };
  const read = computeWithin(parsingLimitMs, () => visibleValue(value, path, visibleMarkdown));
  if (read === undefined) {
    throw inputError(
      input,
      'has a placeholder for Markdown that takes too long to parse, because it is nested very deeply or was made to be slow',
      'read the text yourself before you give it to an agent, and shorten it or leave the placeholder out',
    );
  }
  return read;
}

function requireField(path: readonly string[], input: string, event: EventPayload): unknown {
  const placeholder = quoted(`{{event.${path.join('.')}}}`);
  if (event.kind === 'unreadable') {
    throw inputError(
      input,
      `has the placeholder ${placeholder}, but ${event.problem}`,
      'use event placeholders only in runs that GitHub starts for an event',
    );
  }
  const value = findEventField(event.payload, path);
  if (value === undefined) {
    throw inputError(
      input,
      `has the placeholder ${placeholder}, which does not exist in this event's payload`,
      'check its spelling and which event starts the workflow',
    );
  }
  return value;
}

/**
 * Finds the value at a path of the event's payload; `undefined` if the path leads nowhere. A field of null is
 * null: GitHub sends null for a milestone that is not set, and for an account or a fork that is gone.
 */
export function findEventField(payload: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name, index) => {
    if (value === null && index > 0) {
      return null;
    }
    return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
      ? Reflect.get(value, name)
      : undefined;
  }, payload);
}

/** Matches the names of fields that GitHub shows as plain text. A push lists files as added, removed and modified. */
const plainName =
  /^(?:(?:.*_)?(?:title|name|ref|branch|url|sha|id)|login|username|message|label|key|slug|email|path|filename|files?|added|removed|modified)$/;

/**
 * Reads what people see of a field. GitHub shows titles, names, branches, commit messages and names of files as
 * they are. Workflow inputs are read in the same way: GitHub shows them on no page, and whoever writes them may
 * start the workflow. Every other text counts as Markdown, also in fields that this action does not know.
 */
function visibleValue(
  value: unknown,
  path: readonly string[],
  visibleMarkdown: (text: string) => VisibleText,
): VisibleText {
  let leftOut = 0;
  let isUnclear = false;
  const show = (name: string, field: unknown): unknown => {
    if (typeof field === 'string') {
      const isPlain = path[0] === 'inputs' || plainName.test(name) || !canHide(field);
      const visible = isPlain ? visiblePlain(field) : visibleMarkdown(field);
      leftOut += visible.leftOut;
      isUnclear ||= visible.isUnclear;
      return visible.text;
    }
    if (Array.isArray(field)) {
      return field.map((item) => show(name, item));
    }
    return typeof field === 'object' && field !== null
      ? Object.fromEntries(
          Object.entries(field).map(([key, inner]) => [key, show(nameBelow(name, key), inner)]),
        )
      : field;
  };
  const text = asText(show(path.reduce(nameBelow, ''), value));
  return { text, leftOut, isUnclear };
}

/** The name of the field below `name`. An item of a list is named like the list, and an old value like its field. */
function nameBelow(name: string, key: string): string {
  return key === 'from' || /^\d+$/.test(key) ? name : key;
}

function visiblePlain(written: string): VisibleText {
  const text = removeInvisible(written);
  return { text, leftOut: text === written ? 0 : 1, isUnclear: false };
}

/**
 * Calls a function, and stops it when the time is over, even in the middle of a regular expression. No
 * process is left behind that could outlive the step.
 *
 * @returns the function's result; `undefined` if it took too long, or if the stack overflowed
 */
export function computeWithin<Value>(limitMs: number, compute: () => Value): Value | undefined {
  try {
    // Node can stop a script, and with the script every function that it called.
    const context = createContext({ compute });
    return new Script('compute()').runInContext(context, { timeout: limitMs });
  } catch (error) {
    // The error of a timeout belongs to the script's context, so `instanceof Error` is false for it.
    const isTimeout =
      types.isNativeError(error) &&
      'code' in error &&
      error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
    if (isTimeout || error instanceof RangeError) {
      return undefined;
    }
    throw error;
  }
}

function asText(value: unknown): string {
  if (value === null) {
    return '';
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
