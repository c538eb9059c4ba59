import type { Requirement } from '../github/permission.ts';
import { isLogin } from '../github/subjects.ts';
import { InputError } from '../runner/errors.ts';
import { type Inputs, readChoice, readWords } from '../runner/inputs.ts';
import { quoted } from '../text/plain.ts';

/** Where the comment goes, if anywhere. */
export type CommentSetting =
  | { readonly kind: 'off' }
  /** On what the event is about. `isLoud`: a comment that fails is warned of. */
  | { readonly kind: 'event'; readonly isLoud: boolean }
  | { readonly kind: 'thread'; readonly number: number };

/** The inputs that are needed before it is known whether the run may start a job. */
export interface AccessInputs {
  /** `undefined` where the check is switched off. */
  readonly requirement: Requirement | undefined;
  /** The logins of `allow-bots` as they were written. */
  readonly botLogins: readonly string[];
  readonly comment: CommentSetting;
  /** Acts on the workflow's repository; empty for none. */
  readonly githubToken: string;
  /** Reads the pull request; empty for none. */
  readonly docsToken: string;
}

/**
 * Reads and checks the inputs that concern GitHub; the tokens are masked first.
 * @throws InputError for the first that cannot be used
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

function readToken(inputs: Inputs, name: string): string {
  const token = inputs.readSecret(name);
  if (!/^[\x21-\x7e]*$/.test(token)) {
    throw new InputError(
      name,
      'contains a space, a line break or a character that is not ASCII',
      'copy the token again, alone, into the secret',
    );
  }
  return token;
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
    throw new InputError(
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
      throw new InputError(
        'comment',
        `is ${quoted(text)}`,
        'it takes auto, true, false or the number of an issue or pull request',
      );
  }
}
