import { styleText } from 'node:util';
import type { LogLine } from './runner/workflow-commands.ts';

type Style = Parameters<typeof styleText>[0];

/** Colours only where somebody looks: a terminal that has not asked for plain text. */
export function styled(style: Style, text: string): string {
  return styleText(style, text, { stream: process.stdout });
}

/** A line that parts one scene from the next. */
export function heading(text: string): string {
  return `\n${styled('bold', `━━ ${text}`)}\n`;
}

const LOOKS: Readonly<Record<LogLine['kind'], readonly [label: string, style?: Style]>> = {
  text: [''],
  group: ['▾ ', 'bold'],
  notice: ['Notice: ', 'blue'],
  warning: ['Warning: ', 'yellow'],
  error: ['Error: ', 'red'],
};

/** A line of a step's log, the way the page of a run shows it. */
export function renderLine({ kind, text, depth }: LogLine): string {
  const [label, style] = LOOKS[kind];
  const line = `${'  '.repeat(depth)}${label}${text}`;
  return style === undefined ? line : styled(style, line);
}

/** A patch with its additions and deletions in colour. */
export function renderPatch(patch: string): string {
  const render = (line: string) => {
    if (line.startsWith('+')) return styled('green', line);
    if (line.startsWith('-')) return styled('red', line);
    return line.startsWith('@@') ? styled('cyan', line) : line;
  };
  return patch.split('\n').map(render).join('\n');
}
