import type { GitHub } from '../../github/client.ts';
import {
  type CommentKeeper,
  type Content,
  createCommentKeeper,
  type RecordSearch,
} from '../../github/comment.ts';
import type { EventFacts } from '../../github/event.ts';
import { commentKey, createMarkerSigner } from '../../github/marker.ts';
import { isFinal } from '../../platform/job.ts';
import type { Runner } from '../../runner/runner.ts';
import { withoutSecret } from '../../text/secret.ts';
import type { AccessInputs } from '../access/inputs.ts';
import { writeRecord } from '../rerun/record.ts';
import { type End, jobIdOf, type State } from '../state.ts';
import { chooseTarget, createWarning } from './comment-target.ts';
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
  /** Finds what earlier attempts left in the comment; `undefined` when the run has none. */
  findRecords(signal: AbortSignal): Promise<RecordSearch | undefined>;
  /**
   * Shows a job that has not ended. Never rejects.
   * @returns whether the comment could be written; `later` if it is written when the step ends
   */
  showWorking(state: State): Promise<'written' | 'not written' | 'later'>;
  /** Shows how a step ended that did something, and waits for that up to a limit. Never throws. */
  finish(end: End, state: State): Promise<void>;
}

export interface CommentOptions {
  readonly inputs: Pick<AccessInputs, 'comment' | 'githubToken' | 'docsToken'>;
  readonly facts: EventFacts;
  /** A refusal never overwrites the comment about a running job. */
  readonly subject: 'job' | 'refusal';
  readonly apiKey: string;
  readonly projectId: string;
  /** The matrix of the job as JSON; empty for none. */
  readonly matrix: string;
}

export function createComment(github: GitHub, runner: Runner): StepComment {
  let opened: OpenComment | undefined;
  let subject: CommentOptions['subject'] = 'job';
  return {
    open(options) {
      subject = options.subject;
      opened = openComment(options, github, runner);
    },
    findRecords: async (signal) => await opened?.keeper.findRecords(signal),
    async showWorking(state) {
      if (opened === undefined) {
        return 'not written';
      }
      if (state.job === undefined || isFinal(state.job.status)) {
        return 'later';
      }
      const content = contentOf(workingReport(state, runner.environment), state);
      return (await opened.writer.show(content)) ? 'written' : 'not written';
    },
    async finish(end, state) {
      if (subject === 'refusal' || hasBegun(state)) {
        const message = withoutProject(end.message, state);
        const text = endReport({ ...end, message }, state, runner.environment);
        await opened?.writer.finish(contentOf(text, state));
      }
    },
  };
}

/** Before that there is nothing that a comment could tell of the job. */
function hasBegun({ sinceMs, record }: State): boolean {
  return sinceMs !== undefined || record !== undefined;
}

function contentOf(text: string, state: State): Content {
  const { link, record } = state;
  return {
    text,
    jobId: jobIdOf(state),
    link: link?.url ?? '',
    record: record === undefined ? '' : writeRecord(record),
  };
}

/** Issues have more readers than the log, so the project id that errors mention is removed. */
function withoutProject(message: string, { inputs }: State): string {
  const projectId = inputs?.api.projectId;
  return projectId === undefined
    ? message
    : withoutSecret(message.replaceAll(`project ${projectId}`, 'the project'), projectId);
}

interface OpenComment {
  readonly keeper: CommentKeeper;
  readonly writer: CommentWriter;
}

function openComment(
  { inputs, facts, subject, apiKey, projectId, matrix }: CommentOptions,
  github: GitHub,
  runner: Runner,
): OpenComment | undefined {
  const target = chooseTarget(inputs.comment, facts, runner);
  if (target === undefined) {
    return undefined;
  }
  const onProblem = createWarning(target, runner);
  if (inputs.githubToken === '') {
    onProblem({ problem: 'github-token is empty', isRefusal: false });
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
    key: commentKey({ workflow, job, step, projectId, matrix, subject }),
    run,
    earlier: createEarlier({
      session: inputs.docsToken === '' ? undefined : github.as(inputs.docsToken),
      serverUrl,
      signal: AbortSignal.any([signal, stop.signal]),
    }),
    clock,
    signal: stop.signal,
  });
  return { keeper, writer: createCommentWriter({ keeper, clock, signal, stop, onProblem }) };
}
