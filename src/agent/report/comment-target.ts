import type { EventFacts } from '../../github/event.ts';
import type { RequestFailure } from '../../github/request.ts';
import type { Runner } from '../../runner/runner.ts';
import type { CommentSetting } from '../access/inputs.ts';

/** The issue or pull request to comment on. */
interface Target {
  readonly number: number;
  /** Whether to warn if the comment fails. */
  readonly isLoud: boolean;
  /** The permission that the comment needs. */
  readonly permission: string;
}

/** Chooses where the comment goes; `undefined` for nowhere. */
export function chooseTarget(
  comment: CommentSetting,
  { thread }: EventFacts,
  { log }: Runner,
): Target | undefined {
  switch (comment.kind) {
    case 'off':
      return undefined;
    case 'thread':
      return {
        number: comment.number,
        isLoud: true,
        permission: '"issues: write" ("pull-requests: write" for a pull request)',
      };
    case 'event': {
      if (thread === undefined) {
        if (comment.isLoud) {
          log.warning(
            'Input comment is "true", but the event is not about an issue or pull request, so no comment is written: set it to the number of one, or to "auto".',
          );
        } else {
          log.debug('The event is not about an issue or pull request, so no comment is written.');
        }
        return undefined;
      }
      const permission = thread.isPullRequest ? '"pull-requests: write"' : '"issues: write"';
      return { number: thread.number, isLoud: comment.isLoud, permission };
    }
  }
}

function adviceOn(status: number | undefined, place: string, permission: string): string {
  switch (status) {
    case 401:
      return 'check that github-token is complete and has not expired';
    case 404:
    case 410:
      return `check that ${place} exists, that nobody deleted the comment, and that github-token has the permission ${permission}`;
    default:
      return `give github-token the permission ${permission}, and check that the conversation is not locked`;
  }
}

/** Returns a function that reports a failed comment: the first time as a warning, unless silent. */
export function createWarning(
  { number, isLoud, permission }: Target,
  { log, environment }: Runner,
): (failure: RequestFailure) => void {
  let isSilent = !isLoud;
  return ({ problem, isRefusal, status }) => {
    const place = `${environment.repository}#${number}`;
    const advice = isRefusal ? `: ${adviceOn(status, place, permission)}` : '';
    const sentence = `The comment on ${place} could not be written, because ${problem}${advice}.`;
    (isSilent ? log.debug : log.warning)(sentence);
    isSilent = true;
  };
}
