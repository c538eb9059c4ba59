import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { devNull, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import * as v from 'valibot';
import { repositoryFolder, repositoryName } from './actions.ts';
import { actionlint, unknownQueue } from './tools.ts';

const findingsSchema = v.array(
  v.object({ message: v.string(), line: v.number(), column: v.number(), kind: v.string() }),
);
type Finding = v.InferOutput<typeof findingsSchema>[number];

/** actionlint's findings on a workflow, as one line each. */
interface LintResult {
  /** Findings that keep the workflow from running, or from doing what its author meant. */
  readonly errors: readonly string[];
  /** Findings that do not. */
  readonly warnings: readonly string[];
}

/**
 * Lints a workflow's text with actionlint, without shellcheck, because this does not check the style of scripts.
 * It runs in a folder with nothing but the workflow and a link to this checkout. There, actionlint knows the inputs
 * and outputs of our actions, and finds no settings of another checkout.
 */
export async function lint(text: string): Promise<LintResult> {
  const program = await actionlint();
  const folder = mkdtempSync(join(tmpdir(), 'lint-'));
  try {
    symlinkSync(repositoryFolder, join(folder, ownName()));
    mkdirSync(join(folder, '.git'));
    mkdirSync(join(folder, '.github/workflows'), { recursive: true });
    writeFileSync(join(folder, '.github/workflows/workflow.yml'), withLocalUses(text));
    const settings = ['-config-file', devNull, '-shellcheck=', '-pyflakes=', '-no-color'];
    const { status, stdout, stderr } = spawnSync(program, [...settings, '-format', '{{json .}}'], {
      cwd: folder,
      encoding: 'utf8',
    });
    if (status !== 0 && status !== 1) {
      throw new Error(`actionlint failed: ${stderr.trim()}`);
    }
    return classify(v.parse(findingsSchema, JSON.parse(stdout)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes references to our actions, under any owner, as paths: `acme/docs-agent-action@v1` as `./docs-agent-action`. */
export function withLocalUses(text: string): string {
  const pattern = String.raw`(\buses:\s*['"]?)[\w.-]+/(${ownName()}(?:/[\w-]+)*)@[^\s'",}]+`;
  return text.replace(new RegExp(pattern, 'g'), '$1./$2');
}

/** The name of this repository, without its owner. */
function ownName(): string {
  return basename(repositoryName());
}

/** Kinds of findings that do not keep a workflow from running as its author meant. */
const harmless = new Set(['action', 'credentials', 'deprecated-commands', 'if-cond']);

/** Findings about actions that are errors: a reference without a version, and inputs of local actions, such as ours. */
const badUse = /ref is missing|defined at "\.\//;

/** Findings that do not count, because jobs run on this machine whatever their labels are. */
const irrelevant = [unknownQueue, 'could not read reusable workflow file'];

/** Separates errors from warnings. */
export function classify(findings: readonly Finding[]): LintResult {
  const relevant = findings.filter(
    ({ kind, message }) =>
      kind !== 'runner-label' && !irrelevant.some((start) => message.startsWith(start)),
  );
  const isError = ({ kind, message }: Finding) =>
    (!harmless.has(kind) || badUse.test(message)) && !message.includes('potentially untrusted');
  const line = ({ line: row, column, message }: Finding) =>
    `line ${row}, column ${column}: ${explain(message)}`;
  return {
    errors: relevant.filter(isError).map(line),
    warnings: relevant.filter((finding) => !isError(finding)).map(line),
  };
}

/** What the messages of frequent mistakes mean, by how they begin or end. */
const explanations: readonly (readonly [message: RegExp, meaning: string])[] = [
  [
    /^property "[^"]+" is not defined in object type /,
    'correct the name, or define it first. An expression can read steps that are above it in the same job, jobs in "needs", and inputs and matrix values that the file has',
  ],
  [
    /^expected scalar node for string value but found (?:mapping|sequence)/,
    'write the value as a text: in quotes, or in the lines below "|". YAML reads braces and brackets as more than text',
  ],
  [/mapping values are not allowed in this context$/, 'put a value that has ": " in it in quotes'],
  [/found character that cannot start any token$/, 'indent the line with spaces, not with tabs'],
];

/** Adds what to do to the messages of frequent mistakes. */
function explain(message: string): string {
  const [, meaning] = explanations.find(([pattern]) => pattern.test(message)) ?? [];
  return meaning === undefined ? message : `${message}: ${meaning}`;
}
