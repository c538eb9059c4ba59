const suffix = '[bot]';

/** The only bot whose login has no suffix. */
const suffixless = 'copilot';

/** Which of the names is meant for a login, though one of the two lacks its suffix. */
export function findSpelling(login: string, names: readonly string[]): string | undefined {
  return names.find((name) => withoutSuffix(name) === withoutSuffix(login));
}

/**
 * What somebody likely meant who wrote the login of a bot without its suffix; `undefined` where the
 * login may be whole.
 */
export function likelyLogin(login: string): string | undefined {
  const lower = login.toLowerCase();
  return lower.endsWith(suffix) || lower === suffixless ? undefined : `${login}${suffix}`;
}

function withoutSuffix(login: string): string {
  const lower = login.toLowerCase();
  return lower.endsWith(suffix) ? lower.slice(0, -suffix.length) : lower;
}
