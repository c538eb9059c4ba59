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
import { ActionError, codeOf, inputError } from '../text/error.ts';
import { outputLine } from '../text/output.ts';
import { quoted } from '../text/plain.ts';
import { refuseOutside, resolveWorkspace } from './workspace.ts';

/** A file in the workspace that is replaced as a whole. */
interface OutputFile {
  /** Relative to the workspace, without symbolic links, with `/` as the separator. */
  readonly path: string;
  /**
   * Writes the text to a temporary file in the same folder, which then takes the place of an existing one.
   * @throws ActionError
   */
  write(text: string): Promise<void>;
}

/**
 * Checks that an output file can be written, and creates missing folders, before the step reads anything in vain.
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
  const refused = (problem: string, advice: string) =>
    inputError(input, `names ${quoted(path)}, which ${problem}`, advice);
  const unusable = (error: unknown): never => {
    throw refused(
      `cannot be written (${codeOf(error)})`,
      'give the path of a file in the workspace, in a folder that this step may write to',
    );
  };
  const root = await resolveWorkspace(workspace);
  const target = await followLinks(resolve(root, path)).catch(unusable);
  refuseOutside(root, target, input, path);
  const found = await stat(target).catch(() => undefined);
  const isFolder = found?.isDirectory() ?? /[/\\]$/u.test(path);
  if (isFolder || found?.isFile() === false) {
    throw refused(
      `is ${isFolder ? 'a folder' : 'not a regular file'}`,
      'give the path of a file, which does not have to exist yet',
    );
  }
  const shown = relative(root, target).split(sep).join('/');
  // The path becomes an output, so escaping must not change it.
  if (outputLine(shown) !== shown) {
    throw refused(
      'a later step could not print safely',
      'use a path without control and invisible characters, "##[", backslashes, and "::" at the beginning',
    );
  }
  const folder = dirname(target);
  await mkdir(folder, { recursive: true }).catch(unusable);
  await access(folder, constants.W_OK).catch(unusable);
  return {
    path: shown,
    async write(text) {
      const temporary = join(folder, `.${randomBytes(6).toString('hex')}.tmp`);
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

/** Like `realpath`, but the last parts of the path do not have to exist. */
async function followLinks(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    // Writing to a broken link would create its target.
    const isLink = (await lstat(path).catch(() => undefined))?.isSymbolicLink() ?? false;
    if (codeOf(error) !== 'ENOENT' || isLink || dirname(path) === path) {
      throw error;
    }
    return join(await followLinks(dirname(path)), basename(path));
  }
}
