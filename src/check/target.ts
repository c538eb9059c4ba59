import { asSeenFrom, readPullRequestLink } from '../platform/pull-request-link.ts';
import type { Environment } from '../runner/environment.ts';
import { inputError } from '../text/error.ts';
import { quoted } from '../text/plain.ts';

/** A pull request on this workflow's server. */
export interface Target {
  /** `owner/name` of the repository that it would change. */
  readonly repository: string;
  readonly number: number;
}

/**
 * The pull request that an input names, or else the one of the event; `undefined` if there is neither.
 * @param prLink the input `pr-link`; may be empty
 * @throws ActionError for a link to something else, or if the event cannot be read
 */
export async function findTarget(
  prLink: string,
  environment: Pick<Environment, 'serverUrl' | 'repository' | 'eventPath'>,
): Promise<Target | undefined> {
  return prLink === '' ? await findInEvent(environment) : readLink(prLink, environment.serverUrl);
}

function readLink(prLink: string, serverUrl: string): Target {
  const link = readPullRequestLink(prLink);
  const found = link.kind === 'link' ? asSeenFrom(serverUrl, link).github : undefined;
  if (found === undefined) {
    throw inputError(
      'pr-link',
      `is ${quoted(prLink)}, which is not a pull request on ${serverUrl}`,
      `it takes a link such as ${serverUrl}/owner/name/pull/12`,
    );
  }
  return { repository: found.repository, number: Number(found.number) };
}

async function findInEvent({
  eventPath,
  repository,
}: Pick<Environment, 'repository' | 'eventPath'>): Promise<Target | undefined> {
  if (eventPath === '') {
    return undefined;
  }
  const { readEvent, readEventPayload } = await import('../github/event.ts');
  const event = await readEventPayload(eventPath);
  if (event.kind === 'unreadable') {
    throw inputError(
      'pr-link',
      `is empty, and ${event.problem}`,
      'give the link of a pull request',
    );
  }
  const thread = readEvent(event.payload)?.thread;
  return thread?.isPullRequest === true ? { repository, number: thread.number } : undefined;
}

/** Such as `acme/docs#12`. */
export function nameOf({ repository, number }: Target): string {
  return `${repository}#${number}`;
}
