import { type TriggeredRun, whoIsJudged } from '../../src/github/actor.ts';
import { type EventFacts, noFacts, type User } from '../../src/github/event.ts';
import { judge, type Verdict } from '../../src/github/permission.ts';
import type { GitHubResponse } from '../../src/github/request.ts';
import type { Role } from '../../src/github/role.ts';
import { answered, fakeSession, noPause, noSignal } from './fake-github.ts';

/** Everybody who may stand behind an event, with GitHub's answer about their permission. */
const cast = {
  owner: { answer: ['admin', 'admin'] },
  maintainer: { answer: ['write', 'maintain'] },
  writer: { answer: ['write', 'write'] },
  // An organisation's own role, made from write.
  releaser: { answer: ['write', 'release-manager'] },
  // An old Enterprise server tells no role_name.
  'old-writer': { answer: ['write', undefined] },
  triager: { answer: ['read', 'triage'] },
  reader: { answer: ['read', 'read'] },
  nobody: { answer: ['none', ''] },
  stranger: { answer: 404 },
  // A person who took a name like the bot's.
  renovate: { answer: ['read', 'read'] },
  'renovate[bot]': { answer: 404, isBot: true },
  'dependabot[bot]': { answer: 404, isBot: true },
  // A bot without a suffix, which GitHub would even give a role.
  Copilot: { answer: ['write', 'write'], isBot: true },
} as const satisfies Record<
  string,
  { answer: 404 | readonly [permission: string, role: string | undefined]; isBot?: true }
>;

export type Login = keyof typeof cast;
export const logins = Object.keys(cast).filter((login): login is Login => login in cast);

const isBot = (login: Login): boolean => 'isBot' in cast[login];

/** As an event's payload names somebody. */
function user(login: Login): User {
  return { login, isBot: isBot(login) };
}

/** An event, the people behind it, and what it takes. */
export interface Scene {
  readonly eventName: string;
  readonly sender: Login;
  readonly actor: Login;
  readonly triggeringActor: Login | undefined;
  readonly upstream: {
    readonly eventName: string;
    readonly actor: Login;
    readonly triggeringActor: Login | undefined;
  };
  readonly required: Exclude<Role, 'none' | 'read'>;
  readonly allowBots: readonly string[];
}

function factsOf({ eventName, sender, upstream }: Scene): EventFacts {
  return {
    ...noFacts,
    sender: user(sender),
    upstream:
      eventName === 'workflow_run'
        ? {
            eventName: upstream.eventName,
            actor: user(upstream.actor),
            triggeringActor: upstream.triggeringActor && user(upstream.triggeringActor),
          }
        : undefined,
  };
}

function answerAbout(request: string): GitHubResponse {
  const login = /collaborators\/(.+)\/permission$/.exec(request)?.[1];
  if (login === undefined) {
    return answered(200, { full_name: 'acme/product' });
  }
  const known = logins.find((name) => name === login) ?? 'stranger';
  const { answer } = cast[known];
  const type = isBot(known) ? 'Bot' : 'User';
  return answer === 404
    ? answered(404, { message: `${login} is not a user` })
    : answered(200, { permission: answer[0], role_name: answer[1], user: { login, type } });
}

/** Who stands in the way of a scene, if anybody. */
export function play(scene: Scene): Promise<Verdict> {
  const { eventName, actor, triggeringActor = '', required, allowBots } = scene;
  const run: TriggeredRun = { eventName, actor, triggeringActor };
  const judged = whoIsJudged(run, factsOf(scene), required);
  const requirement = {
    role: required,
    allowBots: new Set(allowBots.map((login) => login.toLowerCase())),
  };
  return judge(judged, requirement, {
    session: fakeSession(({ request }) => answerAbout(request)),
    repository: 'acme/product',
    pause: noPause,
    cancelled: noSignal,
  });
}
