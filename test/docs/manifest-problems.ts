import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

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

/** GitHub's own checks of workflows and actions. */
async function loadLanguageService() {
  // GitHub's package imports JSON without `type: 'json'`, which only bundlers accept.
  const hooks = registerHooks({
    load: (url, context, next) =>
      next(
        url,
        url.endsWith('.json') ? { ...context, importAttributes: { type: 'json' } } : context,
      ),
  });
  try {
    const [{ validate }, { TextDocument }] = await Promise.all([
      import('@actions/languageservice'),
      import('vscode-languageserver-textdocument'),
    ]);
    return { validate, TextDocument };
  } finally {
    hooks.deregister();
  }
}
