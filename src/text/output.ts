import { shortened, unseen } from './plain.ts';

/** As much as an annotation shows; the longest path and the longest link fit in. */
const maxLength = 4096;

/**
 * A backslash that `echo` may take for the beginning of another character. dash, which is `sh` in
 * most containers, makes a line end of `\n` and a colon of `\072`; other shells know `\x3a` too.
 */
const echoEscape = /\\(?=[\w\\])/g;

/**
 * Makes `text` safe as the value of an output, which the next step may print with `echo`, in any
 * shell: one line, in which the runner finds no command.
 *
 * Plain text stays letter by letter, runs of spaces included. Wherever something is changed there is
 * a space in it afterwards, so that a branch which had to be changed never names another one.
 */
export function outputLine(text: string): string {
  const line = text.replace(unseen, ' ').replace(echoEscape, '\\ ').replaceAll('##[', '## [');
  return shortened(/^\s*::/u.test(line) ? `| ${line.trimStart()}` : line, maxLength);
}

/** Everything in JSON that is not plain ASCII text; what is escaped so is JSON and YAML alike. */
const beyondAscii = /[^\x20-\x7e]/g;

/** The short escapes that `echo` may read as well, each as the four digits that say the same. */
const shortEscapes: ReadonlyMap<string, string> = new Map(
  ['\\', '\b', '\f', '\n', '\r', '\t'].map((unit) => [
    JSON.stringify(unit).slice(1, -1),
    escaped(unit),
  ]),
);

/**
 * Makes JSON safe as the value of an output: the same JSON in plain ASCII, in which the runner finds
 * no command, whichever shell prints it. What went through it once stays as it is.
 *
 * @param json compact, as `JSON.stringify` writes it
 */
export function outputJson(json: string): string {
  return json
    .replace(/\\./g, (unit) => shortEscapes.get(unit) ?? unit)
    .replace(beyondAscii, escaped)
    .replaceAll('##[', '#\\u0023[');
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
