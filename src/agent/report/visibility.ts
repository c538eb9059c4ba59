import { isSameName } from '../../github/names.ts';
import type { State } from '../state.ts';

/**
 * Whether every reader of the report may see the details of the pull request: it is in the same
 * repository, or public. Otherwise it may have been read with `docs-token`, which can have more access
 * than the readers, so the report only has the link.
 */
export function mayShowDetails(
  { link, pullRequest }: Pick<State, 'link' | 'pullRequest'>,
  { repository }: { readonly repository: string },
): boolean {
  const isHere = isSameName(link?.github?.repository ?? '', repository);
  return isHere || pullRequest?.isPublic === true;
}
