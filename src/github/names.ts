/** Whether two names of repositories or users are the same: GitHub ignores their case. */
export function isSameName(name: string, other: string | undefined): boolean {
  return name.toLowerCase() === other?.toLowerCase();
}

/** Splits `owner/name` into the parameters that Octokit's methods take. */
export function ownerAndRepo(repository: string): { owner: string; repo: string } {
  const [owner = '', repo = ''] = repository.split('/');
  return { owner, repo };
}

/** An issue or a pull request. */
export interface ThreadPlace {
  /** `owner/name` */
  readonly repository: string;
  readonly number: number;
}

/** The name of an issue or a pull request, such as `acme/docs#12`. */
export function threadName({ repository, number }: ThreadPlace): string {
  return `${repository}#${number}`;
}

export const botSuffix = '[bot]';

/** Whether a text is a valid login. Logins of enterprise-managed users contain `_`. */
export function isLogin(text: string): boolean {
  return /^[A-Za-z\d][\w-]{0,99}(?:\[bot\])?$/.test(text);
}
