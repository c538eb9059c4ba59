import { readFile, realpath, stat } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { inputError, variableError } from '../text/error.ts';
import { grouped } from '../text/number.ts';
import { counted, quoted } from '../text/plain.ts';

/** Far larger than any reasonable prompt. A wrong path must not use up the memory. */
const maxTextBytes = 10 * 1024 * 1024;

/**
 * Reads a UTF-8 text file in the workspace, without its byte order mark.
 *
 * Symbolic links are resolved before the path is checked. Files in `.git` are refused, because they can
 * contain the checkout's token, and the path can come from a stranger's text.
 *
 * @param input the input to name in errors
 * @param path relative to the workspace, or absolute
 * @throws ActionError if the file or the workspace is missing, or if the file is not a regular file, outside
 *   the workspace, too large or not UTF-8
 */
export async function readWorkspaceText(
  workspace: string,
  input: string,
  path: string,
): Promise<string> {
  const root = await resolveWorkspace(workspace);
  const file = await realpath(resolve(root, path)).catch(() => {
    throw inputError(
      input,
      `names ${quoted(path)}, which does not exist`,
      'give the path of a file in the workspace, and check that an earlier step checked it out or wrote it',
    );
  });
  refuseOutside(root, file, input, path);
  const found = await stat(file);
  if (!found.isFile()) {
    const kind = found.isDirectory() ? 'a folder' : 'not a regular file';
    throw inputError(input, `names ${quoted(path)}, which is ${kind}`, 'give the path of a file');
  }
  if (found.size > maxTextBytes) {
    throw inputError(
      input,
      `names ${quoted(path)}, which has ${counted(found.size, 'byte')}`,
      `the limit is ${grouped(maxTextBytes)}`,
    );
  }
  return decode(await readFile(file), input, path);
}

/**
 * The path of the workspace without symbolic links.
 * @throws ActionError if there is no such folder
 */
export async function resolveWorkspace(workspace: string): Promise<string> {
  return await realpath(workspace).catch(() => {
    throw variableError(
      'GITHUB_WORKSPACE',
      'names a folder that does not exist',
      'check that no earlier step removed the workspace, and that a container mounts it',
    );
  });
}

/**
 * Refuses a path outside the workspace or in a `.git` folder.
 * @param root the workspace, without symbolic links
 * @param file the absolute path, without symbolic links
 * @throws ActionError
 */
export function refuseOutside(root: string, file: string, input: string, path: string): void {
  const inside = relative(root, file);
  if (isAbsolute(inside) || inside === '..' || inside.startsWith(`..${sep}`)) {
    throw inputError(
      input,
      `names ${quoted(path)}, which is outside the workspace`,
      'give the path of a file inside it',
    );
  }
  if (inside.split(sep).some((part) => part.toLowerCase() === '.git')) {
    throw inputError(
      input,
      `names ${quoted(path)}, which is in a .git folder`,
      'give the path of another file in the workspace',
    );
  }
}

/** Decodes UTF-8. UTF-16 without a byte order mark can be valid UTF-8, but then it has NULs, which no text has. */
function decode(bytes: Buffer, input: string, path: string): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (!text.includes('\0')) {
      return text;
    }
  } catch {
    // Not UTF-8.
  }
  throw inputError(
    input,
    `names ${quoted(path)}, which is not UTF-8 text`,
    'save the file as UTF-8 or name another one',
  );
}
