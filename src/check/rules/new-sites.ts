import type { Change } from '../change.ts';
import { publisherOf } from '../docs/known.ts';
import { isShown, pageChangesOf } from './page-changes.ts';

/** Where new pages lead on other sites, and no page did before: hosts, or `host/owner` where everybody publishes. */
export function newSites(change: Change): readonly string[] {
  const names = pageChangesOf(change)
    .filter(({ file }) => file.status === 'added' && isShown(change.after, file.path))
    .flatMap(({ after }) => after?.links ?? [])
    .filter(({ kind, target }) => kind === 'link' && !change.known.hasAddress(target))
    .map(({ target }) => {
      const { host = '', owner = '' } = publisherOf(target) ?? {};
      // Nothing that could be Markdown or a mention.
      return /^[a-z\d.-]+$/u.test(owner) ? `${host}/${owner}` : host;
    });
  return [...new Set(names)];
}
