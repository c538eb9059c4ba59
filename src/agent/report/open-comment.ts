import type { GitHub } from '../github/client.ts';
import { createCommentKeeper } from '../github/comment.ts';
import type { EventFacts } from '../github/event.ts';
import { commentKey, createMarkerSigner } from '../github/marker.ts';
import type { Runner } from '../runner/step.ts';
import { type Commenter, createCommenter } from './commenter.ts';
import { createEarlier } from './earlier.ts';
import type { GitHubInputs } from './github-inputs.ts';

/** What a comment needs to know. */
export interface CommentOrder {
  readonly inputs: Pick<GitHubInputs, 'comment' | 'githubToken' | 'docsToken'>;
  readonly facts: EventFacts;
  /** What it tells of: a refusal never writes over the news of a job that runs. */
  readonly subject: 'job' | 'refusal';
  readonly apiKey: string;
  readonly projectId: string;
}

/**
 * Gets the comment ready that `comment` asks for; `undefined` where it asks for none, or where the
 * event is about no issue. Nothing is sent before there is something to say.
 */
export function openComment(
  order: CommentOrder,
  github: GitHub,
  runner: Runner,
): Commenter | undefined {
  const { inputs, subject, apiKey, projectId } = order;
  const target = chooseTarget(order, runner);
  if (target === undefined) {
    return undefined;
  }
  const onProblem = createComplaint(target, runner);
  if (inputs.githubToken === '') {
    onProblem('github-token is empty', false);
    return undefined;
  }
  const { environment, clock, cancelled } = runner;
  const { repository, run, workflow, job, step, serverUrl } = environment;
  const stop = new AbortController();
  const keeper = createCommentKeeper({
    session: github.as(inputs.githubToken),
    graphqlUrl: github.graphqlUrl,
    signer: createMarkerSigner(apiKey),
    place: { repository, threadNumber: target.number },
    key: commentKey({ workflow, job, step, projectId, subject }),
    run,
    earlier: createEarlier({
      session: inputs.docsToken === '' ? undefined : github.as(inputs.docsToken),
      serverUrl,
      signal: AbortSignal.any([cancelled, stop.signal]),
    }),
    pause: (durationMs) => clock.sleep(durationMs, stop.signal),
    signal: stop.signal,
  });
  return createCommenter({ keeper, clock, cancelled, stop, onProblem });
}

/** The issue or pull request to comment on. */
interface Target {
  readonly number: number;
  /** Whether a comment that fails is warned of. */
  readonly isLoud: boolean;
  /** The permissions that writing there takes, in words. */
  readonly permission: string;
}

function chooseTarget({ inputs, facts }: CommentOrder, { log }: Runner): Target | undefined {
  const { comment } = inputs;
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
      const { thread } = facts;
      if (thread === undefined) {
        log.debug('The event is about no issue or pull request, so no comment is written.');
        return undefined;
      }
      const permission = thread.isPullRequest ? '"pull-requests: write"' : '"issues: write"';
      return { number: thread.number, isLoud: comment.isLoud, permission };
    }
  }
}

/** Tells of a comment that could not be written: once aloud, if at all. */
function createComplaint(
  { number, isLoud, permission }: Target,
  { log, environment }: Runner,
): (problem: string, isRefusal: boolean) => void {
  let wasTold = !isLoud;
  return (problem, isRefusal) => {
    const advice = isRefusal
      ? `: it takes the permission ${permission} for github-token, and a conversation that is not locked`
      : '';
    const sentence = `The comment on ${environment.repository}#${number} could not be written, because ${problem}${advice}.`;
    (wasTold ? log.debug : log.warning)(sentence);
    wasTold = true;
  };
}
