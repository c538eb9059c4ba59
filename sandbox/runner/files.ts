/**
 * Parses the content of `GITHUB_OUTPUT` like the runner: lines with `name=value`, and multi-line values
 * as `name<<delimiter`, the value, `delimiter`. The last value of a name wins.
 *
 * @throws Error when the runner could not parse it
 */
export function parseFileCommands(text: string): Record<string, string> {
  const found = new Map<string, string>();
  const lines = text.split('\n');
  while (lines.length > 0) {
    const line = lines.shift() ?? '';
    if (line !== '') {
      const { name, sign, rest } = readFirstLine(line);
      found.set(name, sign === '=' ? rest : takeUntil(lines, rest));
    }
  }
  return Object.fromEntries(found);
}

function readFirstLine(line: string): { name: string; sign: string; rest: string } {
  const [, name = '', sign = '', rest = ''] = /^(.*?)(=|<<)(.*)$/s.exec(line) ?? [];
  if (name === '' || (sign === '<<' && rest === '')) {
    throw new Error(`Invalid format '${line}'`);
  }
  return { name, sign, rest };
}

/** Removes the lines of a value and its delimiter from `lines`. @returns The value. */
function takeUntil(lines: string[], delimiter: string): string {
  const end = lines.indexOf(delimiter);
  if (end === -1) {
    throw new Error(`Invalid value. Matching delimiter not found '${delimiter}'`);
  }
  const value = lines.splice(0, end + 1).slice(0, -1);
  return value.join('\n');
}
