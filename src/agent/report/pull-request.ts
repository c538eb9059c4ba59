import { isSameName } from '../../github/names.ts';
import { type PullRequest, shownFiles } from '../../github/pull-request.ts';
import type { FoundLink } from '../../platform/pull-request-link.ts';
import { code, link } from '../../text/markdown.ts';
import { grouped } from '../../text/number.ts';
import { counted } from '../../text/plain.ts';
import type { HandedOver } from '../stage.ts';

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

/** Whether the pull request was merged or closed before the step ended, as far as GitHub says. */
export function isClosed({ pullRequest }: HandedOver): boolean {
  return pullRequest?.isOpen === false;
}
