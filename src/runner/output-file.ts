import { randomBytes } from 'node:crypto';
import {
  access,
  constants,
  lstat,
  mkdir,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { ActionError, inputError } from '../text/error.ts';
import { outputLine } from '../text/output.ts';
import { quoted } from '../text/plain.ts';
import { refuseOutside, resolveWorkspace } from './workspace.ts';

/** A file in the workspace that is replaced as a whole. */
export interface OutputFile {
  /** Relative to the workspace, without symbolic links, with `/` as the separator. */
  readonly path: string;
  /**
   * Writes the text to a temporary file in the same folder, which then takes the place of an existing one.
   * @throws ActionError
   */
  write(text: string): Promise<void>;
}

/**
 * Checks that an output file can be written, and creates missing folders, so that nothing is read in vain.
 *
 * @param input the input to name in errors
 * @param path relative to the workspace, or absolute
 * @throws ActionError if the path is a folder, is outside the workspace once symbolic links are resolved,
 *   is not safe as an output, or cannot be written to
 */
export async function openOutputFile(
  workspace: string,
  input: string,
  path: string,
): Promise<OutputFile> {
  const root = await resolveWorkspace(workspace);
  const target = await locate(root, input, path);
  const shown = relative(root, target).split(sep).join('/');
  refuseUnprintable(shown, input, path);
  await prepareFolder(dirname(target), input, path);
  return {
    path: shown,
    async write(text) {
      const temporary = join(dirname(target), `.${randomBytes(6).toString('hex')}.tmp`);
      try {
        await writeFile(temporary, text, { flag: 'wx' });
        await rename(temporary, target);
      } catch (error) {
        await rm(temporary, { force: true }).catch(() => {});
        throw new ActionError(
          'bad-input',
          `the file ${quoted(shown)} could not be written (${codeOf(error)})`,
          "check the free disk space and the file's permissions",
        );
      }
    },
  };
}

/** The path becomes an output, so escaping must not change it. */
function refuseUnprintable(shown: string, input: string, path: string): void {
  if (outputLine(shown) !== shown) {
    throw inputError(
      input,
      `names ${quoted(path)}, which a later step could not print safely`,
      'use a path without control and invisible characters, "##[", backslashes, and "::" at the beginning',
    );
  }
}

/** The absolute path with symbolic links resolved. */
async function locate(root: string, input: string, path: string): Promise<string> {
  const wanted = resolve(root, path);
  const target = await followLinks(wanted).catch((error: unknown) => {
    throw unusable(input, path, error);
  });
  refuseOutside(root, target, input, path);
  const found = await stat(target).catch(() => undefined);
  const isFolder = found?.isDirectory() ?? /[/\\]$/u.test(path);
  if (isFolder || found?.isFile() === false) {
    throw inputError(
      input,
      `names ${quoted(path)}, which is ${isFolder ? 'a folder' : 'not a regular file'}`,
      'give the path of a file, which does not have to exist yet',
    );
  }
  return target;
}

/** Like `realpath`, but the last parts of the path do not have to exist. */
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

/** Detects broken links, because writing to one would create its target. */
async function isLink(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  return found?.isSymbolicLink() ?? false;
}

async function prepareFolder(folder: string, input: string, path: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    await access(folder, constants.W_OK);
  } catch (error) {
    throw unusable(input, path, error);
  }
}

function unusable(input: string, path: string, error: unknown): ActionError {
  return inputError(
    input,
    `names ${quoted(path)}, which cannot be written (${codeOf(error)})`,
    'give the path of a file in the workspace, in a folder that this step may write to',
  );
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : 'unknown error';
}
