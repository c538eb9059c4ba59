import { isLogin, isSameName } from '../../github/names.ts';
import type { Requirement } from '../../github/permission.ts';
import { type Inputs, readChoice, readToken, readWords } from '../../runner/inputs.ts';
import { inputError } from '../../text/error.ts';
import { quoted } from '../../text/plain.ts';

/** Where the comment goes, if anywhere. */
export type CommentSetting =
  | { readonly kind: 'off' }
  /** On the issue or pull request of the event. `isLoud`: warn if the comment fails. */
  | { readonly kind: 'event'; readonly isLoud: boolean }
  | { readonly kind: 'thread'; readonly number: number };

/** The inputs that the access check needs. */
export interface AccessInputs {
  /** `undefined` if the check is switched off. */
  readonly requirement: Requirement | undefined;
  /** The logins in `allow-bots`, spelled as in the workflow. */
  readonly botLogins: readonly string[];
  readonly comment: CommentSetting;
  /** Used for the workflow's repository; may be empty. */
  readonly githubToken: string;
  /** Used to read the pull request; may be empty. */
  readonly docsToken: string;
}

/**
 * The input that advice on a docs repository has to name. The workflow's own token can get permissions
 * on the workflow's own repository only.
 */
export function docsTokenInput(
  docsRepository: string,
  { githubToken, docsToken }: Pick<AccessInputs, 'githubToken' | 'docsToken'>,
  { repository }: { readonly repository: string },
): 'docs-token' | 'github-token' {
  return docsToken === githubToken && isSameName(docsRepository, repository)
    ? 'github-token'
    : 'docs-token';
}

/**
 * Masks the tokens, then reads and validates the inputs for GitHub.
 * @throws ActionError for the first invalid input
 */
export function readAccessInputs(inputs: Inputs): AccessInputs {
  const githubToken = readToken(inputs, 'github-token');
  const docsToken = readToken(inputs, 'docs-token') || githubToken;
  const botLogins = readBotLogins(inputs.read('allow-bots'));
  return {
    requirement: readRequirement(inputs.read('required-permission'), botLogins),
    botLogins,
    comment: readCommentSetting(inputs.read('comment')),
    githubToken,
    docsToken,
  };
}

/** The matrix of the job as JSON, which tells its legs apart; empty for none. */
export function readMatrix(inputs: Inputs): string {
  const matrix = inputs.read('matrix');
  return matrix === 'null' ? '' : matrix;
}

const permissionChoices = ['triage', 'write', 'maintain', 'admin', 'none'] as const;

function readRequirement(text: string, botLogins: readonly string[]): Requirement | undefined {
  const role = readChoice('required-permission', text || 'write', permissionChoices);
  return role === 'none'
    ? undefined
    : { role, allowBots: new Set(botLogins.map((login) => login.toLowerCase())) };
}

function readBotLogins(text: string): readonly string[] {
  const logins = readWords(text) ?? [];
  const wrong = logins.find((login) => !isLogin(login));
  if (wrong !== undefined) {
    throw inputError(
      'allow-bots',
      `has ${quoted(wrong)}`,
      'it takes complete logins of bots, such as renovate[bot], and no wildcards',
    );
  }
  return logins;
}

function readCommentSetting(text: string): CommentSetting {
  if (/^[1-9]\d{0,9}$/.test(text)) {
    return { kind: 'thread', number: Number(text) };
  }
  switch (text) {
    case '':
    case 'auto':
    case 'true':
      return { kind: 'event', isLoud: text === 'true' };
    case 'false':
      return { kind: 'off' };
    default:
      throw inputError(
        'comment',
        `is ${quoted(text)}`,
        'it takes auto, true, false or the number of an issue or pull request',
      );
  }
}
