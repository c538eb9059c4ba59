import { execFileSync } from 'node:child_process';
import { type ExecutedCommand, executedCommands } from './runner-commands.ts';

/** The shells that run `echo "$OUTPUT"` in the next step: bash, and in containers sh, often dash. */
const shells = ['bash', 'sh'] as const;

/** The log of a next step that echoes every output. */
export interface Echoed {
  /** The commands in it that the runner would execute. */
  readonly commands: readonly ExecutedCommand[];
  /** Outputs with more than one line, by name. */
  readonly broken: Readonly<Record<string, string>>;
}

/** Echoes every output in each of the shells. */
export function echo(outputs: Readonly<Record<string, string>>): Echoed {
  const printed = shells.flatMap((shell) => echoIn(shell, Object.entries(outputs)));
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
