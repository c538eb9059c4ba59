import { styleText } from 'node:util';
import type { LogLine } from './runner/workflow-commands.ts';

type Style = Parameters<typeof styleText>[0];

/** Text with a colour, if the output is a terminal that shows colours. */
export function styled(style: Style, text: string): string {
  return styleText(style, text, { stream: process.stdout });
}

/** A heading in the output of a command. */
export function heading(text: string): string {
  return `\n${styled('bold', `━━ ${text}`)}\n`;
}

const PREFIXES: Readonly<Record<LogLine['kind'], readonly [label: string, style?: Style]>> = {
  text: [''],
  group: ['▾ ', 'bold'],
  notice: ['Notice: ', 'blue'],
  warning: ['Warning: ', 'yellow'],
  error: ['Error: ', 'red'],
};

/** A line of a step's log, as the page of a run shows it. */
export function renderLine({ kind, text, depth }: LogLine): string {
  const [label, style] = PREFIXES[kind];
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

/** A comment as plain text: without tags and hidden parts, and with its entities decoded. */
export function plainComment(login: string, body: string): string {
  const text = body
    .replace(/<!--[\s\S]*?-->/g, '')
    .replaceAll('<br>', '\n')
    .replace(/<\/?code>/g, '`')
    .replace(/<[^>]*>/g, '')
    .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  return [`┌ ${login}`, ...text.split('\n').map((line) => `│ ${line}`), '└'].join('\n');
}
