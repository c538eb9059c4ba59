/** Nothing shorter is a secret, and taking it out of every answer would only garble them. */
const shortestSecret = 8;

/**
 * What a server answered, without the secret that it was sent: no mask covers a comment, nor a
 * secret that was cut in two with the sentence around it.
 */
export function withoutSecret(text: string, secret: string): string {
  return secret.length < shortestSecret ? text : text.replaceAll(secret, '***');
}
