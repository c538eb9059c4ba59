import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { PEOPLE, type Person, PRODUCT_REPOSITORY } from '../sandbox/github/seed.ts';

/** What somebody wants to try. */
export interface TryOptions {
  /** Absolute path of the workflow. */
  readonly path: string;
  readonly login: Person;
  readonly issue: number;
  readonly label: string | undefined;
  /** Absolute path of a payload. */
  readonly eventFile: string | undefined;
  readonly inputs: Readonly<Record<string, string>>;
  readonly variables: Readonly<Record<string, string>>;
  readonly secrets: Readonly<Record<string, string>>;
  /** What is written in a comment. */
  readonly comment: string | undefined;
  /** The run's last attempt; those before it are played first. */
  readonly attempt: number;
}

export const usage = `npm run try <workflow> runs a workflow of yours on this machine, against the sandbox.

  npm run try ../my-product/.github/workflows/docs.yml
  npm run try ../my-product/.github/workflows/docs.yml -- --as stranger

Options, behind --
  --as LOGIN           who triggers it: ${PEOPLE.join(', ')}; maintainer when left out
  --issue N            the issue of ${PRODUCT_REPOSITORY} that it is about: 1, 2 or 3; 1 when left out
  --label NAME         the label that is set; the one that the workflow asks for when left out
  --comment TEXT       the comment that is written; what the workflow looks for when left out
  --input NAME=VALUE   an input of workflow_dispatch
  --var NAME=VALUE     a variable, for \${{ vars.NAME }}
  --secret NAME=VALUE  a secret, for \${{ secrets.NAME }}
  --attempt N          plays the run and its re-runs, up to attempt N; 1 when left out
  --event FILE         a JSON file with the payload of the workflow's first event, not one made up

What is given as api-key and project-id is the sandbox's, unless --secret and --var say otherwise.
Words in a prompt, such as [sandbox: failed], choose how a job ends: sandbox/README.md lists them.

Actions of others are left out. Steps with run:, and actions in the checkout itself, run as you do:
without a container, with your files and your network. Read a stranger's workflow before you try it.`;

const known = {
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
 * @param folder where paths begin
 * @returns `undefined` for the wish to see the usage
 * @throws Error with one sentence on what cannot be used
 */
export function readTryOptions(args: readonly string[], folder: string): TryOptions | undefined {
  if (args.length === 0 || args.includes('--help') || args.includes('-h')) {
    return undefined;
  }
  const { values, positionals } = parse(args);
  const [file, ...others] = positionals;
  if (file === undefined) {
    throw new Error('no workflow is named: npm run try <workflow>, then -- and options');
  }
  if (others.length > 0) {
    throw new Error(
      `beside ${file} stands ${others.join(' ')}: options go behind --, such as npm run try ${file} -- --as stranger`,
    );
  }
  const login = PEOPLE.find((person) => person === values.as);
  if (login === undefined) {
    throw new Error(`--as is "${values.as}": give one of ${PEOPLE.join(', ')}`);
  }
  refuseTwice(values);
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

/** A payload says itself what others of the options would. */
function refuseTwice(values: { event?: string; label?: string; comment?: string }): void {
  const twice = (['label', 'comment'] as const).find((name) => values[name] !== undefined);
  if (values.event !== undefined && twice !== undefined) {
    throw new Error(`--event and --${twice} are both given: the payload has its own ${twice}`);
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
    return parseArgs({ args: [...args], allowPositionals: true, options: known });
  } catch (error) {
    const [first = ''] = String(error instanceof Error ? error.message : error).split('. ');
    const all = Object.keys(known).map((name) => `--${name}`);
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
