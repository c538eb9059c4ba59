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
 * The same for a whole response, as it was parsed: every text in it, names of fields included, at any
 * depth. Only what is parsed shows a secret that came in escapes, such as `\u006d`.
 *
 * Lists and objects are changed where they stand. Nothing here calls itself, since a response can be
 * nested deeper than the stack, and nothing is written as JSON, since Octokit reads large numbers as
 * big integers.
 */
export function withoutSecretInside(response: unknown, secret: string): unknown {
  const whole = [response];
  const open: object[] = [whole];
  for (let holder = open.pop(); holder !== undefined; holder = open.pop()) {
    for (const [name, value] of Object.entries<unknown>({ ...holder })) {
      cleanField(holder, name, value, secret);
      if (typeof value === 'object' && value !== null) {
        open.push(value);
      }
    }
  }
  return whole[0];
}

/** A field may be called `__proto__`, which only a definition leaves a field. */
function cleanField(holder: object, name: string, value: unknown, secret: string): void {
  const cleanName = withoutSecret(name, secret);
  const cleanValue = typeof value === 'string' ? withoutSecret(value, secret) : value;
  if (cleanName === name && cleanValue === value) {
    return;
  }
  Reflect.deleteProperty(holder, name);
  Object.defineProperty(holder, cleanName, {
    value: cleanValue,
    configurable: true,
    enumerable: true,
    writable: true,
  });
}
