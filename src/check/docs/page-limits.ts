/** Far above any page that people write, and small enough that parsing ends within seconds. */
const mostBytes = 2_000_000;
/** Markdown allows any depth, and parsers take quadratic time for it; real pages stay below ten. */
const mostContainers = 50;
const mostIndentColumns = 150;

const marker = /[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t]|$))/y;
const indentBeforeMarker = /^[ \t]{150,}(?:>|(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$))/;

/** Says why a text must not be given to the parser; `undefined` for one that may. */
export function refusalOf(text: string): { what: string; line: number | undefined } | undefined {
  if (Buffer.byteLength(text) > mostBytes) {
    return { what: 'is larger than 2 MB', line: undefined };
  }
  let line = 0;
  for (const content of text.split('\n')) {
    line += 1;
    if (isTooDeep(content)) {
      return { what: 'is nested too deeply', line };
    }
  }
  return undefined;
}

function isTooDeep(line: string): boolean {
  let containers = 0;
  marker.lastIndex = 0;
  while (marker.test(line)) {
    containers += 1;
    if (containers > mostContainers) {
      return true;
    }
  }
  return line.length > mostIndentColumns && indentBeforeMarker.test(line);
}
