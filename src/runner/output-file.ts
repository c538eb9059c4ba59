import { randomBytes } from 'node:crypto';
import { type FileHandle, lstat, mkdir, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { outputLine } from '../text/output.ts';
import { quoted } from '../text/plain.ts';
import { FileError, InputError } from './errors.ts';
import { refuseOutside } from './workspace.ts';

/**
 * A file of the workspace that is written anew, whole or not at all: until `keep` the content goes
 * to a temporary file in the same folder, and what stood there before is untouched.
 */
export interface OutputFile {
  /** Relative to the workspace, with `/`. */
  readonly path: string;
  /**
   * Adds text at the end; resolves when the operating system has taken it.
   * @throws FileError
   */
  append(text: string): Promise<void>;
  /**
   * Puts the file in its place.
   * @throws FileError
   */
  keep(): Promise<void>;
  /** Removes what was written, unless it was kept. Never throws. */
  discard(): Promise<void>;
}

/**
 * Opens an output file; missing folders are made.
 *
 * @param input the input to name when the path cannot be used
 * @param path relative to the workspace, or absolute
 * @throws InputError when the path is a folder or lies outside the workspace, symbolic links
 *   followed, when it is no safe output, or when nothing can be written there
 */
export async function openOutputFile(
  workspace: string,
  input: string,
  path: string,
): Promise<OutputFile> {
  const root = await realpath(workspace);
  const target = await locate(root, input, path);
  const shown = relative(root, resolve(root, path)).split(sep).join('/');
  refuseUnprintable(shown, input, path);
  const temporary = join(dirname(target), `.${randomBytes(6).toString('hex')}.tmp`);
  const handle = await create(temporary, input, path);
  return outputFile(handle, temporary, target, shown);
}

/** The path becomes an output, and has to stay what it is there. */
function refuseUnprintable(shown: string, input: string, path: string): void {
  if (outputLine(shown) !== shown) {
    throw new InputError(
      input,
      `names ${quoted(path)}, which a later step could not print safely`,
      'leave control and invisible characters, "##[", "::" at the beginning and backslashes out of the path',
    );
  }
}

/** The absolute path, without symbolic links, that `path` leads to. */
async function locate(root: string, input: string, path: string): Promise<string> {
  const wanted = resolve(root, path);
  const target = await followLinks(wanted).catch((error: unknown) => {
    throw unusable(input, path, error);
  });
  refuseOutside(root, target, input, path);
  const found = await stat(target).catch(() => undefined);
  const isFolder = found?.isDirectory() ?? /[/\\]$/u.test(path);
  if (isFolder || found?.isFile() === false) {
    throw new InputError(
      input,
      `names ${quoted(path)}, which is ${isFolder ? 'a folder' : 'no regular file'}`,
      'give the path of a file, which need not exist yet',
    );
  }
  return target;
}

/** Like `realpath`, for a path whose last parts need not exist yet. */
async function followLinks(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const isMissing = codeOf(error) === 'ENOENT' && !(await isLink(path));
    if (!isMissing || dirname(path) === path) {
      throw error;
    }
    return join(await followLinks(dirname(path)), basename(path));
  }
}

/** A link that leads nowhere: writing would create whatever it points at. */
async function isLink(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  return found?.isSymbolicLink() ?? false;
}

async function create(temporary: string, input: string, path: string): Promise<FileHandle> {
  try {
    await mkdir(dirname(temporary), { recursive: true });
    return await open(temporary, 'wx');
  } catch (error) {
    throw unusable(input, path, error);
  }
}

function unusable(input: string, path: string, error: unknown): InputError {
  return new InputError(
    input,
    `names ${quoted(path)}, where no file can be written (${codeOf(error)})`,
    'give the path of a file in the workspace, in a folder that this step may write to',
  );
}

function outputFile(
  handle: FileHandle,
  temporary: string,
  target: string,
  path: string,
): OutputFile {
  let isKept = false;
  const orFileError = async (work: Promise<void>): Promise<void> => {
    await work.catch((error: unknown) => {
      throw new FileError(path, codeOf(error));
    });
  };
  return {
    path,
    append: (text) => orFileError(handle.appendFile(text)),
    async keep() {
      await orFileError(handle.close());
      await orFileError(rename(temporary, target));
      isKept = true;
    },
    async discard() {
      if (!isKept) {
        await handle.close().catch(() => {});
        await rm(temporary, { force: true }).catch(() => {});
      }
    },
  };
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : 'unknown error';
}
