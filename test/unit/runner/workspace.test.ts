import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readWorkspaceText } from '../../../src/runner/workspace.ts';

let outside: string;
let workspace: string;
const limit = 10 * 1024 * 1024;

beforeAll(() => {
  outside = realpathSync(mkdtempSync(join(tmpdir(), 'workspace-')));
  workspace = join(outside, 'workspace');
  mkdirSync(join(workspace, 'modules', '.GIT'), { recursive: true });
  writeFileSync(join(outside, 'secret.txt'), 'secret');
  symlinkSync('../secret.txt', join(workspace, 'link.txt'));
  const texts = { 'bom.md': '\uFEFFDo.', '..dots': 'x', 'nul.txt': 'a\0', 'modules/.GIT/a': 'x' };
  for (const [name, text] of Object.entries(texts)) {
    writeFileSync(join(workspace, name), text);
  }
  writeFileSync(join(workspace, 'latin1.txt'), Buffer.from([0x66, 0xfc]));
  writeFileSync(join(workspace, 'large.txt'), Buffer.alloc(limit, 'x'));
  writeFileSync(join(workspace, 'huge.txt'), Buffer.alloc(limit + 1, 'x'));
});

afterAll(() => rmSync(outside, { recursive: true }));

const read = (path: string) => readWorkspaceText(workspace, 'prompt-file', path);

it('a text is read without its byte order mark, up to a limit', async () => {
  expect(await read('bom.md')).toBe('Do.');
  expect(await read(join(workspace, '..dots'))).toBe('x');
  expect((await read('large.txt')).length).toBe(limit);
});

it.each([
  [
    'none.md',
    'does not exist: give the path of a file in the workspace, and check that an earlier step checked it out or wrote it.',
  ],
  ['../secret.txt', 'is outside the workspace: give the path of a file inside it.'],
  ['link.txt', 'is outside the workspace: give the path of a file inside it.'],
  ['..', 'is outside the workspace: give the path of a file inside it.'],
  ['modules', 'is a folder: give the path of a file.'],
  ['/dev/null', 'is outside the workspace: give the path of a file inside it.'],
  ['modules/.GIT/a', 'is in a .git folder: give the path of another file in the workspace.'],
  ['huge.txt', 'has 10,485,761 bytes: the limit is 10,485,760.'],
  ['nul.txt', 'is not UTF-8 text: save the file as UTF-8 or name another one.'],
  ['latin1.txt', 'is not UTF-8 text: save the file as UTF-8 or name another one.'],
])('a text is not read from %s, which %s', async (path, problem) => {
  await expect(read(path)).rejects.toThrow(`Input prompt-file names "${path}", which ${problem}`);
});
