/** Whether two names of repositories or users are the same: GitHub ignores their case. */
export function isSameName(name: string, other: string | undefined): boolean {
  return name.toLowerCase() === other?.toLowerCase();
}

/** `owner/name` as parameters of Octokit's methods. */
export function ownerAndRepo(repository: string): { owner: string; repo: string } {
  const [owner = '', repo = ''] = repository.split('/');
  return { owner, repo };
}

/** What an issue or a pull request is called, such as `acme/docs#12`. */
export function threadName({
  repository,
  number,
}: {
  readonly repository: string;
  readonly number: number;
}): string {
  return `${repository}#${number}`;
}

export const botSuffix = '[bot]';

/** Whether this is a valid login. Logins of enterprise-managed users contain `_`. */
export function isLogin(text: string): boolean {
  return /^[A-Za-z\d][\w-]{0,99}(?:\[bot\])?$/.test(text);
}
