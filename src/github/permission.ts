import type { Judged } from './actor.ts';
import { PermissionCheckError } from './errors.ts';
import type { GitHubRequest, GitHubResponse, Session } from './request.ts';
import type { Permission } from './response-schema.ts';
import { isAtLeast, type Role } from './role.ts';
import {
  describeResponse,
  isRefusal,
  isSuccess,
  mayPass,
  type Pause,
  repositoryParameters,
  sendAgain,
} from './send.ts';

/** What it takes to start a job. */
export interface Requirement {
  readonly role: Role;
  /** Logins of bots that may, in lower case. */
  readonly allowBots: ReadonlySet<string>;
}

/** Whether the run may go on, and who stands in its way. */
export type Verdict =
  | { readonly kind: 'allowed' }
  | { readonly kind: 'bot-not-named'; readonly login: string }
  | { readonly kind: 'role-too-low'; readonly login: string; readonly role: Role };

export interface PermissionWorld {
  /** `undefined` without a token. */
  readonly session: Session | undefined;
  /** `owner/name` */
  readonly repository: string;
  readonly pause: Pause;
  readonly cancelled: AbortSignal;
}

const timeoutMs = 10_000;

/**
 * Judges everybody whom the event puts before the check. Bots need no request, so they come first.
 *
 * @throws PermissionCheckError when somebody's permission cannot be found out
 * @throws CancelledError when the run is cancelled
 */
export async function judge(
  judged: Judged,
  requirement: Requirement,
  world: PermissionWorld,
): Promise<Verdict> {
  if (judged.kind === 'nobody') {
    return { kind: 'allowed' };
  }
  const isNamed = (login: string): boolean => requirement.allowBots.has(login.toLowerCase());
  const bot = judged.users.find(({ login, isBot }) => isBot && !isNamed(login));
  if (bot !== undefined) {
    return { kind: 'bot-not-named', login: bot.login };
  }
  const people = judged.kind === 'everybody' ? judged.users.filter(({ isBot }) => !isBot) : [];
  for (const { login } of people) {
    const { role, isBot } = await askForPermission(login, world);
    if (isBot && !isNamed(login)) {
      return { kind: 'bot-not-named', login };
    }
    if (!isBot && !isAtLeast(role, requirement.role)) {
      return { kind: 'role-too-low', login, role };
    }
  }
  return { kind: 'allowed' };
}

async function askForPermission(login: string, world: PermissionWorld): Promise<Permission> {
  const exchange = await ask(
    'GET /repos/{owner}/{repo}/collaborators/{username}/permission',
    { username: login },
    world,
  );
  if (exchange.kind === 'response' && exchange.status === 404) {
    return await explainNotFound(exchange, world);
  }
  if (!isSuccess(exchange)) {
    throw await cannotTell(exchange, world);
  }
  const { readPermission } = await import('./response-schema.ts');
  const permission = readPermission(exchange.body, login);
  if (permission === undefined) {
    throw new PermissionCheckError(
      `GitHub's answer about ${login} is no permission on ${world.repository}`,
      'check whether something in between answers in its place',
    );
  }
  return permission;
}

/** A 404 means a stranger, or a token that cannot see the repository at all. */
async function explainNotFound(
  notFound: GitHubResponse,
  world: PermissionWorld,
): Promise<Permission> {
  const repository = await ask('GET /repos/{owner}/{repo}', {}, world);
  if (isSuccess(repository)) {
    return { role: 'none', isBot: false };
  }
  throw await cannotTell(
    repository.kind === 'response' && repository.status === 404 ? notFound : repository,
    world,
  );
}

async function ask(
  route: string,
  parameters: GitHubRequest['parameters'],
  { session, repository, pause, cancelled }: PermissionWorld,
): Promise<GitHubResponse> {
  if (session === undefined) {
    throw new PermissionCheckError(
      'github-token is empty',
      "leave the input out, which gives it the workflow's own token",
    );
  }
  const call = {
    route,
    parameters: { ...repositoryParameters(repository), ...parameters },
    timeoutMs,
    signal: cancelled,
  };
  const exchange = await sendAgain(session, call, pause);
  cancelled.throwIfAborted();
  return exchange;
}

async function cannotTell(
  exchange: GitHubResponse,
  { repository }: PermissionWorld,
): Promise<PermissionCheckError> {
  return new PermissionCheckError(await describeResponse(exchange), adviceOn(exchange, repository));
}

function adviceOn(exchange: GitHubResponse, repository: string): string {
  if (isRefusal(exchange)) {
    return `give github-token the workflow's own token, which may always read the metadata of ${repository} (metadata: read), or another token with push access to it`;
  }
  return mayPass(exchange)
    ? 're-run the workflow later'
    : 'run this step in a workflow that GitHub starts';
}
