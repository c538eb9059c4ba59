import { registerHooks } from 'node:module';

/** GitHub's own checks of workflows and actions. */
export async function loadLanguageService() {
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
