import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { openOutputFile } from '../../../src/runner/output-file.ts';

let outside: string;
let workspace: string;

beforeEach(() => {
  outside = realpathSync(mkdtempSync(join(tmpdir(), 'output-file-')));
  onTestFinished(() => rmSync(outside, { recursive: true }));
  workspace = join(outside, 'workspace');
  mkdirSync(join(workspace, 'folder'), { recursive: true });
  writeFileSync(join(workspace, 'old.csv'), 'old');
});

const open = (path: string) => openOutputFile(workspace, 'output-file', path);
const read = (path: string) => readFileSync(join(workspace, path), 'utf8');

/** Everything below the workspace, files and folders. */
const tree = () => readdirSync(workspace, { recursive: true, encoding: 'utf8' }).sort();

describe('an output file', () => {
  it('replaces the old one when it is written, not earlier', async () => {
    const file = await open('old.csv');
    expect([tree(), read('old.csv')]).toEqual([['folder', 'old.csv'], 'old']);
    await file.write('new text');
    expect(read('old.csv')).toBe('new text');
    expect(tree()).toEqual(['folder', 'old.csv']);
  });

  it.each([
    ['a/b/new.csv', 'a/b/new.csv'],
    ['./folder/../old.csv', 'old.csv'],
    ['..dots.csv', '..dots.csv'],
    ['a/::b  c/größe #1 [x] 🚀.csv', 'a/::b  c/größe #1 [x] 🚀.csv'],
  ])('makes the folders of %s', async (path, shown) => {
    const file = await open(path);
    await file.write('x');
    expect(file.path).toBe(shown);
    expect(read(shown)).toBe('x');
  });

  it.each(['link', 'real'])(
    'is relative to a workspace behind a link, named by its %s path',
    async (name) => {
      symlinkSync('workspace', join(outside, 'link'));
      const [link, real] = [join(outside, 'link'), workspace];
      const file = await openOutputFile(
        link,
        'output-file',
        join({ link, real }[name] ?? '', 'new.csv'),
      );
      await file.write('x');
      expect(file.path).toBe('new.csv');
      expect(read('new.csv')).toBe('x');
    },
  );

  it('is written through links that stay inside', async () => {
    symlinkSync('folder', join(workspace, 'link'));
    symlinkSync('old.csv', join(workspace, 'link.csv'));
    for (const path of ['link/new.csv', 'link.csv']) {
      const file = await open(path);
      await file.write(path);
    }
    expect(read('folder/new.csv')).toBe('link/new.csv');
    expect(read('old.csv')).toBe('link.csv');
  });
});

describe('an invalid path', () => {
  it.each([
    ['../out.csv', 'outside the workspace'],
    ['/tmp/out.csv', 'outside the workspace'],
    ['link-out/new.csv', 'outside the workspace'],
    ['link-out/sub/new.csv', 'outside the workspace'],
    ['link.csv', 'outside the workspace'],
    ['dangling.csv', 'which cannot be written (ENOENT)'],
    ['circle/new.csv', 'which cannot be written (ELOOP)'],
    ['folder', 'a folder'],
    ['folder/', 'a folder'],
    ['new/', 'a folder'],
    ['.', 'a folder'],
    ['old.csv/new.csv', 'which cannot be written (ENOTDIR)'],
    ['.git/hooks/pre-commit', 'in a .git folder'],
    [`${'x'.repeat(300)}.csv`, 'which cannot be written (ENAMETOOLONG)'],
    ['new\n::error::.csv', 'could not print safely'],
    ['##[error].csv', 'could not print safely'],
    ['::error::.csv', 'could not print safely'],
    ['sub/a\u202e.csv', 'could not print safely'],
  ])('%s', async (path, problem) => {
    symlinkSync(outside, join(workspace, 'link-out'));
    symlinkSync(join(outside, 'target.csv'), join(workspace, 'dangling.csv'));
    symlinkSync('circle', join(workspace, 'circle'));
    writeFileSync(join(outside, 'secret.csv'), 'secret');
    symlinkSync(join(outside, 'secret.csv'), join(workspace, 'link.csv'));
    const before = tree();
    await expect(open(path)).rejects.toThrow(problem);
    expect(tree()).toEqual(before);
    expect(readFileSync(join(outside, 'secret.csv'), 'utf8')).toBe('secret');
  });

  // Named pipes are different on Windows.
  it.skipIf(process.platform === 'win32')('a socket', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(workspace, 'socket'), resolve));
    onTestFinished(() => void server.close());
    await expect(open('socket')).rejects.toThrow('names "socket", which is not a regular file');
  });

  it.runIf(process.platform === 'linux')('a folder where nobody may write', async () => {
    // No one can write to /proc, not even root, which tests in a container run as.
    const opened = openOutputFile('/proc/self', 'output-file', 'new.csv');
    await expect(opened).rejects.toThrow('names "new.csv", which cannot be written (E');
  });
});

describe('a file that cannot be finished', () => {
  it('because a folder with its name was created in the meantime', async () => {
    const file = await open('new.csv');
    mkdirSync(join(workspace, 'new.csv'));
    await expect(file.write('new')).rejects.toThrow(
      /^The file "new\.csv" could not be written \(E\w+\): check the free disk space/,
    );
    expect(tree()).toEqual(['folder', 'new.csv', 'old.csv']);
  });
});
