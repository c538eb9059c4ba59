import { setTimeout } from 'node:timers/promises';
import type { Comment, GitHubClient } from '../github/client.ts';

/** How often somebody with the issue open would see it change. */
const REFRESH_MS = 100;

/**
 * Watches the comments under an issue, like somebody who has its page open.
 *
 * @param onChange Told of each comment that is new or reads differently.
 * @returns What ends the watching, after one last look.
 */
export function watchComments(
  github: GitHubClient,
  repository: string,
  issue: number,
  onChange: (comment: Comment) => void,
): () => Promise<void> {
  const ended = new AbortController();
  const shown: string[] = [];

  async function look(): Promise<void> {
    const comments = await github.listComments(repository, issue);
    for (const [at, comment] of comments.entries()) {
      if (shown[at] !== comment.body) {
        shown[at] = comment.body;
        onChange(comment);
      }
    }
  }

  async function watch(): Promise<void> {
    while (!ended.signal.aborted) {
      await look();
      await setTimeout(REFRESH_MS, undefined, { signal: ended.signal }).catch(() => {});
    }
    await look();
  }

  const watching = watch();
  return () => {
    ended.abort();
    return watching;
  };
}
