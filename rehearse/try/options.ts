import { resolve } from 'node:path';
import { asksForUsage, parseCommandLine } from '../../sandbox/command-line.ts';
import {
  DOCS_REPOSITORY,
  PEOPLE,
  type Person,
  PRODUCT_REPOSITORY,
} from '../../sandbox/github/seed.ts';

/** The command line of `npm run try`. */
export interface TryOptions {
  /** Absolute path of the workflow. */
  readonly path: string;
  /** Who triggers the event. */
  readonly login: Person;
  /** Whether no person was named, so that the agent opens its pull requests itself. */
  readonly byAgent: boolean;
  /** `owner/name` of the repository that the workflow belongs to; by default its content decides. */
  readonly repository: string | undefined;
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
  /** How many events trigger the workflow, one after the other. */
  readonly rounds: number;
  /** After how many minutes a run is ended. */
  readonly minutes: number;
  /** Absolute path of a checkout of docs, whose change is the pull request. */
  readonly change: string | undefined;
}

/** The options, once the workflow is read. */
export type RunOptions = TryOptions & { readonly repository: string };

export const usage = `npm run try <workflow> runs a workflow on this machine, against the sandbox.

  npm run try ../my-product/.github/workflows/docs.yml
  npm run try ../my-product/.github/workflows/docs.yml -- --as stranger
  npm run try ../my-docs/.github/workflows/refresh.yml -- --rounds 2
  npm run try examples/check-agent-pulls.yml -- --change ../my-docs

Options, after --
  --as LOGIN           who triggers the event: ${PEOPLE.join(', ')};
                       default: maintainer
  --repository NAME    where the workflow belongs: ${PRODUCT_REPOSITORY}, or ${DOCS_REPOSITORY}, which may
                       have the product, too; default: what its inputs need
  --rounds N           triggers the workflow N times, at most 20, on what the rounds before have left;
                       default: 1
  --change FOLDER      for a check: takes the branch of a checkout as the pull request; on its main
                       branch, what is not pushed, or else the last commit
  --issue N            the issue of ${PRODUCT_REPOSITORY} in the event: 1, 2 or 3; default: 1
  --label NAME         the label in the event; default: the one in the workflow's condition
  --comment TEXT       the comment in the event; default: the text in the workflow's condition
  --input NAME=VALUE   an input of workflow_dispatch
  --var NAME=VALUE     a variable, for \${{ vars.NAME }}
  --secret NAME=VALUE  a secret, for \${{ secrets.NAME }}
  --attempt N          re-runs the workflow up to attempt N, at most 9; default: 1
  --minutes N          ends a run after N minutes, at most 60; default: 5
  --event FILE         a JSON file with the payload of the workflow's first event

The inputs api-key and project-id get the sandbox's values, unless you set them with --secret and --var.
Words in a prompt, such as [sandbox: failed], control how a job ends: sandbox/README.md lists them.

Third-party actions are skipped. Steps with run:, and local actions, run as your user, without a
container, and can use your files and your network. Only try workflows that you trust.`;

const knownOptions = {
  as: { type: 'string' },
  issue: { type: 'string', default: '1' },
  label: { type: 'string' },
  comment: { type: 'string' },
  attempt: { type: 'string', default: '1' },
  repository: { type: 'string' },
  rounds: { type: 'string', default: '1' },
  change: { type: 'string' },
  minutes: { type: 'string', default: '5' },
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
  if (asksForUsage(args)) {
    return undefined;
  }
  const { values, positionals } = parseCommandLine(args, knownOptions);
  const [file, ...others] = positionals;
  if (file === undefined) {
    throw new Error('the workflow is missing: use npm run try <workflow> -- <options>');
  }
  if (others.length > 0) {
    throw new Error(
      `${others.join(' ')} is not expected after ${file}: put options after --, as in npm run try ${file} -- --as stranger`,
    );
  }
  const login = PEOPLE.find((person) => person === (values.as ?? 'maintainer'));
  if (login === undefined) {
    throw new Error(`--as is "${values.as}": give one of ${PEOPLE.join(', ')}`);
  }
  refuseConflict(values);
  return {
    path: resolve(folder, file),
    login,
    byAgent: values.as === undefined,
    repository: readRepository(values),
    issue: readNumber('issue', values.issue, 3),
    label: values.label,
    eventFile: values.event === undefined ? undefined : resolve(folder, values.event),
    inputs: readPairs('input', values.input ?? []),
    variables: readPairs('var', values.var ?? []),
    secrets: readPairs('secret', values.secret ?? []),
    comment: values.comment,
    attempt: readNumber('attempt', values.attempt, 9),
    rounds: readNumber('rounds', values.rounds, 20),
    minutes: readNumber('minutes', values.minutes, 60),
    change: values.change === undefined ? undefined : resolve(folder, values.change),
  };
}

/** A payload from `--event` has its own label and comment, so `--label` and `--comment` are refused beside it. */
function refuseConflict(values: { event?: string; label?: string; comment?: string }): void {
  const other = (['label', 'comment'] as const).find((name) => values[name] !== undefined);
  if (values.event !== undefined && other !== undefined) {
    throw new Error(
      `--event and --${other} are both given: put the ${other} into the payload, and leave --${other} out`,
    );
  }
}

/** With `--change`, the default is the docs repository, because the change is one of the docs. */
function readRepository({
  change,
  repository = change === undefined ? undefined : DOCS_REPOSITORY,
}: {
  repository?: string;
  change?: string;
}): string | undefined {
  const all = [PRODUCT_REPOSITORY, DOCS_REPOSITORY];
  if (repository !== undefined && !all.includes(repository)) {
    throw new Error(`--repository is "${repository}": give one of ${all.join(', ')}`);
  }
  return repository;
}

function readNumber(option: string, value: string, max: number): number {
  const number = /^\d\d?$/.test(value) ? Number(value) : 0;
  if (number < 1 || number > max) {
    throw new Error(`--${option} is "${value}": give a number from 1 to ${max}`);
  }
  return number;
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
