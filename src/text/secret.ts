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
 * Replaces a secret in all strings and field names of a parsed response, at any depth. The response is
 * parsed first, because escapes such as `\u006d` could hide the secret.
 *
 * Changes lists and objects in place. It is not recursive, because a response can be nested too deeply for
 * the stack, and does not use JSON, because Octokit parses large numbers as big integers.
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

/** Uses `defineProperty`, because assigning to a field named `__proto__` would set the prototype. */
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
