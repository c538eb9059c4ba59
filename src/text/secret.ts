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
 * The same for a whole answer, as `JSON.parse` gave it: every text in it, names of fields included,
 * at any depth. Only what is parsed shows a secret that came back in escapes, such as `\u006d`.
 *
 * Lists and objects are changed where they stand. Nothing here calls itself, since an answer can be
 * nested deeper than the stack.
 */
export function withoutSecretInside(answer: unknown, secret: string): unknown {
  const whole = [answer];
  const open: object[] = [whole];
  const clean = (value: unknown): unknown => {
    if (typeof value === 'object' && value !== null) {
      open.push(value);
    }
    return typeof value === 'string' ? withoutSecret(value, secret) : value;
  };
  for (let holder = open.pop(); holder !== undefined; holder = open.pop()) {
    if (Array.isArray(holder)) {
      cleanItems(holder, clean);
    } else {
      cleanFields(holder, (name) => withoutSecret(name, secret), clean);
    }
  }
  return whole[0];
}

function cleanItems(items: unknown[], clean: (value: unknown) => unknown): void {
  for (const [index, item] of items.entries()) {
    items[index] = clean(item);
  }
}

/** A field may be called `__proto__`, which only a definition leaves a field. */
function cleanFields(
  holder: object,
  cleanName: (name: string) => string,
  clean: (value: unknown) => unknown,
): void {
  for (const name of Object.keys(holder)) {
    const before: unknown = Reflect.get(holder, name);
    const value = clean(before);
    const shown = cleanName(name);
    if (value !== before || shown !== name) {
      Reflect.deleteProperty(holder, name);
      Object.defineProperty(holder, shown, {
        value,
        configurable: true,
        enumerable: true,
        writable: true,
      });
    }
  }
}
