import type { SkippedResult } from '../../common/reasons.ts';
import { findSpelling, likelyLogin } from '../../github/names.ts';
import type { PermissionCheck, Requirement, Subjects } from '../../github/permission.ts';
import type { Log } from '../../runner/log.ts';

/** The result of a run that was triggered by one of our own comments. */
export const ownComment: SkippedResult = {
  result: 'skipped',
  reason: 'own-comment',
  message:
    "Nothing was started, because the comment that triggered this run has this action's own marker: such comments are ignored, because otherwise each run could trigger the next one.",
  isLoud: false,
};

/** Why nothing was started, and what to do about it. */
export function explainRefusal(
  check: Exclude<PermissionCheck, { kind: 'allowed' }>,
  { role }: Requirement,
  botLogins: readonly string[],
  repository: string,
): string {
  const { login } = check;
  if (check.kind === 'bot-not-named') {
    const spelling = findSpelling(login, botLogins);
    const line = `allow-bots: ${[...botLogins.filter((name) => name !== spelling), login].join(', ')}`;
    const problem = spelling === undefined ? 'does not name' : `spells "${spelling}"`;
    return `Nothing was started, because ${login} is a bot that allow-bots ${problem}: to let it start jobs, give this step "${line}".`;
  }
  const present = check.role === 'none' ? 'no permission' : `the permission ${check.role}`;
  return `Nothing was started, because ${login} has ${present} on ${repository}, but needs ${role}: ask someone with that permission to trigger the run, or lower required-permission.`;
}

/**
 * Warns about names in allow-bots that are unlikely to be logins of bots, before such a bot is refused.
 * For the users who triggered this run, the message of the check says so.
 */
export function warnOfSpelling(
  botLogins: readonly string[],
  subjects: Subjects,
  log: Pick<Log, 'warning'>,
): void {
  if (subjects.kind === 'none') {
    return;
  }
  const logins = subjects.users.map(({ login }) => login);
  const others = botLogins.filter((name) => findSpelling(name, logins) === undefined);
  for (const name of others) {
    const likely = likelyLogin(name);
    if (likely !== undefined) {
      log.warning(
        `Input allow-bots has "${name}", but the logins of bots end in "[bot]": you probably mean "${likely}".`,
      );
    }
  }
}
