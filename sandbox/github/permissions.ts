import type { GitHubRequest } from './route.ts';
import { Refusal } from './state.ts';

/** What a workflow's own token may do: nothing outside of its repository. */
export interface WorkflowAccess {
  /** `owner/name` */
  readonly repository: string;
  /** By scope, as in a workflow; `*` stands for all scopes that are not named. */
  readonly permissions: Permissions;
}

export type PermissionLevel = 'none' | 'read' | 'write';
export type Permissions = Readonly<Record<string, PermissionLevel>>;

const levels: readonly PermissionLevel[] = ['none', 'read', 'write'];

/** Whether permissions include a level of a scope. */
export function grants(permissions: Permissions, scope: string, level: PermissionLevel): boolean {
  const granted = permissions[scope] ?? permissions['*'] ?? 'none';
  return levels.indexOf(granted) >= levels.indexOf(level);
}

const threads = ['issues', 'pull-requests'];

/**
 * Requests, by method and path after the repository, with scopes: the token needs one of them. The first match
 * counts. As in GitHub's table of permissions, reading an issue needs `issues` also where it is a pull request.
 */
const scopesByRequest: readonly (readonly [request: RegExp, scopes: readonly string[]])[] = [
  [/ \/pulls\/\d+\/merge$/, ['contents']],
  [/ \/pulls\b/, ['pull-requests']],
  [/ \/issues$|^GET \/issues\/\d+$/, ['issues']],
  [/ \/(?:issues|labels)\b/, threads],
  [/ \/(?:check-runs\b|commits\/[^/]+\/check-)/, ['checks']],
  [/ \/actions\//, ['actions']],
  [/ \/branches\/.+\/protection/, ['administration']],
  [/ \//, ['contents']],
];

/** What everyone can read who has access to a repository at all. */
const metadata = /^(?:|\/collaborators\/[^/]+\/permission)$/;

/**
 * GitHub's refusal of a request with a workflow's own token; `undefined` if the token may send it. The
 * repositories count as private, whose content nobody reads without a permission.
 *
 * @param isPull whether a number of the repository is that of a pull request
 */
export function refusalOf(
  { method, path }: Pick<GitHubRequest, 'method' | 'path'>,
  { repository, permissions }: WorkflowAccess,
  isPull: (number: number) => boolean,
): Refusal | undefined {
  const [, name, rest = ''] = /^\/repos\/([^/]+\/[^/]+)(.*)$/.exec(path) ?? [];
  if (name !== undefined && name !== repository) {
    return new Refusal(404, 'Not Found');
  }
  if (name === undefined || (method === 'GET' && metadata.test(rest))) {
    return undefined;
  }
  const number = Number(/^\/issues\/(\d+)/.exec(rest)?.[1]);
  const isIssue = !Number.isNaN(number) && !isPull(number);
  const needed = scopesByRequest.find(([each]) => each.test(`${method} ${rest}`))?.[1];
  const scopes = isIssue ? ['issues'] : needed;
  const level = method === 'GET' ? 'read' : 'write';
  return scopes?.some((scope) => grants(permissions, scope, level)) === true
    ? undefined
    : new Refusal(403, 'Resource not accessible by integration');
}

/** What people may write without write access. */
const byReaders = /\/issues(?:\/\d+\/comments|\/comments\/\d+)?$/;
const byTriagers = /\/issues\/(?:comments\/)?\d+\b/;

/** GitHub's refusal of a person's request that changes something; `undefined` if the role allows it. */
export function roleRefusal(
  { method, path }: Pick<GitHubRequest, 'method' | 'path'>,
  role: string | undefined,
): Refusal | undefined {
  const allowed = role === 'read' ? byReaders : role === 'triage' ? byTriagers : /^/;
  return method === 'GET' ||
    !path.startsWith('/repos/') ||
    allowed.test(path) ||
    byReaders.test(path)
    ? undefined
    : new Refusal(403, 'Must have admin rights to Repository.');
}
