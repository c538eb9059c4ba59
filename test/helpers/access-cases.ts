import { type RunEvent, type User, unreadEvent } from '../../src/github/event.ts';
import {
  checkPermission,
  findCheckedUsers,
  type PermissionCheck,
  type Role,
} from '../../src/github/permission.ts';
import type { Session } from '../../src/github/request.ts';
import { fakeClock } from './fake-runner.ts';
import { noSignal, type Script } from './servers.ts';

/** The users who may be behind an event, with GitHub's response about their permission. */
const users = {
  owner: { response: ['admin', 'admin'] },
  maintainer: { response: ['write', 'maintain'] },
  writer: { response: ['write', 'write'] },
  // A custom role of an organisation that is based on write.
  releaser: { response: ['write', 'release-manager'] },
  // An old Enterprise server returns no role_name.
  'old-writer': { response: ['write', undefined] },
  triager: { response: ['read', 'triage'] },
  reader: { response: ['read', 'read'] },
  nobody: { response: ['none', ''] },
  stranger: { response: 404 },
  // A person with a name like the bot's.
  renovate: { response: ['read', 'read'] },
  'renovate[bot]': { response: 404, isBot: true },
  'dependabot[bot]': { response: 404, isBot: true },
  // A bot without a suffix, for which GitHub even returns a role.
  Copilot: { response: ['write', 'write'], isBot: true },
} as const satisfies Record<
  string,
  { response: 404 | readonly [permission: string, role: string | undefined]; isBot?: true }
>;

export type Login = keyof typeof users;
export const logins = Object.keys(users).filter((login): login is Login => login in users);

const isBot = (login: Login): boolean => 'isBot' in users[login];

/** A user in an event's payload. */
function user(login: Login): User {
  return { login, isBot: isBot(login) };
}

/** An event, the users behind it, and the permission that they need. */
export interface AccessCase {
  readonly eventName: string;
  readonly sender: Login;
  readonly actor: Login;
  readonly triggeringActor: Login | undefined;
  readonly attempt: number;
  readonly upstream: {
    readonly eventName: string;
    readonly actor: Login;
    readonly triggeringActor: Login | undefined;
    readonly attempt: number;
  };
  readonly required: Exclude<Role, 'none' | 'read'>;
  readonly allowBots: readonly string[];
}

function factsOf({ eventName, sender, upstream }: AccessCase): RunEvent {
  return {
    ...unreadEvent,
    sender: user(sender),
    upstream:
      eventName === 'workflow_run'
        ? {
            eventName: upstream.eventName,
            actor: user(upstream.actor),
            triggeringActor: upstream.triggeringActor && user(upstream.triggeringActor),
            attempt: upstream.attempt,
          }
        : undefined,
  };
}

/** What GitHub says about these users. */
export const accessScript: Script = (route) => {
  const login = /collaborators\/(.+)\/permission$/.exec(decodeURIComponent(route))?.[1];
  if (login === undefined) {
    return { status: 200, body: { full_name: 'acme/product' } };
  }
  const known = logins.find((name) => name === login) ?? 'stranger';
  const { response } = users[known];
  const type = isBot(known) ? 'Bot' : 'User';
  return response === 404
    ? { status: 404, body: { message: `${login} is not a user` } }
    : {
        status: 200,
        body: { permission: response[0], role_name: response[1], user: { login, type } },
      };
};

/**
 * Checks whether the run of a case may start a job.
 * @param session with a GitHub of `accessScript`
 */
export async function checkAccessCase(
  accessCase: AccessCase,
  session: Session,
): Promise<PermissionCheck> {
  const { eventName, actor, triggeringActor = '', attempt, required, allowBots } = accessCase;
  const run = { eventName, actor, triggeringActor, attempt };
  const checked = findCheckedUsers(run, factsOf(accessCase), required);
  const requirement = {
    role: required,
    allowBots,
  };
  return await checkPermission(checked, requirement, {
    session,
    repository: 'acme/product',
    clock: fakeClock(),
    signal: noSignal,
  });
}
