import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parse as parseCsv } from 'csv-parse/sync';
import * as v from 'valibot';
import { onTestFinished } from 'vitest';
import type { StepResult } from '../../sandbox/runner/runner.ts';
import { type ActionStep, runAction } from './run-action.ts';
import { apiKey } from './run-agent.ts';
import { closedUrl } from './scripted-api.ts';

export interface VisitorsRun extends Partial<Omit<ActionStep, 'context'>> {
  readonly eventName?: string;
  readonly baseUrl?: string;
  /** A folder to work in; by default a new one with `files`. */
  readonly workspace?: string;
}

export interface VisitorsResult extends StepResult {
  /** Absolute path. */
  readonly workspace: string;
  /** Text of every file in the workspace, by path, including temporary ones. */
  readonly files: Readonly<Record<string, string>>;
}

/** Runs the visitors action as a step with a key and a project. */
export async function runVisitors(run: VisitorsRun = {}): Promise<VisitorsResult> {
  const { baseUrl, eventName = 'schedule', files, inputs, env, ...step } = run;
  const { workspace = newWorkspace(files), ...rest } = step;
  const result = await runAction('visitors', {
    context: {
      serverUrl: 'https://github.example',
      repository: 'acme/product',
      actor: 'maintainer',
      eventName,
      token: '',
    },
    ...rest,
    inputs: {
      'api-key': apiKey,
      'project-id': 'acme',
      'base-url': baseUrl ?? closedUrl,
      ...inputs,
    },
    env: { GITHUB_WORKSPACE: workspace, ...env },
  });
  return { ...result, workspace, files: readFiles(workspace) };
}

/** A folder with files, which is removed after the test. */
export function newWorkspace(files: Readonly<Record<string, string>> = {}): string {
  const workspace = mkdtempSync(join(tmpdir(), 'visitors-'));
  onTestFinished(() => rmSync(workspace, { recursive: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    writeFileSync(join(workspace, path), text);
  }
  return workspace;
}

function readFiles(workspace: string): Record<string, string> {
  const entries = readdirSync(workspace, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    entries
      .filter((found) => found.isFile())
      .map((found) => join(found.parentPath, found.name))
      .map((path) => [path.slice(workspace.length + 1), readFileSync(path, 'utf8')]),
  );
}

/** The rows of a CSV file that a run wrote, by column. */
export function csvRows(
  { files }: VisitorsResult,
  path: string,
): readonly Record<string, string>[] {
  const records: unknown = parseCsv(files[path] ?? '', { columns: true });
  return v.parse(v.array(v.record(v.string(), v.string())), records);
}

/** The results of a run, for a snapshot. Values that differ between runs are replaced. */
export function transcript({ exitCode, stdout, stderr, outputs, summary, files }: VisitorsResult) {
  return {
    exitCode,
    log: normalise(stdout)
      .trimEnd()
      .split('\n')
      .filter((line) => !line.startsWith('::debug::')),
    ...(stderr !== '' && { stderr: normalise(stderr) }),
    outputs: Object.fromEntries(
      Object.entries(outputs)
        .filter(([, value]) => value !== '')
        .map(([name, value]) => [name, normalise(value)]),
    ),
    summary: normalise(summary).trimEnd().split('\n'),
    files,
  };
}

function normalise(text: string): string {
  return text.replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:PORT');
}
