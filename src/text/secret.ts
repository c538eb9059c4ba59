/** Nothing shorter is a secret, and taking it out of every response would only garble them. */
const shortestSecret = 8;

/**
 * What a server responded, without the secret that it was sent: no mask covers a comment, nor a
 * secret that was cut in two with the sentence around it.
 */
export function withoutSecret(text: string, secret: string): string {
  return secret.length < shortestSecret ? text : text.replaceAll(secret, '***');
}

/**
 * The same for a whole response, as `JSON.parse` gave it: every text in it, names of fields included,
 * at any depth. Written anew, the secret has one spelling, whatever escapes it came in (`\u006d`).
 *
 * @returns `undefined`, as for a body that is no JSON, where the response is nested deeper than any
 *   real one
 */
export function withoutSecretInside(response: unknown, secret: string): unknown {
  if (response === undefined || secret.length < shortestSecret) {
    return response;
  }
  try {
    const spelling = JSON.stringify(secret).slice(1, -1);
    return JSON.parse(JSON.stringify(response).replaceAll(spelling, '***'));
  } catch {
    return undefined;
  }
}
