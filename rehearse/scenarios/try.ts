import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { inRepository, repositoryFolder, repositoryName } from '../../scripts/actions.ts';
import type { Scenario } from './scenario.ts';

const OURS = `${repositoryName()}@v1`;

/** The step that every workflow below has. More inputs can be appended. */
const agentStep = (prompt: string) => `
      - uses: ${OURS}
        with:
          prompt: '${prompt}'
          api-key: \${{ secrets.DOCS_API_KEY }}
          project-id: \${{ vars.DOCS_PROJECT_ID }}`;

const script = inRepository('rehearse/try/main.ts');

interface TryResult {
  readonly exitCode: number | null;
  readonly printed: string;
}

/**
 * Does what `npm run try` does, without npm.
 *
 * @param stopAt the text in its output at which it gets SIGTERM
 */
async function runTry(
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  stopAt?: string,
): Promise<TryResult> {
  const child = spawn(process.execPath, [script, ...args], {
    cwd: repositoryFolder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (stopAt !== undefined) {
    child.stdout.on('data', (chunk) => String(chunk).includes(stopAt) && child.kill('SIGTERM'));
  }
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [out, err, exitCode] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { exitCode, printed: out + err };
}

function assertPrinted({ printed }: TryResult, part: RegExp | string): void {
  const found = typeof part === 'string' ? printed.includes(part) : part.test(printed);
  assert.ok(found, `The output does not have ${part}:\n${printed}`);
}

/** Files from which act, actionlint and git would read settings. */
const settings = {
  '.env': 'FROM_ENV=x\n',
  '.secrets': 'FROM_SECRETS=x\n',
  '.vars': 'FROM_VARS=x\n',
  '.input': 'FROM_INPUT=x\n',
  '.actrc': '--env FROM_ACTRC=x\n--env FROM_ENV=x\n',
  '.github/actionlint.yaml': 'no: setting\n',
};

/** The files of a checkout are there, but none of them is used as a setting. */
async function tryCheckout(base: string): Promise<void> {
  const path = '.github/workflows/docs.yml';
  const read = ['env.FROM_ENV', 'env.FROM_ACTRC', 'secrets.FROM_SECRETS', 'vars.FROM_VARS'];
  const workflow = `name: Docs
on: { workflow_dispatch: { inputs: { FROM_INPUT: { default: '' } } } }
permissions: { contents: read }
jobs:
  docs:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v7
      - run: |
          echo "read: [${read.map((name) => `\${{ ${name} }}`).join('')}\${{ inputs.FROM_INPUT }}]"
          echo "files: $(ls -A | xargs)"
          echo "mine: [$A_TOKEN_OF_MINE]"
${agentStep('x [sandbox: no-change]')}`;
  for (const [name, text] of Object.entries({ ...settings, [path]: workflow })) {
    mkdirSync(dirname(join(base, name)), { recursive: true });
    writeFileSync(join(base, name), text);
  }
  execFileSync('git', ['init', '--quiet'], { cwd: base });
  const tried = await runTry([join(base, path)], { A_TOKEN_OF_MINE: 'x' });
  assert.equal(tried.exitCode, 0, tried.printed);
  assertPrinted(tried, /\| read: \[\]$/m);
  assertPrinted(tried, /\| mine: \[\]$/m);
  assertPrinted(tried, /\| files: \.actrc \.env \.git \.github \.input \.secrets \.vars$/m);
}

/** Parts that cannot be run are skipped with a note, and a re-run continues with the job. */
async function tryComplete(base: string): Promise<void> {
  const path = join(base, 'complete.yml');
  writeFileSync(
    path,
    `name: Docs
on: { issue_comment: { types: [created] } }
permissions: {}
jobs:
  docs:
    if: startsWith(github.event.comment.body, '/docs')
    runs-on: [self-hosted, ours]
    permissions: { issues: write }
    steps:
      - uses: actions/checkout@v7
        with: { ref: next }
      - uses: actions/checkout@v7
        with: { repository: acme/other }
      - run: echo "attempt $GITHUB_RUN_ATTEMPT of $GITHUB_RUN_ID for [$GIVEN] and [$CHAT]; $(ls -A | xargs)"
        env: { GIVEN: '\${{ secrets.GIVEN }}', CHAT: '\${{ secrets.CHAT }}' }
      - { id: app, uses: acme/token@v2 }
${agentStep('{{event.comment.body}} [sandbox: slow 9s]')}
          wait-minutes: 0
          docs-token: \${{ steps.app.outputs.token }}
      - uses: actions/upload-artifact@v4
`,
  );
  const tried = await runTry([path, '--secret', 'GIVEN=this', '--attempt', '2', '--as', 'writer']);
  assert.equal(tried.exitCode, 0, tried.printed);
  assertPrinted(tried, '━━ writer comments on acme/product#1: /docs');
  assertPrinted(tried, 'Third-party actions are skipped, so their outputs are empty:\n');
  assertPrinted(tried, '  acme/token@v2\n');
  assertPrinted(tried, '  actions/checkout@v7 (of acme/other)\n');
  assertPrinted(tried, '  secrets.CHAT (set it with --secret CHAT=…)\n');
  for (const attempt of [1, 2]) {
    assertPrinted(tried, `| attempt ${attempt} of 101 for [***] and []; .git .github `);
  }
  assertPrinted(tried, 'npm run try skips actions/upload-artifact@v4');
  assertPrinted(tried, '━━ Green: 1 agent job with 1 pull request, 1 comment\n');
}

async function tryBroken(base: string): Promise<void> {
  const path = join(base, 'broken.yml');
  const jobs = "jobs: { docs: { if: github.event.label.name = 'docs', runs-on: ubuntu-latest,";
  writeFileSync(
    path,
    `on: { issues: { types: [labeled] } }\n${jobs} steps: [{ uses: ${OURS}, with: { prompt: x, api-key: x, project-id: x } }] } }`,
  );
  const tried = await runTry([path]);
  assert.equal(tried.exitCode, 1);
  assertPrinted(tried, /^Nothing was run: .*broken\.yml has errors:\n {2}line 2, column \d+: /);
}

/** Mistakes in a step of ours, and in YAML. */
async function tryMisspelt(base: string): Promise<void> {
  const path = join(base, 'misspelt.yml');
  const steps = `${agentStep('x')}\n          fail_on: none`;
  writeFileSync(
    path,
    `on: release\njobs:\n  docs:\n    runs-on: ubuntu-latest\n    steps:${steps}\n`,
  );
  const tried = await runTry([path]);
  assert.equal(tried.exitCode, 1);
  assertPrinted(
    tried,
    /^Nothing was run: .*misspelt\.yml has errors:\n {2}line 11, column 11: input "fail_on" is not defined in action "Docs agent" .* "fail-on",/,
  );
  const named = await runTry(['issue-label']);
  assertPrinted(named, 'issue-label does not exist: the example is examples/issue-label.yml.\n');
  writeFileSync(
    path,
    `on: release\njobs:\n  docs:\n    steps:${agentStep('x').replace("'x'", 'Fix: it')}\n`,
  );
  const unquoted = await runTry([path]);
  assertPrinted(
    unquoted,
    /^Nothing was run: .*misspelt\.yml has errors:\n {2}line 7, .*: put a value that has ": " in it in quotes\n$/,
  );
}

/** A field that a made-up event lacks may be in GitHub's. A given event is taken at its word. */
async function tryFieldOfNoEvent(base: string): Promise<void> {
  const path = join(base, 'field.yml');
  const event = join(base, 'event.json');
  const steps = agentStep('{{event.release.discussion_url}}');
  writeFileSync(
    path,
    `on: release\njobs:\n  docs:\n    runs-on: ubuntu-latest\n    steps:${steps}\n`,
  );
  writeFileSync(event, JSON.stringify({ action: 'published', release: {} }));
  const note = "This event is made up, and smaller than GitHub's: ";
  const tried = await runTry([path]);
  assert.equal(tried.exitCode, 1);
  assertPrinted(tried, note);
  const given = await runTry([path, '--event', event]);
  assertPrinted(given, "does not exist in this event's payload");
  assert.ok(!given.printed.includes(note), given.printed);
}

/** When it is interrupted, or nothing reads its output any more, it removes all its files. */
async function tryInterrupted(base: string): Promise<void> {
  const path = join(base, 'long.yml');
  const steps = agentStep('x [sandbox: slow 90s]');
  writeFileSync(
    path,
    `on: release\njobs:\n  docs:\n    runs-on: ubuntu-latest\n    steps:${steps}\n`,
  );
  const tried = await runTry([path], { TMPDIR: base }, 'started job');
  assert.equal(tried.exitCode, 1);
  assertPrinted(tried, 'The run did not finish: it was interrupted.\n');
  assert.deepEqual(readdirSync(base), ['long.yml']);

  execFileSync('sh', ['-c', '"$0" "$1" "$2" | head -n 1', process.execPath, script, path], {
    env: { ...process.env, TMPDIR: base },
    stdio: 'ignore',
  });
  assert.deepEqual(readdirSync(base), ['long.yml']);
}

/** A workflow with a step of ours that gets these further inputs. */
const workflowWith = (permissions: string, inputs: readonly string[]) => `name: Docs
on: { issues: { types: [labeled] } }
permissions: ${permissions}
jobs:
  docs:
    runs-on: ubuntu-latest
    steps:${agentStep('x')}
${inputs.map((line) => `          ${line}`).join('\n')}
`;

/** The workflow's token may do what the file says, and nothing in the docs repository. */
async function tryPermissions(base: string): Promise<void> {
  const path = join(base, 'permissions.yml');
  writeFileSync(path, workflowWith('{}', ['comment: true']));
  const silent = await runTry([path]);
  assertPrinted(silent, 'responded with 403 ("Resource not accessible by integration")');
  assertPrinted(silent, '━━ Green: 1 agent job with 1 pull request, 0 comments\n');

  const label = ['pr-label: docs', 'docs-repository: acme/docs', 'on-open-pr: continue'];
  writeFileSync(path, workflowWith('write-all', label));
  const blind = await runTry([path]);
  assertPrinted(blind, 'acme/docs could not be read, because GitHub responded with 404');
  assertPrinted(blind, '━━ Red: 0 agent jobs, 1 comment\n');

  writeFileSync(path, workflowWith('write-all', [...label, 'docs-token: token-of-stranger']));
  const reader = await runTry([path]);
  assertPrinted(reader, '━━ What a visitor of acme/docs#1 sees\n\nDocs: x (open)\n');
}

/** The recommended workflows of a docs repository, each with no warning of its own. */
async function tryDocs(): Promise<void> {
  const weekly = await runTry([...example('weekly-refresh'), '--rounds', '2']);
  assertPrinted(
    weekly,
    /^This checkout is used instead of [^\n]*\nIt is tried in acme[^\n]*\n\n\[/m,
  );
  assertPrinted(weekly, /\(open, label docs-refresh\)\n┌ github-actions\[bot\]\n/);
  assertPrinted(weekly, '━━ Green: 1 agent job with 1 pull request, 1 follow-up, 1 comment\n');

  const review = await runTry(example('review-comment'));
  assertPrinted(review, '━━ maintainer comments on acme/docs#1: /docs Mention --watch');
  assertPrinted(review, /POST \S*\/message → 200\n/);
  assertPrinted(review, '━━ Green: 0 agent jobs, 1 follow-up, 1 comment\n');

  const check = await runTry([...example('check-agent-pulls'), '--rounds', '2']);
  assertPrinted(check, '━━ docs-agent[bot] opens the pull request acme/docs#1\n');
  assertPrinted(check, '━━ docs-agent[bot] pushes to the pull request acme/docs#1\n');
  assertPrinted(check, /\(open, label docs-agent\)\n┌ github-actions\[bot\]\n/);
}

/** One repository for product and docs: a green round is the last success of the next one. */
async function tryOneRepository(base: string): Promise<void> {
  const path = join(base, 'push.yml');
  const steps = `${agentStep('{{changes}}').replace('vars', 'secrets')}
          changes-since: last-success
          pr-label: docs
          on-open-pr: continue`;
  writeFileSync(
    path,
    `on: push\npermissions: write-all\njobs:\n  docs:\n    runs-on: ubuntu-latest\n    steps:${steps}\n`,
  );
  const tried = await runTry([path, '--rounds', '2']);
  assertPrinted(tried, 'It is tried in acme/docs, because ');
  assert.equal(tried.printed.split('has succeeded yet').length, 2, tried.printed);
  assertPrinted(tried, '━━ Green: 1 agent job with 1 pull request, 1 follow-up, 1 comment\n');
}

/** A false condition is explained, with the values that it reads. */
async function tryCondition(base: string): Promise<void> {
  const path = join(base, 'condition.yml');
  writeFileSync(
    path,
    `on: { pull_request: { types: [closed] } }
permissions: {}
jobs:
  docs:
    runs-on: ubuntu-latest
    steps:${agentStep('x [sandbox: no-change]')}
        id: docs
      - { name: Merge, if: steps.docs.outputs.pr-link, run: exit 1 }
`,
  );
  const tried = await runTry([path]);
  assert.equal(tried.exitCode, 0, tried.printed);
  assertPrinted(tried, '━━ maintainer merges the pull request acme/product#4\n');
  assertPrinted(
    tried,
    /The step Merge did not run, .*:\n {2}if: \S+\n {4}steps\.docs\.outputs\.pr-link is empty\n/,
  );
}

/** README's next step, with a link to the local GitHub, as `gh` takes it. */
async function tryGh(base: string): Promise<void> {
  const path = join(base, 'gh.yml');
  writeFileSync(
    path,
    `on: { issues: { types: [labeled] } }
permissions: { issues: write }
jobs:
  docs:
    runs-on: ubuntu-latest
    steps:${agentStep('x')}
        id: docs
      - run: gh pr edit "$LINK" --add-reviewer octocat
        env: { LINK: '\${{ steps.docs.outputs.pr-link }}', GH_TOKEN: token-of-writer }
`,
  );
  const tried = await runTry([path]);
  assertPrinted(tried, 'Document the --watch flag (open, label docs)\n');
  assertPrinted(tried, 'Docs: x (open, review by octocat)\n');
  assertPrinted(tried, '━━ Green: 1 agent job with 1 pull request, 1 comment\n');
}

function example(name: string): readonly string[] {
  return [inRepository(`examples/${name}.yml`)];
}

/** The check judges what a checkout's branch has beyond its main branch. */
async function tryChange(base: string): Promise<void> {
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
      cwd: base,
    });
  cpSync(inRepository('sandbox/docs'), base, { recursive: true });
  git('init', '--quiet', '--initial-branch', 'main');
  git('add', '.');
  git('commit', '--quiet', '--message', 'Begin');
  git('checkout', '--quiet', '-b', 'shorter');
  git('rm', '--quiet', 'guides/deploy.mdx');
  git('commit', '--quiet', '--message', 'Shorten the docs');
  writeFileSync(join(base, 'later.mdx'), 'Not committed.');
  const [path = ''] = example('check-agent-pulls');
  const tried = await runTry([path, '--change', base]);
  assert.equal(tried.exitCode, 1);
  assertPrinted(tried, /opens a pull request with [0-9a-f]{7}, Shorten the docs\n/);
  assertPrinted(tried, 'What is not committed is left out, such as later.mdx: ');
  assertPrinted(tried, /━━ Red: 0 agent jobs, 1 comment\n/);
  assertPrinted(tried, /Shorten the docs \(open\)\n┌ github-actions\[bot\]\n│ .*Blocked/);
}

async function tryAll(tests: readonly ((base: string) => Promise<void>)[]): Promise<void> {
  for (const test of tests) {
    const base = mkdtempSync(join(tmpdir(), 'try-'));
    try {
      await test(base);
    } finally {
      rmSync(base, { recursive: true, force: true });
    }
  }
}

/** `npm run try` itself. */
export const tryMistakes: Scenario = {
  workflows: ['npm run try'],
  shows:
    'Mistakes are named before anything runs, and what cannot run here is skipped with a note.',
  run: () =>
    tryAll([tryCheckout, tryComplete, tryBroken, tryMisspelt, tryFieldOfNoEvent, tryInterrupted]),
};

export const tryRecommended: Scenario = {
  workflows: ['npm run try of the docs repository'],
  shows:
    'Second rounds, one repository, a /docs comment, a review by gh, the check, and a token that may too little.',
  run: () => tryAll([tryPermissions, tryOneRepository, tryCondition, tryGh, tryDocs, tryChange]),
};
