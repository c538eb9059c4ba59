import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Login, logins, play, type Scene } from '../../helpers/cast.ts';

/** The rule in other words: what each login has, and which of them an event asks about. */
function mayStart(scene: Scene): boolean {
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
  const needs = { triage: 1, write: 2, maintain: 3, admin: 4 }[scene.required];
  const isStrict = needs > 2;
  const follows = scene.eventName === 'workflow_run';
  const root = follows ? scene.upstream.eventName : scene.eventName;
  const { actor, triggeringActor = actor } = follows ? scene.upstream : scene;
  // GitHub lets a writer start any run again, so this is asked only where more is required.
  const again = follows && isStrict ? [scene.triggeringActor ?? scene.sender] : [];
  const everybody = [scene.sender, actor, triggeringActor, ...again];
  const isNamed = (login: Login) =>
    scene.allowBots.some((name) => name.toLowerCase() === login.toLowerCase());
  const isGoodEnough = (login: Login) => (has[login] === 9 ? isNamed(login) : has[login] >= needs);
  switch (root) {
    case 'schedule':
      return true;
    case 'workflow_dispatch':
    case 'repository_dispatch':
    case 'release':
    case 'merge_group':
      return !isStrict || everybody.every(isGoodEnough);
    case 'push': {
      // Of a push GitHub is not asked, so only the payload tells a bot without a suffix.
      const isUnknown = (login: Login) =>
        scene.eventName === 'push' && login === 'Copilot' && scene.sender !== login;
      return isStrict
        ? everybody.every(isGoodEnough)
        : everybody.every((login) => has[login] !== 9 || isUnknown(login) || isNamed(login));
    }
    default:
      return everybody.every(isGoodEnough);
  }
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

/** A set of three is drawn alike often enough to pass sometimes. */
const person = fc.constantFrom(...logins);
const strong = fc.constantFrom<Login>('owner', 'maintainer', 'writer', 'renovate[bot]');
const anybody = fc.oneof(person, strong, strong);

const scenes: fc.Arbitrary<Scene> = fc.record({
  eventName: fc.constantFrom(...events),
  sender: anybody,
  actor: anybody,
  triggeringActor: fc.option(anybody, { nil: undefined }),
  upstream: fc.record({
    eventName: fc.constantFrom(...events),
    actor: anybody,
    triggeringActor: fc.option(anybody, { nil: undefined }),
  }),
  required: fc.constantFrom('triage', 'write', 'maintain', 'admin'),
  allowBots: fc.subarray(['Renovate[Bot]', 'dependabot[bot]', 'copilot', 'renovate', 'stranger']),
});

it('agrees with the rule in other words, for every event, set of people, role and bot', async () => {
  const seen = { allowed: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(scenes, async (scene) => {
      const isAllowed = (await play(scene)).kind === 'allowed';
      seen[isAllowed ? 'allowed' : 'refused'] += 1;
      expect(isAllowed).toBe(mayStart(scene));
    }),
    { numRuns: 4000 },
  );
  expect(Math.min(seen.allowed, seen.refused)).toBeGreaterThan(400);
});
