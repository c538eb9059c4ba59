import { isSameName } from '../../github/names.ts';
import { type PullRequest, shownFiles } from '../../github/pull-request.ts';
import type { FoundLink } from '../../platform/pull-request-link.ts';
import { code, link } from '../../text/markdown.ts';
import { grouped } from '../../text/number.ts';
import { counted } from '../../text/plain.ts';
import { type HandedOver, handedOverIn, type Reached } from '../stage.ts';

/**
 * A pull request in Markdown, with title, size and first files only if every reader of the report may see them: if the
 * pull request is in the same repository, or public. Otherwise it may have been read with `docs-token`, which can have
 * more access than the readers.
 */
export function pullRequestPart(
  found: FoundLink,
  pullRequest: PullRequest | undefined,
  { repository }: { readonly repository: string },
): string {
  const line = `Pull request: ${pullRequestLink(found)}`;
  const isHere = isSameName(found.github?.repository ?? '', repository);
  if (pullRequest === undefined || !(isHere || pullRequest.isPublic)) {
    return line;
  }
  const { title, changedFiles, additions, deletions, files } = pullRequest;
  const size = `${counted(changedFiles, 'file')} changed, ${counted(additions, 'line')} added, ${grouped(deletions)} deleted`;
  const head = `${line} ${code(title)}<br>${size}`;
  if (files.length === 0) {
    return `${head}.`;
  }
  const shown = files.slice(0, shownFiles);
  const rest = changedFiles - shown.length;
  const more = rest > 0 ? [`- and ${rest} more`] : [];
  return [`${head}:\n`, ...shown.map((path) => `- ${code(path)}`), ...more].join('\n');
}

/** A link to a pull request, labelled `owner/name#12` if it is on GitHub. */
export function pullRequestLink(found: FoundLink): string {
  return link(nameOf(found), found.url);
}

/** The name of a pull request: `owner/name#12` if it is on GitHub, or else its address. */
export function nameOf({ url, github }: FoundLink): string {
  return github === undefined ? url : `${github.repository}#${github.number}`;
}

/** The pull request that the job had before a follow-up, if the job has opened another pull request since. */
export function replacedIn({ link, before, pullRequest }: HandedOver): FoundLink | undefined {
  return before === undefined || isSame(before, link, pullRequest) ? undefined : before;
}

/**
 * Whether two links of a job lead to the same pull request. A repository can have two names after a rename.
 * @param pullRequest the pull request of the later link, as GitHub returns it
 */
function isSame(
  { url, github: before }: FoundLink,
  later: FoundLink,
  pullRequest: PullRequest | undefined,
): boolean {
  if (before === undefined || later.github === undefined) {
    return url === later.url;
  }
  const { repository, number } = later.github;
  const names = [repository, pullRequest?.repository];
  return before.number === number && names.some((name) => isSameName(before.repository, name));
}

/**
 * What the job did with its pull request. `unknown` if the run only waited, because the prompt that the job worked on is
 * not known then.
 */
export type Work = 'opened' | 'continued' | 'unchanged' | 'unknown';

export function workOf(stage: Reached): Work {
  const handedOver = handedOverIn(stage);
  if (stage.at !== 'waiting' || stage.started.source === 'attached' || handedOver === undefined) {
    return 'unknown';
  }
  const { before, continuation } = handedOver;
  const { count = 1, changes } = continuation;
  if (replacedIn(handedOver) !== undefined || (before === undefined && count < 2)) {
    return 'opened';
  }
  if (changes === 'unknown') {
    return changes;
  }
  return changes === 'none' ? 'unchanged' : 'continued';
}

/** The number of the run's prompt among those of the pull request, such as ` in round 2`; empty for 1 or if unknown. */
export function roundIn({ count = 1 }: HandedOver['continuation']): string {
  return count < 2 ? '' : ` in round ${count}`;
}

/** Whether the pull request was merged or closed before the step ended, as far as GitHub says. */
export function isClosed(stage: Reached): boolean {
  return handedOverIn(stage)?.pullRequest?.isOpen === false;
}
