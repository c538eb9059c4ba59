import type { GitHub } from '../../github/client.ts';
import { createCommentKeeper } from '../../github/comment.ts';
import type { EventFacts } from '../../github/event.ts';
import { commentKey, createMarkerSigner } from '../../github/marker.ts';
import type { Runner } from '../../runner/step.ts';
import { withoutSecret } from '../../text/secret.ts';
import type { AccessInputs, CommentSetting } from '../access-inputs.ts';
import { type End, jobIdOf, type State } from '../state.ts';
import { type CommentWriter, createCommentWriter } from './comment-writer.ts';
import { createEarlier } from './earlier-pull-requests.ts';
import { endReport, workingReport } from './report.ts';

/** The step's comment on an issue or pull request. Until `open` is called, nothing is written. */
export interface StepComment {
  /**
   * Chooses where the comment goes: nowhere if `comment` is off or the event is not about an issue or
   * pull request. Sends nothing yet.
   */
  open(options: CommentOptions): void;
  /** Shows an active job. Returns at once. */
  showWorking(state: State): void;
  /** Shows how the step ended, and waits for that up to a limit. Never throws. */
  finish(end: End, state: State): Promise<void>;
}

export interface CommentOptions {
  readonly inputs: Pick<AccessInputs, 'comment' | 'githubToken' | 'docsToken'>;
  readonly facts: EventFacts;
  /** A refusal never overwrites the comment about a running job. */
  readonly subject: 'job' | 'refusal';
  readonly apiKey: string;
  readonly projectId: string;
}

export function createComment(github: GitHub, runner: Runner): StepComment {
  let writer: CommentWriter | undefined;
  return {
    open(options) {
      writer = openWriter(options, github, runner);
    },
    showWorking(state) {
      if (state.job?.status === 'active') {
        writer?.show({
          text: workingReport(state, runner.environment),
          jobId: state.job.id,
          link: '',
        });
      }
    },
    async finish(end, state) {
      const message = withoutProject(end.message, state);
      await writer?.finish({
        text: endReport({ ...end, message }, state, runner.environment),
        jobId: jobIdOf(state),
        link: state.link?.url ?? '',
      });
    },
  };
}

/** Issues have more readers than the log, so the project id that errors mention is removed. */
function withoutProject(message: string, { inputs }: State): string {
  const projectId = inputs?.api.projectId;
  return projectId === undefined
    ? message
    : withoutSecret(message.replaceAll(`project ${projectId}`, 'the project'), projectId);
}

function openWriter(
  { inputs, facts, subject, apiKey, projectId }: CommentOptions,
  github: GitHub,
  runner: Runner,
): CommentWriter | undefined {
  const target = chooseTarget(inputs.comment, facts, runner);
  if (target === undefined) {
    return undefined;
  }
  const onProblem = createWarning(target, runner);
  if (inputs.githubToken === '') {
    onProblem('github-token is empty', false);
    return undefined;
  }
  const { environment, clock, signal } = runner;
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
      signal: AbortSignal.any([signal, stop.signal]),
    }),
    clock,
    signal: stop.signal,
  });
  return createCommentWriter({ keeper, clock, signal, stop, onProblem });
}

/** The issue or pull request to comment on. */
interface Target {
  readonly number: number;
  /** Whether to warn if the comment fails. */
  readonly isLoud: boolean;
  /** The permission that the comment needs. */
  readonly permission: string;
}

function chooseTarget(
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
        log.debug('The event is not about an issue or pull request, so no comment is written.');
        return undefined;
      }
      const permission = thread.isPullRequest ? '"pull-requests: write"' : '"issues: write"';
      return { number: thread.number, isLoud: comment.isLoud, permission };
    }
  }
}

/** Returns a function that reports a failed comment: the first time as a warning, unless silent. */
function createWarning(
  { number, isLoud, permission }: Target,
  { log, environment }: Runner,
): (problem: string, isRefusal: boolean) => void {
  let isSilent = !isLoud;
  return (problem, isRefusal) => {
    const advice = isRefusal
      ? `: give github-token the permission ${permission}, and check that the conversation is not locked`
      : '';
    const sentence = `The comment on ${environment.repository}#${number} could not be written, because ${problem}${advice}.`;
    (isSilent ? log.debug : log.warning)(sentence);
    isSilent = true;
  };
}
