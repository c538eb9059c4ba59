import { parseArgs } from 'node:util';
import * as v from 'valibot';
import { oneLine, quoted } from '../src/text/plain.ts';
import { StoreError } from './service/store.ts';
import { MAX_PAGES } from './service/visitors.ts';

/** The options of the command line. */
export interface Options {
  readonly servicePort: number;
  readonly githubPort: number;
  readonly pages: number;
  readonly storeFile?: string | undefined;
  /** The file for the process id of a detached sandbox. */
  readonly pidFile?: string | undefined;
}

/** The command line has an invalid option. The message is one sentence. */
export class OptionError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'OptionError';
  }
}

const OPTIONS = {
  port: { type: 'string', default: '4100' },
  'github-port': { type: 'string', default: '4101' },
  pages: { type: 'string', default: '3000' },
  store: { type: 'string' },
  detach: { type: 'string' },
} as const;

const MAX_PORT = 65_535;

/** @throws {OptionError} */
export function readOptions(args: readonly string[]): Options {
  // Not strict, because the messages of the strict mode are long and do not name the options.
  const { values, tokens } = parseArgs({
    args: [...args],
    options: OPTIONS,
    strict: false,
    tokens: true,
  });
  for (const token of tokens) {
    if (token.kind === 'positional') refuse(token.value);
    if (token.kind === 'option' && !Object.hasOwn(OPTIONS, token.name)) refuse(token.rawName);
  }
  const options: Options = {
    servicePort: readWhole('port', values.port, MAX_PORT),
    githubPort: readWhole('github-port', values['github-port'], MAX_PORT),
    pages: readWhole('pages', values.pages, MAX_PAGES),
    storeFile: readPath('store', values.store),
    pidFile: readPath('detach', values.detach),
  };
  if (options.servicePort === options.githubPort && options.servicePort !== 0) {
    throw new OptionError(
      `--port and --github-port are both ${options.servicePort}: give each a port of its own.`,
    );
  }
  return options;
}

/** The arguments for these options, without `--detach`. */
export function toArguments({ servicePort, githubPort, pages, storeFile }: Options): string[] {
  return [
    `--port=${servicePort}`,
    `--github-port=${githubPort}`,
    `--pages=${pages}`,
    ...(storeFile === undefined ? [] : [`--store=${storeFile}`]),
  ];
}

const listenError = v.object({
  code: v.picklist(['EADDRINUSE', 'EACCES']),
  syscall: v.literal('listen'),
  port: v.number(),
});
const openError = v.object({ code: v.string(), syscall: v.literal('open'), path: v.string() });

/** One sentence on why the sandbox did not start. It names the option that is the cause, if any. */
export function explain(error: unknown, options?: Options): string {
  if (error instanceof OptionError) {
    return error.message;
  }
  if (error instanceof StoreError) {
    return `--store is ${quoted(error.file)}, which cannot be used (${error.reason}): give a SQLite file of the sandbox, or a new file in an existing folder.`;
  }
  const name = v.is(listenError, error) ? portOption(error.port, options) : undefined;
  if (v.is(listenError, error) && name !== undefined) {
    const why = error.code === 'EADDRINUSE' ? 'is already in use' : 'needs more permissions';
    return `${name} is ${error.port}, which ${why}: give another port, or 0 for any free port.`;
  }
  if (v.is(openError, error) && error.path === options?.pidFile) {
    return `--detach is ${quoted(error.path)}, which cannot be written (${error.code}): give a file in an existing folder.`;
  }
  return `The sandbox could not start: ${oneLine(String(error), 300)}`;
}

function portOption(port: number, options: Options | undefined): string | undefined {
  if (port === options?.servicePort) {
    return '--port';
  }
  return port === options?.githubPort ? '--github-port' : undefined;
}

function refuse(argument: string): never {
  const names = Object.keys(OPTIONS).map((name) => `--${name}`);
  throw new OptionError(
    `${quoted(argument)} is not an option: the options are ${names.join(', ')}, each with a value.`,
  );
}

/** @param value `true` for an option without a value */
function readWhole(name: string, value: string | boolean | undefined, max: number): number {
  const number = typeof value === 'string' && /^\d{1,6}$/.test(value) ? Number(value) : Number.NaN;
  if (!(number <= max)) {
    throw new OptionError(`${received(name, value)}: give a whole number from 0 to ${max}.`);
  }
  return number;
}

function readPath(name: string, value: string | boolean | undefined): string | undefined {
  if (value === undefined || (typeof value === 'string' && value !== '')) {
    return value;
  }
  throw new OptionError(`${received(name, value)}: give the path of a file.`);
}

function received(name: string, value: string | boolean | undefined): string {
  return typeof value === 'string' && value !== ''
    ? `--${name} is ${quoted(value)}`
    : `--${name} has no value`;
}
