import { execFileSync } from 'node:child_process';
import { type Element, HTMLRewriter } from 'html-rewriter-wasm';
import { renderMarkdown } from '../helpers/rendered-text.ts';
import { canary } from './hostile-text.ts';

/* Each finds what untrusted text must not do. */

/** A command in printed text that the Actions runner would execute. */
export interface ExecutedCommand {
  readonly name: string;
  readonly line: string;
}

/** Commands that the actions themselves print. */
export const ownCommands = new Set(['add-mask', 'debug', 'notice', 'warning', 'error']);

/** Commands that the runner knows; it compares them without regard to case. */
const registered = new Set([
  ...ownCommands,
  ...['add-matcher', 'add-path', 'echo', 'endgroup', 'group', 'internal-set-repo-path'],
  ...['remove-matcher', 'save-state', 'set-env', 'set-output', 'stop-commands'],
]);

/** White space as the runner's platform counts it, which is not what JavaScript's `\s` matches. */
const leadingSpace = /^[\t-\r\x85\p{Z}]+/u;

/**
 * Finds the commands in printed text, modelled on the runner's two parsers. It reads stdout and stderr line
 * by line, and a single carriage return also ends a line.
 */
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

/** The log of a next step that echoes every output. */
export interface Echoed {
  /** The commands in it that the runner would execute. */
  readonly commands: readonly ExecutedCommand[];
  /** Outputs with more than one line, by name. */
  readonly broken: Readonly<Record<string, string>>;
}

/** Runs `echo "$OUTPUT"` for every output in bash, and in sh, which containers use and is often dash. */
export function echo(outputs: Readonly<Record<string, string>>): Echoed {
  const printed = ['bash', 'sh'].flatMap((shell) => echoIn(shell, Object.entries(outputs)));
  return {
    commands: printed.flatMap(([, text]) => executedCommands(text)),
    broken: Object.fromEntries(printed.filter(([, text]) => !/^[^\r\n]*\n$/.test(text))),
  };
}

type Pair = readonly [name: string, text: string];

function echoIn(shell: string, outputs: readonly Pair[]): readonly Pair[] {
  // An environment variable cannot contain this separator.
  const script = outputs.map((_output, index) => `echo "$V${index}"; printf '\\0'`).join('\n');
  const values = outputs.map(([, value], index) => [`V${index}`, value.replaceAll('\0', '')]);
  const printed = execFileSync(shell, ['-c', script], {
    env: { PATH: process.env['PATH'], ...Object.fromEntries(values) },
    encoding: 'utf8',
    // With a socket as stdin, bash would assume a remote login and read its start-up files.
    stdio: ['ignore', 'pipe', 'inherit'],
  }).split('\0');
  return outputs.map(([name], index) => [name, printed[index] ?? '']);
}

/** This many bytes of the key in a row are a leak, in any encoding. */
const windowLength = 6;

/**
 * Finds pieces of a key in a text: unchanged, in hex, base64 and base64url with or without padding,
 * percent-encoded, as character references, reversed, and all of these split across lines.
 *
 * @returns the names of the encodings that were found
 */
export function findKeyTraces(text: string, key: string): readonly string[] {
  const joined = text.replaceAll(/\s/g, '');
  const found = Object.entries(tracesOf(key)).filter(([, traces]) =>
    traces.some((trace) => text.includes(trace) || joined.includes(trace)),
  );
  return found.map(([encoding]) => encoding);
}

function tracesOf(key: string): Readonly<Record<string, readonly string[]>> {
  const windows = windowsOf(key);
  const reversed = [...key].reverse().join('');
  const hex = (byte: number) => byte.toString(16).padStart(2, '0');
  const eachByte = (write: (byte: number) => string) =>
    windows.map((window) => [...Buffer.from(window)].map(write).join(''));
  return {
    plain: windows,
    reversed: windowsOf(reversed),
    hex: eachByte(hex),
    'upper-case hex': eachByte((byte) => hex(byte).toUpperCase()),
    base64: base64Traces(key, 'base64'),
    base64url: base64Traces(key, 'base64url'),
    'reversed base64': base64Traces(reversed, 'base64'),
    'percent-encoded': eachByte((byte) => `%${hex(byte)}`),
    'upper-case percent-encoded': eachByte((byte) => `%${hex(byte).toUpperCase()}`),
    'character references': eachByte((byte) => `&#${byte};`),
    'JSON escapes': eachByte((byte) => `\\u00${hex(byte)}`),
    'byte list': eachByte((byte) => `${byte},`),
  };
}

function windowsOf(text: string): readonly string[] {
  const count = Math.max(1, text.length - windowLength + 1);
  return Array.from({ length: count }, (_, start) => text.slice(start, start + windowLength));
}

/** The base64 of each window at each of the three alignments, without the ambiguous ends. */
function base64Traces(text: string, encoding: 'base64' | 'base64url'): readonly string[] {
  return windowsOf(text).flatMap((window) =>
    [0, 1, 2].map((offset) => {
      const encoded = Buffer.from(`${'\0'.repeat(offset)}${window}`).toString(encoding);
      const firstWhole = Math.ceil((offset * 8) / 6);
      const lastWhole = Math.floor(((offset + window.length) * 8) / 6);
      return encoded.slice(firstWhole, lastWhole);
    }),
  );
}

/** The elements that our reports consist of. */
const ownElements = new Set(
  'h3 h4 p a code pre table thead tbody tr th td ul li strong sub br details summary'.split(' '),
);

/** The seal of a comment, which is one word, and the line that the check finds its own comment by. */
const marker = /^<!-- docs-agent-action(?:-[\da-z-]+| check v1 docs=\w+) -->$/gm;

/** What every link of our reports begins with in the tests, but for that to an address of e-mail. */
const ownAddress =
  /^(?:https:\/\/github\.example\/acme\/|https:\/\/app\.mintlify\.com|https?:\/\/127\.0\.0\.1:\d+\/acme\/|https:\/\/github\.com\/acme\/|mailto:)/;

/**
 * Finds untrusted text that has an effect in our Markdown once GitHub has rendered it: it may only stand in
 * code, where GitHub makes neither links nor mentions of it.
 *
 * @returns descriptions of the problems
 */
export async function findEffects(markdown: string): Promise<readonly string[]> {
  const problems: string[] = [];
  let codes = 0;
  let outside = '';
  const rewriter = new HTMLRewriter(() => undefined);
  rewriter.on('*', {
    element(element) {
      problems.push(...foreignParts(element));
      if (element.tagName === 'code' || element.tagName === 'pre') {
        codes += 1;
        element.onEndTag(() => {
          codes -= 1;
        });
      }
    },
  });
  rewriter.onDocument({
    comments: ({ text }) => void problems.push(`a comment: ${text}`),
    text(chunk) {
      outside += codes === 0 ? chunk.text : '';
    },
  });
  try {
    const html = renderMarkdown(markdown.replace(marker, ''));
    await rewriter.write(new TextEncoder().encode(html));
    await rewriter.end();
  } finally {
    rewriter.free();
  }
  return [...problems, ...(outside.includes(canary) ? [`foreign text: ${outside}`] : [])];
}

function foreignParts({ tagName, attributes }: Element): readonly string[] {
  const foreign = [...attributes].filter(([name, value]) => !isOwn(name, value));
  return [
    ...(ownElements.has(tagName) ? [] : [`an element: ${tagName}`]),
    ...foreign.map(([name, value]) => `an attribute: ${name}=${value}`),
  ];
}

function isOwn(name: string, value: string): boolean {
  switch (name) {
    case 'href':
      return ownAddress.test(value);
    case 'lang':
      return value === 'diff';
    case 'align':
      return value === 'left' || value === 'right';
    default:
      return false;
  }
}
