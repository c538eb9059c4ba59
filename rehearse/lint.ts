import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { actionlint } from '../scripts/tools.ts';

const findingsSchema = v.array(
  v.object({ message: v.string(), line: v.number(), column: v.number(), kind: v.string() }),
);
export type Finding = v.InferOutput<typeof findingsSchema>[number];

/** What actionlint says, as one line each. */
export interface Verdict {
  /** GitHub would not run it, or would read something else than its author wrote. */
  readonly faults: readonly string[];
  /** It runs, but its author may want to know. */
  readonly remarks: readonly string[];
}

/**
 * Has a workflow's text read by actionlint: by itself, so that no file of a checkout is a setting, and
 * without the shell's linter, whose taste is not ours to enforce.
 */
export function lint(text: string): Verdict {
  const empty = mkdtempSync(join(tmpdir(), 'lint-'));
  try {
    const settings = ['-config-file', devNull, '-shellcheck=', '-pyflakes=', '-no-color'];
    const { status, stdout, stderr } = spawnSync(
      actionlint(),
      [...settings, '-format', '{{json .}}', '-'],
      { cwd: empty, input: text, encoding: 'utf8' },
    );
    if (status !== 0 && status !== 1) {
      throw new Error(`actionlint failed: ${stderr.trim()}`);
    }
    return judge(v.parse(findingsSchema, JSON.parse(stdout)));
  } finally {
    rmSync(empty, { recursive: true, force: true });
  }
}

/** Kinds of findings with which a workflow still runs as it was meant. */
const tolerable = new Set(['action', 'credentials', 'deprecated-commands', 'if-cond']);

/** Tells what breaks a workflow from what does not. */
export function judge(findings: readonly Finding[]): Verdict {
  // This machine plays every label.
  const heard = findings.filter(({ kind }) => kind !== 'runner-label');
  const isFault = ({ kind, message }: Finding) =>
    !tolerable.has(kind) && !message.includes('potentially untrusted');
  const line = ({ line: row, column, message }: Finding) =>
    `line ${row}, column ${column}: ${message}`;
  return {
    faults: heard.filter(isFault).map(line),
    remarks: heard.filter((finding) => !isFault(finding)).map(line),
  };
}
