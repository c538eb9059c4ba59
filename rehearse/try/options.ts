import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { PEOPLE, type Person, PRODUCT_REPOSITORY } from '../../sandbox/github/seed.ts';

/** The command line of `npm run try`. */
export interface TryOptions {
  /** Absolute path of the workflow. */
  readonly path: string;
  /** Who triggers the event. */
  readonly login: Person;
  readonly issue: number;
  readonly label: string | undefined;
  /** Absolute path of a file with the event's payload. */
  readonly eventFile: string | undefined;
  readonly inputs: Readonly<Record<string, string>>;
  readonly variables: Readonly<Record<string, string>>;
  readonly secrets: Readonly<Record<string, string>>;
  /** The text of the comment that triggers the workflow. */
  readonly comment: string | undefined;
  /** The number of the run's last attempt; all attempts before it run first. */
  readonly attempt: number;
}

export const usage = `npm run try <workflow> runs a workflow on this machine, against the sandbox.

  npm run try ../my-product/.github/workflows/docs.yml
  npm run try ../my-product/.github/workflows/docs.yml -- --as stranger

Options, after --
  --as LOGIN           who triggers the event: ${PEOPLE.join(', ')};
                       default: maintainer
  --issue N            the issue of ${PRODUCT_REPOSITORY} in the event: 1, 2 or 3; default: 1
  --label NAME         the label in the event; default: the one in the workflow's condition
  --comment TEXT       the comment in the event; default: the text in the workflow's condition
  --input NAME=VALUE   an input of workflow_dispatch
  --var NAME=VALUE     a variable, for \${{ vars.NAME }}
  --secret NAME=VALUE  a secret, for \${{ secrets.NAME }}
  --attempt N          re-runs the workflow up to attempt N; default: 1
  --event FILE         a JSON file with the payload of the workflow's first event

The inputs api-key and project-id get the sandbox's values, unless you set them with --secret and --var.
Words in a prompt, such as [sandbox: failed], control how a job ends: sandbox/README.md lists them.

Third-party actions are skipped. Steps with run:, and local actions, run as your user, without a
container, and can use your files and your network. Only try workflows that you trust.`;

const knownOptions = {
  as: { type: 'string', default: 'maintainer' },
  issue: { type: 'string', default: '1' },
  label: { type: 'string' },
  comment: { type: 'string' },
  attempt: { type: 'string', default: '1' },
  event: { type: 'string' },
  input: { type: 'string', multiple: true },
  var: { type: 'string', multiple: true },
  secret: { type: 'string', multiple: true },
} as const;

/**
 * @param folder the folder that paths are relative to
 * @returns `undefined` when the usage should be printed
 * @throws Error with one sentence about the first invalid option
 */
export function readTryOptions(args: readonly string[], folder: string): TryOptions | undefined {
  if (args.length === 0 || args.includes('--help') || args.includes('-h')) {
    return undefined;
  }
  const { values, positionals } = parse(args);
  const [file, ...others] = positionals;
  if (file === undefined) {
    throw new Error('the workflow is missing: use npm run try <workflow> -- <options>');
  }
  if (others.length > 0) {
    throw new Error(
      `${others.join(' ')} is not expected after ${file}: put options after --, as in npm run try ${file} -- --as stranger`,
    );
  }
  const login = PEOPLE.find((person) => person === values.as);
  if (login === undefined) {
    throw new Error(`--as is "${values.as}": give one of ${PEOPLE.join(', ')}`);
  }
  refuseConflict(values);
  return {
    path: resolve(folder, file),
    login,
    issue: readNumber('issue', values.issue, 3),
    label: values.label,
    eventFile: values.event === undefined ? undefined : resolve(folder, values.event),
    inputs: readPairs('input', values.input ?? []),
    variables: readPairs('var', values.var ?? []),
    secrets: readPairs('secret', values.secret ?? []),
    comment: values.comment,
    attempt: readNumber('attempt', values.attempt, 9),
  };
}

/** With a payload of its own, an event takes no label and no comment from the command line. */
function refuseConflict(values: { event?: string; label?: string; comment?: string }): void {
  const other = (['label', 'comment'] as const).find((name) => values[name] !== undefined);
  if (values.event !== undefined && other !== undefined) {
    throw new Error(
      `--event and --${other} are both given: put the ${other} into the payload, and leave --${other} out`,
    );
  }
}

function readNumber(option: string, value: string, max: number): number {
  const number = /^\d$/.test(value) ? Number(value) : 0;
  if (number < 1 || number > max) {
    throw new Error(`--${option} is "${value}": give a number from 1 to ${max}`);
  }
  return number;
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options: knownOptions });
  } catch (error) {
    const [first = ''] = String(error instanceof Error ? error.message : error).split('. ');
    const all = Object.keys(knownOptions).map((name) => `--${name}`);
    throw new Error(`${first}: the options are ${all.join(', ')}, each with a value`);
  }
}

function readPairs(option: string, pairs: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const [, name, value] = /^([\w-]+)=(.*)$/s.exec(pair) ?? [];
      if (name === undefined || value === undefined) {
        throw new Error(`--${option} is "${pair}": give NAME=VALUE`);
      }
      return [name, value];
    }),
  );
}
