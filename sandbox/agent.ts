import { createHash } from 'node:crypto';
import { request } from 'undici';
import * as v from 'valibot';
import { bundleOf } from '../scripts/actions.ts';
import { readManifest } from '../scripts/tables.ts';
import { isLoopback } from '../src/text/url.ts';
import { asksForUsage, parseCommandLine, sentenceOf } from './command-line.ts';
import { DOCS_REPOSITORY } from './github/seed.ts';
import { runStep } from './runner/runner.ts';
import { logView } from './runner/workflow-commands.ts';
import { API_KEY, DEFAULT_URL, PROJECTS } from './sandbox.ts';
import { heading, renderLine } from './terminal.ts';
import { waitForStop } from './wait-for-stop.ts';

/** What `sandbox/main.ts` tells a run. */
const runSchema = v.object({
  serverUrl: v.string(),
  token: v.string(),
  env: v.record(v.string(), v.string()),
});

const { entry, actionFile } = bundleOf('agent');

const names = Object.keys(readManifest(actionFile).inputs);

const usage = `npm run agent -- --prompt "…" runs the agent action against what npm run sandbox has started.

Options, each with a value, are the inputs of the action, which docs/reference.md explains:
  ${names.map((name) => `--${name}`).join('\n  ')}`;

/** Runs the agent action in `dist` against the sandbox that `npm run sandbox` has started. */
async function main(): Promise<void> {
  const args = process.argv.slice(2);
  if (asksForUsage(args)) {
    console.log(usage);
    return;
  }
  const given = readInputs(args);
  const inputs = {
    'base-url': DEFAULT_URL,
    'project-id': PROJECTS[0],
    'api-key': API_KEY,
    ...given,
  };
  requireSandboxUrl(inputs['base-url']);
  const run = await startRun(inputs['base-url'], JSON.stringify(given));
  const stop = new AbortController();
  void waitForStop('agent').then(() => stop.abort());
  // `head` closes the pipe once it has its lines.
  process.stdout.on('error', () => stop.abort());
  const view = logView();
  const { exitCode, outputs } = await runStep({
    entry,
    actionFile,
    inputs,
    context: {
      serverUrl: run.serverUrl,
      repository: DOCS_REPOSITORY,
      actor: 'maintainer',
      eventName: 'workflow_dispatch',
      token: run.token,
    },
    env: { ...run.env, GITHUB_WORKSPACE: process.env['INIT_CWD'] ?? process.cwd() },
    cancel: stop.signal,
    hasOwnGroup: true,
    onLine: (line) => {
      for (const shown of view(line)) console.log(renderLine(shown));
    },
  });
  const { GITHUB_RUN_ID: id, GITHUB_RUN_ATTEMPT: attempt } = run.env;
  console.log(heading(`Run ${id}, attempt ${attempt}: ${exitCode === 0 ? 'green' : 'red'}`));
  for (const [name, value] of Object.entries(outputs)) {
    console.log(`${name}=${value}`);
  }
  console.log('\nThe same command again is a re-run of this run. Any other one is a new run.');
  process.exitCode = exitCode ?? 1;
}

/** Every input of the action is an option. */
function readInputs(args: readonly string[]): Readonly<Record<string, string>> {
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]));
  const { values, positionals } = parseCommandLine(args, options);
  if (positionals.length > 0) {
    throw new Error(`${positionals.join(' ')} is not expected: every option begins with --`);
  }
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value]] : [],
    ),
  );
}

/** The sandbox's address has a scheme and no path, as `npm run sandbox` prints it. */
function requireSandboxUrl(text: string): void {
  const withScheme = /^https?:\/\//.test(text) ? text : `http://${text}`;
  const url = URL.parse(withScheme);
  if (url !== null && !isLoopback(url.hostname)) {
    throw new Error(
      `--base-url is "${text}", and npm run agent talks to the sandbox alone: leave it out, or write the address that npm run sandbox prints`,
    );
  }
  const meant = url?.origin ?? DEFAULT_URL;
  if (text.replace(/\/$/, '') !== meant) {
    throw new Error(`--base-url is "${text}": write ${meant}, as npm run sandbox prints it`);
  }
}

async function startRun(url: string, command: string): Promise<v.InferOutput<typeof runSchema>> {
  const key = createHash('sha256').update(command).digest('hex').slice(0, 12);
  // Unlike fetch, this blocks no ports.
  const response = await request(`${url}/runs/${key}`).catch(() => undefined);
  const text = await response?.body.text();
  if (response?.statusCode !== 200 || text === undefined) {
    throw new Error(
      `no sandbox listens on ${url}: start it with npm run sandbox in another terminal, or give the address of the one that runs with --base-url`,
    );
  }
  return v.parse(runSchema, JSON.parse(text));
}

try {
  await main();
} catch (error) {
  console.error(`Nothing was run: ${sentenceOf(error)}`);
  process.exitCode = 1;
}
