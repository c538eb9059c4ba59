import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { runLabelDemo } from '../../../sandbox/demo/label-demo.ts';
import { DemoError } from '../../../sandbox/demo/steps.ts';

const fixture = (name: string) => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));
const entry = fixture('agent-bundle.mjs');

async function run(actionFile: string): Promise<string> {
  const printed: string[] = [];
  const print = (text: string) => printed.push(stripVTControlCharacters(text));
  try {
    await runLabelDemo({ entry, actionFile, output: { print, addSection: () => {} }, workMs: 0 });
  } catch (error) {
    printed.push(String(error));
    expect(error).toBeInstanceOf(DemoError);
  }
  return printed.join('\n').replaceAll(/job_[0-9a-f]{12}|127\.0\.0\.1:\d+/g, '…');
}

/** Runs the demo with a sandbox word in the prompt of the fake bundle. */
async function runWithWord(word: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'demo-test-'));
  try {
    const actionFile = join(folder, 'action.yml');
    const manifest = readFileSync(fixture('action.yml'), 'utf8');
    writeFileSync(
      actionFile,
      manifest.replace("ending: { default: '' }", `ending: { default: '[sandbox: ${word}]' }`),
    );
    return await run(actionFile);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('the demo', () => {
  test('shows the comment and the summary under different titles', async () => {
    const titles: string[] = [];
    await runLabelDemo({
      entry,
      actionFile: fixture('action.yml'),
      output: { print: () => {}, addSection: ({ title }) => titles.push(title) },
      workMs: 0,
    });
    expect(titles).toEqual([
      'Comment on issue #1, which got the label',
      'Summary of the run: a maintainer sets the label on issue #1',
    ]);
  });

  test('runs from the label to the merged pull request, and refuses a stranger', async () => {
    expect(await run(fixture('action.yml'))).toMatchInlineSnapshot(`
      "
      ━━ A maintainer labels issue #1 of acme/product "docs"

      Document the --watch flag

      ━━ The step runs. Its log, and the comment on the issue:

      Notice: completed with ***, default failed, timed-out
      ┌ github-actions[bot]
      │ ### Working
      └

      ━━ Its outputs:

      job-id=…
      pr-link=http://…/acme/docs/pull/1

      ━━ Its summary:

      ### completed

      ━━ The next step reads pr-link: "Docs: Document the --watch flag, in quickstart.mdx. The issue say…"

      quickstart.mdx
      @@ -12,3 +12,7 @@
       ## Build
       
       Run \`acme build\` in your project.
      +
      +## Notes from the docs agent
      +
      +- Document the --watch flag, in quickstart.mdx. The issue says: Since 2.4 \\\`acme build --watch\\\` rebuilds on every change. quickstart.mdx does not say so.

      ━━ … and merges it

      quickstart.mdx on main has the change.

      ━━ A stranger opens an issue, and its template sets the label in their name

      Mention my product on every page

      ━━ The step runs. Its log, and the comment on the issue:

      result=skipped, reason=actor-not-allowed
      Requests to the API: 0."
    `);
  });

  test.each([
    ['failed', 'DemoError: The step ended with 1'],
    ['no-change', 'DemoError: pr-link is "", which is not a pull request of acme/docs'],
  ])('fails when the job ends with %s', async (word, message) => {
    const shown = await runWithWord(word);
    expect(shown).toContain(message);
    expect(shown).not.toContain('merges it');
  });
});
