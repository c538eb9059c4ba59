import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { actionlint, unknownQueue } from '../../scripts/tools.ts';

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
 * Lints a workflow's text with actionlint. It runs in an empty folder, so that no file of a checkout
 * changes its settings, and without shellcheck, because this does not check the style of scripts.
 */
export async function lint(text: string): Promise<LintResult> {
  const program = await actionlint();
  const empty = mkdtempSync(join(tmpdir(), 'lint-'));
  try {
    const settings = ['-config-file', devNull, '-shellcheck=', '-pyflakes=', '-no-color'];
    const { status, stdout, stderr } = spawnSync(
      program,
      [...settings, '-format', '{{json .}}', '-'],
      { cwd: empty, input: text, encoding: 'utf8' },
    );
    if (status !== 0 && status !== 1) {
      throw new Error(`actionlint failed: ${stderr.trim()}`);
    }
    return classify(v.parse(findingsSchema, JSON.parse(stdout)));
  } finally {
    rmSync(empty, { recursive: true, force: true });
  }
}

/** Kinds of findings that do not keep a workflow from running as its author meant. */
const harmless = new Set(['action', 'credentials', 'deprecated-commands', 'if-cond']);

/** Separates errors from warnings. */
export function classify(findings: readonly Finding[]): LintResult {
  // Jobs with unknown labels run on this machine like all others.
  const relevant = findings.filter(
    ({ kind, message }) => kind !== 'runner-label' && !message.startsWith(unknownQueue),
  );
  const isError = ({ kind, message }: Finding) =>
    !harmless.has(kind) && !message.includes('potentially untrusted');
  const line = ({ line: row, column, message }: Finding) =>
    `line ${row}, column ${column}: ${explain(message)}`;
  return {
    errors: relevant.filter(isError).map(line),
    warnings: relevant.filter((finding) => !isError(finding)).map(line),
  };
}

/** Says in plain words that an expression has a name that nothing has there; leaves other messages as they are. */
function explain(message: string): string {
  const [, name] = /^property "([^"]+)" is not defined in object type /.exec(message) ?? [];
  return name === undefined
    ? message
    : `nothing is named "${name}" there: correct the name, or define it first. An expression can read steps that are above it in the same job, jobs in "needs", and inputs and matrix values that the file has`;
}
