import { shortened, unseen } from './plain.ts';

/** GitHub's limit for an annotation. Paths and links are shorter. */
const maxLength = 4096;

/**
 * A backslash that could start an escape sequence for `echo`. dash, which is `sh` in most containers,
 * turns `\n` into a line feed and `\072` into a colon; other shells also know `\x3a`.
 */
const echoEscape = /\\(?=[\w\\])/g;

/**
 * Escapes text for an output, which the next step may print with `echo` in any shell: the result is one
 * line without workflow commands.
 *
 * Plain text does not change, not even several spaces in a row. Every change inserts a space, so that a
 * changed branch name never matches another branch.
 */
export function outputLine(text: string): string {
  const line = text.replace(unseen, ' ').replace(echoEscape, '\\ ');
  return shortened(withoutCommands(line), maxLength);
}

/**
 * Breaks up the workflow commands that the runner would execute in a printed line: `##[command]` anywhere in it, and
 * `::command::` at its start, even after white space.
 */
export function withoutCommands(line: string): string {
  const broken = line.replaceAll('##[', '## [');
  return /^\s*::/u.test(broken) ? `| ${broken.trimStart()}` : broken;
}

/** Characters in JSON that are not plain ASCII. Their escapes are valid in both JSON and YAML. */
const beyondAscii = /[^\x20-\x7e]/g;

/** The short escapes of JSON, which `echo` may interpret, with equivalent `\u` escapes. */
const shortEscapes: ReadonlyMap<string, string> = new Map(
  ['\\', '\b', '\f', '\n', '\r', '\t'].map((unit) => [
    JSON.stringify(unit).slice(1, -1),
    escaped(unit),
  ]),
);

/**
 * Escapes JSON for an output: the result is equivalent JSON in plain ASCII, without workflow commands,
 * no matter which shell prints it. Escaping it again changes nothing.
 *
 * @param json compact, as `JSON.stringify` returns it
 */
export function outputJson(json: string): string {
  return json
    .replace(/\\./g, (unit) => shortEscapes.get(unit) ?? unit)
    .replace(beyondAscii, escaped)
    .replaceAll('##[', '#\\u0023[');
}

export interface JsonList {
  /** A compact JSON array in ASCII. */
  readonly json: string;
  /** How many entries did not fit. */
  readonly leftOut: number;
}

/** Writes the entries that fit. No entry is shortened, because a shortened path would be a different path. */
export function jsonList(entries: readonly object[], maxBytes: number): JsonList {
  const kept: string[] = [];
  let bytes = '[]'.length;
  for (const entry of entries) {
    const json = outputJson(JSON.stringify(entry));
    if (bytes + json.length + 1 <= maxBytes) {
      kept.push(json);
      bytes += json.length + 1;
    }
  }
  return { json: `[${kept.join(',')}]`, leftOut: entries.length - kept.length };
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
