import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { repositoryFolder } from '../../scripts/bundle.ts';
import { repositoryName } from '../../scripts/repository-name.ts';
import type { Scenario } from '../scenario.ts';
import { trapCheckout } from '../trapped-checkout.ts';

const OURS = `${repositoryName()}@v1`;

/** The step that every workflow below has; inputs may follow. */
const ask = (prompt: string) => `
      - uses: ${OURS}
        with:
          prompt: '${prompt}'
          api-key: \${{ secrets.DOCS_API_KEY }}
          project-id: \${{ vars.DOCS_PROJECT_ID }}`;

interface Tried {
  readonly exitCode: number | null;
  readonly printed: string;
}

/**
 * Runs `npm run try`, but for npm.
 *
 * @param endAt the words at which it is told to end
 */
async function tryOut(
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  endAt?: string,
): Promise<Tried> {
  const script = join(repositoryFolder, 'rehearse/try.ts');
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', script, ...args],
    {
      cwd: repositoryFolder,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  if (endAt !== undefined) {
    child.stdout.on('data', (chunk) => String(chunk).includes(endAt) && child.kill('SIGTERM'));
  }
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [out, err, exitCode] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { exitCode, printed: out + err };
}

function has({ printed }: Tried, part: RegExp | string): void {
  const found = typeof part === 'string' ? printed.includes(part) : part.test(printed);
  assert.ok(found, `It does not say ${part}:\n${printed}`);
}

/** A checkout that waits to be run, or to be believed. */
async function playTrapped(base: string): Promise<void> {
  const path = '.github/workflows/docs.yml';
  const kinds = ['env', 'actrc', 'secrets', 'vars', 'input'];
  const read = ['env.FROM_ENV', 'env.FROM_ACTRC', 'secrets.FROM_SECRETS', 'vars.FROM_VARS'];
  const trapped = trapCheckout(base, {
    ...Object.fromEntries(kinds.map((kind) => [`.${kind}`, `FROM_${kind.toUpperCase()}=x\n`])),
    '.actrc': '--env FROM_ACTRC=x\n--env FROM_ENV=x\n',
    '.github/actionlint.yaml': 'no: setting\n',
    [path]: `name: Docs
on: { workflow_dispatch: { inputs: { FROM_INPUT: { default: '' } } } }
permissions: {}
jobs:
  docs:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v7
      - run: |
          echo "read: [${read.map((name) => `\${{ ${name} }}`).join('')}\${{ inputs.FROM_INPUT }}]"
          echo "files: $(ls -A | xargs)"
          echo "mine: [$A_TOKEN_OF_MINE]"
${ask('x [sandbox: no-change]')}`,
  });
  // Where gh is on the PATH, the folder of its name once was, too: that of the step.
  trapped.trap(join(trapped.folder, 'xargs'), 'a program of the checkout');
  trapped.trap(join(base, 'bin/gh'), 'gh');
  const tried = await tryOut([join(trapped.folder, path)], {
    ...trapped.env,
    A_TOKEN_OF_MINE: 'x',
    PATH: [join(base, 'bin'), '.', process.env['PATH']].join(delimiter),
  });
  assert.equal(tried.exitCode, 0, tried.printed);
  has(tried, /\| read: \[\]$/m);
  has(tried, /\| mine: \[\]$/m);
  has(tried, /\| files: \.actrc \.env \.git .* xargs$/m);
  assert.deepEqual(
    trapped.sprung().filter((name) => name !== 'gh'),
    [],
  );
}

/** What cannot be played is left out, and said; a re-run is the same run once more. */
async function playWhole(base: string): Promise<void> {
  const path = join(base, 'whole.yml');
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
${ask('{{event.comment.body}} [sandbox: slow 9s]')}
          wait-minutes: 0
          docs-token: \${{ steps.app.outputs.token }}
      - uses: actions/upload-artifact@v4
`,
  );
  const tried = await tryOut([path, '--secret', 'GIVEN=this', '--attempt', '2', '--as', 'writer']);
  assert.equal(tried.exitCode, 0, tried.printed);
  has(tried, '━━ Writer comments on acme/product#1: /docs');
  has(tried, '  acme/token@v2, so that its output token is empty\n');
  has(tried, '  actions/checkout@v7 (of acme/other)\n');
  has(tried, '  secrets.CHAT (--secret CHAT=… gives it one)\n');
  for (const attempt of [1, 2]) {
    has(tried, `| attempt ${attempt} of 1 for [***] and []; .git .github\n`);
  }
  has(tried, 'npm run try leaves actions/upload-artifact@v4 out');
  has(tried, 'Waiting for what comes of it, which takes up to 9 s …\n');
  has(tried, '━━ Green: 2 jobs, 2 pull requests, 1 comment\n');
}

async function playBroken(base: string): Promise<void> {
  const path = join(base, 'broken.yml');
  const jobs = "jobs: { docs: { if: github.event.label.name = 'docs', runs-on: ubuntu-latest,";
  writeFileSync(
    path,
    `on: { issues: { types: [labeled] } }\n${jobs} steps: [{ uses: ${OURS} }] } }`,
  );
  const tried = await tryOut([path]);
  assert.equal(tried.exitCode, 1);
  has(
    tried,
    /^Nothing was tried: .*broken\.yml is broken, says actionlint:\n {2}line 2, column \d+: /,
  );
}

/** Whoever ends it leaves nothing behind. */
async function playEnded(base: string): Promise<void> {
  const path = join(base, 'long.yml');
  const steps = ask('x [sandbox: slow 90s]');
  writeFileSync(
    path,
    `on: release\njobs:\n  docs:\n    runs-on: ubuntu-latest\n    steps:${steps}\n`,
  );
  const tried = await tryOut([path], { TMPDIR: base }, 'It is active.');
  assert.equal(tried.exitCode, 1);
  has(tried, 'The try was not finished: somebody ended it.\n');
  assert.deepEqual(readdirSync(base), ['long.yml']);
}

/** `npm run try` itself. */
export const tryScenario: Scenario = {
  workflows: ['rehearse/try.ts'],
  async play() {
    for (const play of [playTrapped, playWhole, playBroken, playEnded]) {
      const base = mkdtempSync(join(tmpdir(), 'try-'));
      try {
        await play(base);
      } finally {
        rmSync(base, { recursive: true, force: true });
      }
    }
  },
};
