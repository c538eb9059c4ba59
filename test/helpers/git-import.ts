import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { MemoryStore } from '../../sandbox/github/git/memory-store.ts';

/**
 * Writes the commits of a repository in memory to a bare one, by git itself. Its HEAD is the last one.
 * Removed after the test.
 */
export async function importIntoGit(store: MemoryStore): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'stand-in-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  await git(['init', '--quiet', '--bare', folder], '');
  const chunks: (string | Buffer)[] = [];
  for (const commit of store.commits) {
    const { name, email } = commit.author;
    const seconds = Date.parse(commit.committedAt) / 1000;
    chunks.push(
      `commit refs/heads/c-${commit.sha}\noriginal-oid ${commit.sha}\n`,
      `author ${name} <${email}> ${seconds} +0000\n`,
      `committer ${name} <${email}> ${seconds} +0000\n`,
      data(commit.message),
      ...commit.parents.map((parent, index) => {
        return `${index === 0 ? 'from' : 'merge'} refs/heads/c-${parent}\n`;
      }),
      'deleteall\n',
    );
    for (const { path, mode, sha } of (await store.tree(commit.sha)) ?? []) {
      const content = await store.blob(sha);
      if (mode === '160000') {
        chunks.push(`M ${mode} ${sha} ${path}\n`);
      } else if (mode !== '040000') {
        chunks.push(`M ${mode} inline ${path}\n`, data(content ?? Buffer.alloc(0)));
      }
    }
  }
  await git(['-C', folder, 'fast-import', '--quiet'], Buffer.concat(chunks.map(bytes)));
  const last = store.commits.at(-1)?.sha ?? '';
  await git(['-C', folder, 'symbolic-ref', 'HEAD', `refs/heads/c-${last}`], '');
  return folder;
}

function bytes(chunk: string | Buffer): Buffer {
  return Buffer.from(chunk);
}

function data(content: string | Buffer): Buffer {
  const length = Buffer.byteLength(content);
  return Buffer.concat([Buffer.from(`data ${length}\n`), bytes(content), Buffer.from('\n')]);
}

async function git(args: readonly string[], input: string | Buffer): Promise<void> {
  const child = spawn('git', args, { stdio: ['pipe', 'ignore', 'pipe'] });
  let problem = '';
  child.stderr.on('data', (chunk) => {
    problem += chunk;
  });
  // git may end without reading it; its exit code tells whether that is an error.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const [code] = await once(child, 'close');
  if (code !== 0) {
    throw new Error(`git ${args.join(' ')} failed: ${problem}`);
  }
}
