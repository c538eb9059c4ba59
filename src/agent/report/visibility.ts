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
  const isHere = isSameRepository(link?.github?.repository ?? '', repository);
  return isHere || pullRequest?.isPublic === true;
}

/** GitHub ignores the case of letters in names of repositories. */
export function isSameRepository(repository: string, other: string): boolean {
  return repository.toLowerCase() === other.toLowerCase();
}
