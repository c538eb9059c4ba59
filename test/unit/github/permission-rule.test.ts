import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  type AccessCase,
  accessScript,
  checkAccessCase,
  type Login,
  logins,
} from '../../helpers/access-cases.ts';
import { heavyRuns } from '../../helpers/heavy-runs.ts';
import { githubSession } from '../../helpers/servers.ts';

/** The same rule in another form: what each login has, and whose permission is needed. */
function mayStart(accessCase: AccessCase): boolean {
  const has: Record<Login, number> = {
    owner: 4,
    maintainer: 3,
    writer: 2,
    releaser: 2,
    'old-writer': 2,
    triager: 1,
    reader: 0,
    nobody: 0,
    stranger: 0,
    renovate: 0,
    'renovate[bot]': 9,
    'dependabot[bot]': 9,
    Copilot: 9,
  };
  const needs = { triage: 1, write: 2, maintain: 3, admin: 4 }[accessCase.required];
  const isStrict = needs > 2;
  const follows = accessCase.eventName === 'workflow_run';
  const root = follows ? accessCase.upstream.eventName : accessCase.eventName;
  const { actor, triggeringActor = actor } = follows ? accessCase.upstream : accessCase;
  // GitHub lets users with write access re-run any run, so this only matters for higher roles.
  const again = follows && isStrict ? [accessCase.triggeringActor ?? accessCase.sender] : [];
  const all = [accessCase.sender, actor, triggeringActor, ...again];
  const isNamed = (login: Login) =>
    accessCase.allowBots.some((name) => name.toLowerCase() === login.toLowerCase());
  const isGoodEnough = (login: Login) => (has[login] === 9 ? isNamed(login) : has[login] >= needs);
  switch (root) {
    case 'schedule':
      return (
        !isStrict ||
        reRunners(accessCase).every((login) => login !== undefined && isGoodEnough(login))
      );
    case 'workflow_dispatch':
    case 'repository_dispatch':
    case 'release':
    case 'merge_group':
      return !isStrict || all.every(isGoodEnough);
    case 'push': {
      // A push needs no request to GitHub, so only the payload shows a bot without a suffix.
      const isUnknown = (login: Login) =>
        accessCase.eventName === 'push' && login === 'Copilot' && accessCase.sender !== login;
      return isStrict
        ? all.every(isGoodEnough)
        : all.every((login) => has[login] !== 9 || isUnknown(login) || isNamed(login));
    }
    default:
      return all.every(isGoodEnough);
  }
}

/** Nobody asked for a scheduled run, unless it was re-run. */
function reRunners({ eventName, attempt, triggeringActor, upstream }: AccessCase) {
  return [
    ...(attempt === 1 ? [] : [triggeringActor]),
    ...(eventName !== 'workflow_run' || upstream.attempt === 1 ? [] : [upstream.triggeringActor]),
  ];
}

const events = [
  'issues',
  'issue_comment',
  'pull_request',
  'pull_request_target',
  'discussion',
  'watch',
  'fork',
  'push',
  'schedule',
  'workflow_dispatch',
  'repository_dispatch',
  'release',
  'merge_group',
  'workflow_run',
  'something_new',
];

/** Three users with high permissions are frequent enough for many runs to be allowed. */
const anyUser = fc.constantFrom(...logins);
const strong = fc.constantFrom<Login>('owner', 'maintainer', 'writer', 'renovate[bot]');
const user = fc.oneof(anyUser, strong, strong);

const accessCases: fc.Arbitrary<AccessCase> = fc.record({
  eventName: fc.constantFrom(...events),
  sender: user,
  actor: user,
  triggeringActor: fc.option(user, { nil: undefined }),
  attempt: fc.constantFrom(1, 1, 2),
  upstream: fc.record({
    eventName: fc.constantFrom(...events),
    actor: user,
    triggeringActor: fc.option(user, { nil: undefined }),
    attempt: fc.constantFrom(1, 1, 2),
  }),
  required: fc.constantFrom('triage', 'write', 'maintain', 'admin'),
  allowBots: fc.subarray(['Renovate[Bot]', 'dependabot[bot]', 'copilot', 'renovate', 'stranger']),
});

it('the check agrees with the same rule written in another way, for all events, users, roles and bots', async () => {
  const { session } = await githubSession(accessScript);
  const seen = { allowed: 0, refused: 0 };
  const runs = heavyRuns(2000);
  await fc.assert(
    fc.asyncProperty(accessCases, async (accessCase) => {
      const check = await checkAccessCase(accessCase, session).catch(() => undefined);
      const isAllowed = check?.kind === 'allowed';
      seen[isAllowed ? 'allowed' : 'refused'] += 1;
      expect(isAllowed).toBe(mayStart(accessCase));
    }),
    runs,
  );
  expect(Math.min(seen.allowed, seen.refused)).toBeGreaterThan(runs.numRuns / 10);
});
