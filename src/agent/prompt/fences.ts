/** A piece of Markdown: a fenced code block with its fences, or what stands between two. */
export interface FencedPart {
  readonly text: string;
  readonly isFence: boolean;
}

const fenceLine = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/;

/** Where HTML may begin, Markdown may end, and a fence may be none. */
const htmlLine = /^ {0,3}</;

/**
 * Splits Markdown at its fenced code blocks, in which GitHub shows everything, comments included.
 *
 * Only fences that are certain count: those before the first line that could begin a block of
 * HTML, where the same characters fence nothing. Everything else is one piece that is no fence.
 */
export function splitAtFences(markdown: string): readonly FencedPart[] {
  const parts: FencedPart[] = [];
  let lines: string[] = [];
  let fence: string | undefined;
  const finish = (isFence: boolean): void => {
    parts.push({ text: lines.join(''), isFence });
    lines = [];
  };
  const rest = markdown.split(/(?<=\n)/);
  while (rest.length > 0 && (fence !== undefined || !htmlLine.test(rest[0] ?? ''))) {
    const line = rest.shift() ?? '';
    const mark = fenceLine.exec(line.trimEnd())?.[1];
    if (fence === undefined && mark !== undefined) {
      finish(false);
      fence = mark;
      lines.push(line);
    } else if (fence !== undefined && closes(line, fence)) {
      lines.push(line);
      finish(true);
      fence = undefined;
    } else {
      lines.push(line);
    }
  }
  finish(fence !== undefined);
  parts.push({ text: rest.join(''), isFence: false });
  return parts.filter((part) => part.text !== '');
}

function closes(line: string, fence: string): boolean {
  const mark = /^ {0,3}(`{3,}|~{3,})\s*$/.exec(line)?.[1] ?? '';
  return mark.startsWith(fence.charAt(0)) && mark.length >= fence.length;
}
