import type { GitHub } from './github.ts';
import { repositoryOf } from './state.ts';

/** What an event carries. */
export type Payload = Readonly<Record<string, unknown>>;

/** Adds what GitHub sends with every event of a repository. Only a schedule has no sender. */
export function complete(
  payload: Payload,
  github: GitHub,
  { login, repository }: { readonly login: string; readonly repository: string },
): Payload {
  const { show } = github;
  const [owner = ''] = repository.split('/');
  return {
    ...('schedule' in payload ? {} : { sender: show.account(login) }),
    repository: show.repository(repositoryOf(github, repository)),
    organization: show.organization(owner),
    ...payload,
  };
}
