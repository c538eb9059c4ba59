import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

/**
 * What GitHub's own schema finds wrong with an `action.yml`.
 *
 * @param path absolute path of the file
 * @returns one sentence for each mistake
 */
export async function manifestProblems(path: string): Promise<string[]> {
  const { validate, TextDocument } = await loadLanguageService();
  // The service remembers files by address, so each has to have its own.
  const address = pathToFileURL(path).href;
  const text = readFileSync(path, 'utf8');
  const found = await validate(TextDocument.create(address, 'yaml', 1, text));
  return found.map(({ message }) => (typeof message === 'string' ? message : message.value));
}

/** GitHub's package imports its schemas in a way that is meant for bundlers: Node needs their type. */
async function loadLanguageService() {
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
