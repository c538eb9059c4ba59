import { createHash } from 'node:crypto';
import { array, type InferOutput, object, string, tuple } from 'valibot';
import {
  createComment,
  type ListedComment,
  listComments,
  ownAmong,
  type ThreadPlace,
  unknownOwner,
  updateComment,
} from '../../github/comments.ts';
import { readPullDetails } from '../../github/pull-request.ts';
import type { RequestFailure } from '../../github/request.ts';
import { timeLimit } from '../../network/timer.ts';
import { isFinal } from '../../platform/job.ts';
import { asSeenFrom, readPullRequestLink } from '../../platform/pull-request-link.ts';
import type { Runner } from '../../runner/runner.ts';
import {
  createSeals,
  hiddenLine,
  hiddenSeal,
  readClaim,
  type SealedFor,
  sealPrefix,
} from '../../text/seal.ts';
import { withoutSecret } from '../../text/secret.ts';
import { type JobRecord, packedRecord, packRecord, unpackRecord } from '../earlier/record.ts';
import {
  type CommentRecords,
  limitMs,
  type RecordComment,
  stoppedLimitMs,
} from '../earlier/record-store.ts';
import type { AccessInputs } from '../inputs.ts';
import { type AgentDeps, type End, jobIdOf, type State } from '../state.ts';
import { pullRequestLink } from './pull-request.ts';
import { commandIn, endReport, workingReport } from './summary.ts';

/** The step's comment on an issue or pull request. It never fails the step. */
export interface StepComment extends RecordComment {
  /** Shows how the step ended, if people were told that it began, or should know why it did not. */
  finish(end: End, state: State): Promise<void>;
}

/**
 * A step has one comment on a thread about its jobs, or one for each comment that asks for something. Why
 * nothing was started is a `notice`: it never replaces the comment about a job, and the next run writes
 * over it, whatever key it has.
 */
type Kind = 'job' | 'notice';

/** Makes the step's comment; nothing is sent before it is used. */
export function createStepComment(deps: Pick<AgentDeps, 'runner' | 'github'>): StepComment {
  const writers = new Map<Kind, Writer>();
  const writerOf = (kind: Kind, state: State): Writer | undefined => {
    const target = targetOf(kind, state, deps);
    const writer = writers.get(kind) ?? (target && createWriter(target, deps));
    if (writer !== undefined) {
      writers.set(kind, writer);
    }
    return writer;
  };
  return {
    async findRecords(state, signal) {
      const target = targetOf('job', state, deps);
      return target && (await findRecords(target, signal, deps));
    },
    async showWorking(state) {
      const writer = writerOf('job', state);
      if (writer === undefined) {
        return 'not-written';
      }
      if (state.job === undefined || isFinal(state.job.status)) {
        return 'later';
      }
      const content = contentOf(workingReport(state, deps.runner.environment), state);
      return (await writer.show(content)) ? 'written' : 'not-written';
    },
    async finish(end, state) {
      const kind = kindAtEnd(end, state);
      const text = kind && endReport(withoutProject(end, state), state, deps.runner.environment);
      await (kind && writerOf(kind, state))?.finish(contentOf(text ?? '', state), isError(end));
    },
  };
}

function isError({ result }: End): boolean {
  return result.result === 'error';
}

/** Which comment the end belongs to; `undefined` for none. */
function kindAtEnd(
  { result }: End,
  { access, isDryRun, sinceMs, record }: State,
): Kind | undefined {
  if (isDryRun !== false || access === undefined) {
    return undefined;
  }
  if (access.kind === 'denied') {
    return access.told && 'notice';
  }
  if (sinceMs !== undefined || record !== undefined) {
    return 'job';
  }
  // The author of a command expects an answer; other comments on a pull request do not.
  const isUnanswered =
    result.result === 'skipped' &&
    result.reason === 'no-job-for-pull-request' &&
    commandIn(access.event.commentBody) !== undefined;
  return result.result === 'error' || isUnanswered ? 'notice' : undefined;
}

/** Issues have more readers than the log, so the project id that errors mention is removed. */
function withoutProject(end: End, { inputs }: State): End {
  const projectId = inputs?.api.projectId;
  return projectId === undefined
    ? end
    : {
        ...end,
        message: withoutSecret(
          end.message.replaceAll(`project ${projectId}`, 'the project'),
          projectId,
        ),
      };
}

/** Where a comment goes, and how it is told from others. */
interface Target {
  readonly kind: Kind;
  readonly place: ThreadPlace;
  /** Identifies the step, its project, and the comment that asked for something. */
  readonly key: string;
  /** What comments about jobs, and the notices of this step, are sealed for. */
  readonly sealedAs: Readonly<Record<Kind, SealedFor>>;
  /** Whether the comment answers another one; then a comment about the same job is not taken for it. */
  readonly isAnswer: boolean;
  readonly apiKey: string;
  readonly inputs: AccessInputs;
  /** Whether to warn if the comment fails. */
  readonly isLoud: boolean;
  /** The permission that the comment needs. */
  readonly permission: string;
}

/** `undefined` for no comment. */
function targetOf(
  kind: Kind,
  { access, inputs: agentInputs }: State,
  { runner: { environment } }: Pick<AgentDeps, 'runner'>,
): Target | undefined {
  const told = access?.kind === 'granted' ? access : access?.told;
  const where = told && threadFor(told);
  if (told === undefined || where === undefined || (kind === 'job' && agentInputs === undefined)) {
    return undefined;
  }
  const { inputs, event } = told;
  const { repository } = environment;
  const step = { ...environment, matrix: inputs.matrix, commentId: event.commentId };
  const place = { repository, number: where.number };
  const thread = `${repository}#${where.number}`;
  return {
    ...where,
    kind,
    place,
    key: keyOf(step, agentInputs?.api.projectId),
    sealedAs: {
      job: { purpose: 'comment', place: thread },
      // A wrong project id is one of the things that a notice can be about.
      notice: { purpose: 'notice', place: `${thread} ${keyOf(step)}` },
    },
    isAnswer: event.commentId !== undefined,
    apiKey: agentInputs?.api.apiKey ?? '',
    inputs,
  };
}

/** What has a comment of its own. */
interface CommentedStep {
  readonly workflow: string;
  /** Ids of the job and the step inside the workflow. */
  readonly job: string;
  readonly step: string;
  readonly matrix: string;
  /** Of the comment that asked for something. */
  readonly commentId: number | undefined;
}

/** Identifies the one comment that a step updates. */
export function keyOf(
  { workflow, job, step, matrix, commentId }: CommentedStep,
  projectId = '',
): string {
  const parts = [workflow, job, step, matrix, commentId ?? '', projectId];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}

/** The thread that the input `comment` names, or the event. */
function threadFor({
  inputs: { comment },
  event: { thread },
}: Pick<Extract<State['access'], { kind: 'granted' }>, 'inputs' | 'event'>):
  | (Pick<Target, 'isLoud' | 'permission'> & { readonly number: number })
  | undefined {
  switch (comment.kind) {
    case 'off':
      return undefined;
    case 'thread': {
      const permission = '"issues: write" ("pull-requests: write" for a pull request)';
      return { number: comment.number, isLoud: true, permission };
    }
    case 'event': {
      const permission =
        thread?.isPullRequest === true ? '"pull-requests: write"' : '"issues: write"';
      return thread && { number: thread.number, isLoud: comment.isLoud, permission };
    }
  }
}

/** Says in the log where an event leaves no place for a comment. */
export function warnOfNoThread(
  { inputs: { comment }, event }: Extract<State['access'], { kind: 'granted' }>,
  { log }: Pick<Runner, 'log'>,
): void {
  if (comment.kind !== 'event' || event.thread !== undefined) {
    return;
  }
  if (comment.isLoud) {
    log.warning(
      'Input comment is "true", but the event is not about an issue or pull request, so no comment is written: set it to the number of one, or to "auto".',
    );
  } else {
    log.debug('The event is not about an issue or pull request, so no comment is written.');
  }
}

/** What a comment says. */
interface Content {
  /** Markdown; the line about earlier pull requests and the hidden line are added later. */
  readonly text: string;
  /** Empty while the comment is about no job. */
  readonly jobId: string;
  /** Of the job's pull request; empty while there is none. */
  readonly link: string;
  readonly record: JobRecord | undefined;
}

function contentOf(text: string, state: State): Content {
  return { text, jobId: jobIdOf(state), link: state.link?.url ?? '', record: state.record };
}

/** What a comment about a job tells later runs. */
const sealedSchema = object({
  key: string(),
  jobId: string(),
  /** Run and attempt that wrote it last, such as `1001.2`. */
  run: string(),
  /** Of the job's pull request; empty while there is none. */
  link: string(),
  /** Of the pull requests that the comment named before this job, the latest first. */
  earlier: array(string()),
  /** What runs have left for their re-runs, the latest first. */
  records: array(tuple([string(), packedRecord])),
});

type Sealed = InferOutput<typeof sealedSchema>;
type Entry = Sealed['records'][number];

/** The records of all steps in the thread, and of all their runs. */
async function findRecords(
  target: Target,
  signal: AbortSignal,
  { runner, github }: Pick<AgentDeps, 'runner' | 'github'>,
): Promise<CommentRecords | undefined> {
  const { githubToken } = target.inputs;
  if (githubToken === '') {
    return undefined;
  }
  const session = github.as(githubToken);
  const listing = await listComments(target.place, { session, clock: runner.clock, signal });
  if (listing.kind === 'unread') {
    return listing;
  }
  const records: JobRecord[] = [];
  let hasForged = false;
  for (const { body } of listing.value) {
    const word = hiddenSeal(body);
    const sealed = unseal(word, target);
    const claim = sealed ?? readClaim(sealedSchema, word, target.sealedAs.job.purpose);
    hasForged ||= sealed === undefined && claim?.key === target.key;
    records.push(...(sealed?.records ?? []).flatMap((entry) => unpackRecord(...entry) ?? []));
  }
  return { kind: 'found', records, hasForged };
}

/** Only this step's API key can have sealed it. Others write comments as the same bot. */
function unseal(word: string, target: Target): Sealed | undefined {
  return createSeals(target.apiKey).unseal(sealedSchema, word, target.sealedAs.job);
}

/** Writes one comment. */
interface Writer {
  /**
   * Writes the content in the background. Newer content replaces what was not written yet. Never rejects.
   * @returns whether the comment could be written
   */
  show(content: Content): Promise<boolean>;
  /** Writes the final content, and waits for it up to a limit. Never rejects. */
  finish(content: Content, isLoud: boolean): Promise<void>;
}

function createWriter(
  target: Target,
  { runner, github }: Pick<AgentDeps, 'runner' | 'github'>,
): Writer {
  const stop = new AbortController();
  const deps = { runner, github, signal: stop.signal };
  let own: OwnComment | undefined;
  let wanted: Content | undefined;
  let writing: Promise<boolean> | undefined;
  let isLoud = target.isLoud;
  /** Whether GitHub did not confirm that it created the comment. */
  let mayExist = false;

  const write = async (content: Content): Promise<RequestFailure | undefined> => {
    if (target.inputs.githubToken === '') {
      return { problem: 'github-token is empty', isRefusal: false };
    }
    if (own !== undefined) {
      return await update(own, content, target, deps);
    }
    const first = await findOrCreate(content, target, mayExist, deps);
    mayExist ||= 'unconfirmed' in first;
    if ('unconfirmed' in first) {
      // The comment may exist all the same: search for it before another one is created.
      await runner.clock.sleep(settleMs, stop.signal);
    }
    const written =
      'unconfirmed' in first ? await findOrCreate(content, target, true, deps) : first;
    own = 'own' in written ? written.own : undefined;
    return 'unconfirmed' in written ? written.unconfirmed : written.failure;
  };

  const writeAll = async (): Promise<boolean> => {
    let isWritten = false;
    while (wanted !== undefined) {
      const content = wanted;
      wanted = undefined;
      const failure = await write(content).catch((error: unknown) => {
        // An aborted delay throws. Any other error is a bug, but not a reason to fail the step.
        const problem = stop.signal.aborted ? 'GitHub did not respond in time' : String(error);
        return { problem, isRefusal: false };
      });
      isWritten = failure === undefined;
      if (failure !== undefined) {
        (isLoud ? runner.log.warning : runner.log.debug)(describeFailure(failure, target));
        isLoud = false;
      }
    }
    writing = undefined;
    return isWritten;
  };

  return {
    show(content) {
      wanted = content;
      writing ??= writeAll();
      return writing;
    },
    async finish(content, isError) {
      // What went wrong must reach somebody; whatever else a run says stands in its log.
      isLoud ||= isError;
      const done = new AbortController();
      const written = this.show(content);
      const limit = stopInTime(stop, runner, done.signal);
      await written;
      done.abort();
      await limit;
    },
  };
}

/** Stops the requests when the time is over, unless `done` comes first. */
async function stopInTime(
  stop: AbortController,
  { clock, signal: stopped }: Pick<Runner, 'clock' | 'signal'>,
  done: AbortSignal,
): Promise<void> {
  const wait = (durationMs: number, signal: AbortSignal): Promise<void> =>
    clock.sleep(durationMs, signal).catch(() => {});
  await wait(limitMs, AbortSignal.any([stopped, done]));
  if (stopped.aborted) {
    await wait(stoppedLimitMs, done);
  }
  if (!done.aborted) {
    stop.abort();
  }
}

function describeFailure(
  { problem, isRefusal, status }: RequestFailure,
  { place: { repository, number }, permission }: Target,
): string {
  const name = `${repository}#${number}`;
  const advice = isRefusal ? `: ${adviceOn(status, name, permission)}` : '';
  return `The comment on ${name} could not be written, because ${problem}${advice}.`;
}

function adviceOn(status: number | undefined, name: string, permission: string): string {
  switch (status) {
    case 401:
      return 'check that github-token is complete and has not expired';
    case 404:
    case 410:
      return `check that ${name} exists, that nobody deleted the comment, and that github-token has the permission ${permission}`;
    default:
      return `give github-token the permission ${permission}, and check that the conversation is not locked`;
  }
}

interface WriteDeps extends Pick<AgentDeps, 'runner' | 'github'> {
  /** Stops the requests. */
  readonly signal: AbortSignal;
}

function commentDeps({ inputs }: Target, { runner, github, signal }: WriteDeps) {
  const { clock } = runner;
  return { session: github.as(inputs.githubToken), clock, signal, graphqlUrl: github.graphqlUrl };
}

/** The comment that this run updates, with what it said before of other jobs. */
interface OwnComment {
  readonly id: number;
  /** The key that it was created with, so that its own step finds it next time. */
  readonly key: string;
  readonly link: string;
  readonly earlier: readonly EarlierPullRequest[];
  readonly records: Sealed['records'];
}

/** GitHub may need a moment to list a comment whose creation got no response. */
const settleMs = 1000;

type Written =
  | { readonly own: OwnComment; readonly failure?: never }
  | { readonly failure: RequestFailure }
  | { readonly unconfirmed: RequestFailure };

/**
 * Updates the comment that is there already, or creates one.
 * @param mayExist whether an earlier attempt to create it was not confirmed
 */
async function findOrCreate(
  content: Content,
  target: Target,
  mayExist: boolean,
  deps: WriteDeps,
): Promise<Written> {
  const requests = commentDeps(target, deps);
  const listing = await listComments(target.place, requests);
  if (listing.kind === 'unread') {
    return { failure: listing };
  }
  const candidates = listing.value.filter(({ body }) => isCandidate(body, target));
  const owned = await ownAmong(candidates, requests).catch(() => undefined);
  const chosen = chooseComment(owned ?? [], content, target, deps);
  if (chosen !== undefined) {
    const own = await takeOver(chosen, content, target, deps);
    const failure = await update(own, content, target, deps);
    return failure === undefined ? { own } : { failure };
  }
  if (mayExist && owned === undefined) {
    const problem = 'GitHub does not say which user github-token belongs to';
    return { failure: { ...unknownOwner, problem } };
  }
  const fresh = { key: target.key, link: '', earlier: [], records: [] };
  const body = compose(fresh, content, target, deps);
  const created = await createComment(target.place, body, requests);
  switch (created.kind) {
    case 'created':
      return { own: { ...fresh, id: created.id } };
    case 'unconfirmed':
      return { unconfirmed: created };
    case 'failed':
      return { failure: created };
  }
}

/** Whether a comment can be ours, if our own token wrote it. */
function isCandidate(body: string, target: Target): boolean {
  const word = hiddenSeal(body);
  return isNotice(word, target) || (target.kind === 'job' && unseal(word, target) !== undefined);
}

/** Nobody relies on what a notice says, so its signature does not matter. */
function isNotice(word: string, target: Target): boolean {
  return word.startsWith(sealPrefix(target.sealedAs.notice));
}

/**
 * Chooses the comment to update: the one about this very job, else the last one of this step.
 *
 * Two calls of one reusable workflow share workflow, job and step, so a comment that this same run
 * wrote about another job belongs to the other call.
 */
function chooseComment(
  own: readonly ListedComment[],
  { jobId }: Content,
  target: Target,
  { runner }: WriteDeps,
): ListedComment | undefined {
  const { run } = runner.environment;
  const found = own.map((comment) => {
    const word = hiddenSeal(comment.body);
    return { comment, sealed: target.kind === 'job' ? unseal(word, target) : undefined };
  });
  const ofJob = found.findLast(
    ({ sealed }) => !target.isAnswer && jobId !== '' && sealed?.jobId === jobId,
  );
  const ofStep = found.findLast(
    ({ sealed }) =>
      sealed === undefined ||
      (sealed.key === target.key && !(sealed.run === run && sealed.jobId !== jobId)),
  );
  return (ofJob ?? ofStep)?.comment;
}

/** A pull request of an earlier job that the comment named. */
interface EarlierPullRequest {
  readonly link: string;
  /** False if its state is not known. */
  readonly isOpen: boolean;
}

/** A comment is not an archive. */
const maxEarlier = 5;
const maxRecords = 20;

/** What remains of a comment that this run takes over; our report replaces that of another job. */
async function takeOver(
  { id, body }: ListedComment,
  { jobId }: Content,
  target: Target,
  deps: WriteDeps,
): Promise<OwnComment> {
  const sealed = target.kind === 'job' ? unseal(hiddenSeal(body), target) : undefined;
  if (sealed === undefined) {
    return { id, key: target.key, link: '', earlier: [], records: [] };
  }
  const isSameJob = sealed.jobId === jobId;
  const links = isSameJob ? sealed.earlier : [sealed.link, ...sealed.earlier];
  const kept = [...new Set(links)].filter((link) => link !== '').slice(0, maxEarlier);
  const reviewed = await Promise.all(kept.map((link) => review(link, target, deps)));
  return {
    id,
    key: sealed.key,
    link: isSameJob ? sealed.link : '',
    earlier: reviewed.filter((pull) => pull !== undefined),
    records: sealed.records,
  };
}

/** Whether earlier pull requests are open is optional, so the comment waits only briefly for it. */
const reviewLimitMs = 3000;

/** `undefined` if the pull request is closed. */
async function review(
  link: string,
  { inputs: { docsToken } }: Target,
  { runner, github, signal }: WriteDeps,
): Promise<EarlierPullRequest | undefined> {
  const found = readPullRequestLink(link);
  if (found.kind !== 'link') {
    return undefined;
  }
  const place = asSeenFrom(runner.environment.serverUrl, found).github;
  const requests = {
    session: github.as(docsToken),
    clock: runner.clock,
    signal: AbortSignal.any([runner.signal, signal, timeLimit(reviewLimitMs)]),
  };
  const reading =
    place === undefined || docsToken === ''
      ? undefined
      : await readPullDetails({ ...place, number: Number(place.number) }, requests).catch(
          () => undefined,
        );
  const isOpen = reading?.kind === 'read' ? reading.value.isOpen : undefined;
  return isOpen === false ? undefined : { link: found.url, isOpen: isOpen === true };
}

async function update(
  own: OwnComment,
  content: Content,
  target: Target,
  deps: WriteDeps,
): Promise<RequestFailure | undefined> {
  const body = compose(own, content, target, deps);
  return await updateComment(target.place, own.id, body, commentDeps(target, deps));
}

/** The whole comment: the text, the open pull requests of earlier jobs, and the hidden line. */
function compose(
  own: Omit<OwnComment, 'id'>,
  { text, jobId, record, ...content }: Content,
  target: Target,
  { runner }: WriteDeps,
): string {
  const { run, serverUrl } = runner.environment;
  const link = content.link || own.link;
  const pulls = own.earlier.filter((pull) => pull.link !== link);
  const entries: Sealed['records'] = [
    ...(record === undefined ? [] : [[record.subject, packRecord(record)] satisfies Entry]),
    ...own.records,
  ];
  const records = [...new Map(entries.map((entry) => [JSON.stringify(entry), entry])).values()];
  const sealed: Sealed = {
    key: own.key,
    jobId,
    run,
    link,
    earlier: pulls.map((pull) => pull.link),
    records: records.slice(0, maxRecords),
  };
  const seal = createSeals(target.apiKey).seal(
    target.kind === 'job' ? sealed : {},
    target.sealedAs[target.kind],
  );
  const line =
    pulls.length === 0
      ? ''
      : `**From earlier runs:** ${pulls.map((pull) => describeEarlier(pull, serverUrl)).join(', ')}\n\n`;
  return `${text}\n${line}${hiddenLine(seal)}\n`;
}

function describeEarlier({ link, isOpen }: EarlierPullRequest, serverUrl: string): string {
  const found = readPullRequestLink(link);
  const shown = found.kind === 'link' ? pullRequestLink(asSeenFrom(serverUrl, found)) : '';
  return isOpen ? `${shown} (still open)` : shown;
}
