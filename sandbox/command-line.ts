import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

/** Whether a command that needs arguments should print its usage instead. */
export function asksForUsage(args: readonly string[]): boolean {
  return args.length === 0 || args.includes('--help') || args.includes('-h');
}

/**
 * Parses the command line of a script.
 *
 * @throws Error with one sentence about the first invalid option
 */
export function parseCommandLine<Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Options,
) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (error) {
    const [first = ''] = String(error instanceof Error ? error.message : error).split('. ');
    const names = Object.keys(options).map((name) => `--${name}`);
    throw new Error(`${first}: the options are ${names.join(', ')}, each with a value`);
  }
}

/** The message of an error as a sentence, unless it is one already, or a list of lines. */
export function sentenceOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return /\n|[.?]$/.test(message) ? message : `${message}.`;
}
