/** Shorter values are not real secrets, and replacing them would garble responses. */
const shortestSecret = 8;

/**
 * Replaces a secret in a server's response. The runner's mask is not enough: it does not apply to
 * comments, or to a part of a secret that is left when a sentence is shortened.
 */
export function withoutSecret(text: string, secret: string): string {
  return secret.length < shortestSecret ? text : text.replaceAll(secret, '***');
}

/**
 * Replaces whatever has the form of a Mintlify key. Not for outputs that a later step works with, because the name of
 * a repository may have that form.
 */
export function withoutKeys(text: string): string {
  return text.replace(/mint_[\w-]+/g, '***');
}

/**
 * Replaces secrets and the project id in the finished Markdown of a comment, which has more readers than the log,
 * and which the runner does not mask. Names with the project id in them, such as `acme/project-docs`, stay, because
 * links would break.
 */
export function withoutSecrets(
  markdown: string,
  secrets: readonly string[],
  projectId: string,
): string {
  const without = secrets.reduce((text, secret) => replaced(text, secret, '', ''), markdown);
  return replaced(without, projectId, '(?<![\\w./@-])', '(?![\\w/@#-])');
}

/** Replaces a secret between two patterns, also where its characters are spelled as entities. */
function replaced(markdown: string, secret: string, before: string, after: string): string {
  if (secret.length < shortestSecret) {
    return markdown;
  }
  const spelled = Array.from(secret, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `(?:\\u{${code.toString(16)}}|&#${code};)`;
  });
  return markdown.replace(new RegExp(`${before}${spelled.join('')}${after}`, 'gu'), '***');
}

/**
 * Parses JSON, and replaces a secret in all its strings and field names. It is parsed first, because escapes
 * such as `\u006d` could hide the secret.
 * @returns `undefined` if the text is not JSON, or nested too deeply
 */
export function parseJsonWithout(text: string, secret: string): unknown {
  try {
    return JSON.parse(text, (_name, value: unknown) => cleaned(value, secret));
  } catch {
    return undefined;
  }
}

function cleaned(value: unknown, secret: string): unknown {
  if (typeof value === 'string') {
    return withoutSecret(value, secret);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return value;
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [withoutSecret(name, secret), field]),
  );
}
