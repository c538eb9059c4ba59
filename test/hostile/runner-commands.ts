/**
 * Finds the commands in printed text that the Actions runner would execute, modelled on its two parsers.
 * It reads stdout and stderr line by line, and a single carriage return also ends a line.
 */
export interface ExecutedCommand {
  readonly name: string;
  readonly line: string;
}

/** Commands that the runner knows; it compares them without regard to case. */
const registered = new Set([
  'add-mask',
  'add-matcher',
  'add-path',
  'debug',
  'echo',
  'endgroup',
  'error',
  'group',
  'internal-set-repo-path',
  'notice',
  'remove-matcher',
  'save-state',
  'set-env',
  'set-output',
  'stop-commands',
  'warning',
]);

/** The commands that the actions themselves print. */
export const ownCommands: ReadonlySet<string> = new Set([
  'add-mask',
  'debug',
  'notice',
  'warning',
  'error',
]);

/** White space as the runner's platform counts it, which is not what JavaScript's `\s` matches. */
const leadingSpace = /^[\t-\r\x85\p{Z}]+/u;

export function executedCommands(printed: string): readonly ExecutedCommand[] {
  return printed.split(/\r\n|\r|\n/).flatMap((line) => {
    const name = newSyntax(line) ?? oldSyntax(line);
    return name === undefined ? [] : [{ name, line }];
  });
}

/** `::name key=value::message` at the start of a line. */
function newSyntax(line: string): string | undefined {
  const text = line.replace(leadingSpace, '');
  const end = text.indexOf('::', 2);
  return text.startsWith('::') && end >= 0 ? nameIn(text.slice(2, end)) : undefined;
}

/** `##[name key=value;]message` anywhere in a line. */
function oldSyntax(line: string): string | undefined {
  const start = line.indexOf('##[');
  const end = line.indexOf(']', start);
  return start >= 0 && end >= 0 ? nameIn(line.slice(start + 3, end)) : undefined;
}

function nameIn(head: string): string | undefined {
  const name = (head.split(' ')[0] ?? '').toLowerCase();
  return registered.has(name) ? name : undefined;
}
