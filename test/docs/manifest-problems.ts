import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { loadLanguageService } from '../../scripts/language-service.ts';

/**
 * Validates an `action.yml` with GitHub's own schema.
 *
 * @param path absolute path of the file
 * @returns one sentence for each problem
 */
export async function manifestProblems(path: string): Promise<string[]> {
  const { validate, TextDocument } = await loadLanguageService();
  // The language service caches files by URL, so each file needs its own.
  const url = pathToFileURL(path).href;
  const text = readFileSync(path, 'utf8');
  const found = await validate(TextDocument.create(url, 'yaml', 1, text));
  return found.map(({ message }) => (typeof message === 'string' ? message : message.value));
}
