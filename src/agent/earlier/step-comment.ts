import { array, type InferOutput, object, string } from 'valibot';
import {
  type ListedComment,
  listComments,
  listOwnComments,
  readComment,
} from '../../github/comments.ts';
import type { ThreadPlace } from '../../github/names.ts';
import type { GitHubDeps, Outcome } from '../../github/request.ts';
import type { Environment } from '../../runner/environment.ts';
import {
  hiddenLine,
  hiddenValue,
  lastHidden,
  readHiddenValue,
  type SealedFor,
  seal,
  unseal,
} from '../../text/seal.ts';
import { sha256 } from '../../text/sha256.ts';
import type { Access, Granted } from '../access.ts';
import type { AgentInputs } from '../inputs.ts';
import { type JobRecord, signRecord } from './record.ts';

/*
 * The step's comment on an issue or pull request: where the comment is, how later runs recognise it, and what its
 * hidden line tells them.
 */

/**
 * What a comment is about. A `job` comment follows the jobs of one step on one thread: each run updates it. A
 * run that a comment triggered writes a `job` comment of its own, as an answer. A `notice` says why nothing was
 * started. A notice never replaces a `job` comment. The step's next comment replaces a notice, unless a comment about
 * the same job stands below it.
 */
export type Kind = 'job' | 'notice';

export interface Target {
  readonly kind: Kind;
  /** The issue or pull request that the comment goes to. */
  readonly place: ThreadPlace;
  /** The token that writes the comment: the token for the workflow's repository. May be empty. */
  readonly token: string;
  readonly identity: Identity;
  /** How the log says that GitHub refuses the comment. */
  readonly level: 'info' | 'warning';
}

/** How later runs recognise a comment. */
interface Identity {
  /** See `keyOf`. */
  readonly key: string;
  /** Run and attempt, such as `1001.2`. */
  readonly run: string;
  /** Whether a comment triggered the run. If so, an older comment about the same job is not updated. */
  readonly isAnswer: boolean;
  /** The purpose and the place that the hidden line of a comment about a job is sealed for. */
  readonly sealedFor: SealedFor;
  /** The key that seals the hidden line; empty before the inputs are read. */
  readonly apiKey: string;
}

/** The permission that the comment needs, as advice names it. */
export const commentPermission =
  'the permission "issues: write" ("pull-requests: write" for a pull request)';

/** Where the step's comment goes; `undefined` if the step writes none. */
export function targetOf(
  kind: Kind,
  {
    access,
    inputs: agentInputs,
  }: { readonly access?: Access | undefined; readonly inputs?: AgentInputs | undefined },
  environment: Environment,
): Target | undefined {
  const request = access?.kind === 'granted' ? access : access?.commentable;
  const thread = request && threadFor(request);
  if (request === undefined || thread === undefined) {
    return undefined;
  }
  const { inputs, event } = request;
  const { number, level } = thread;
  const { repositoryId, repository } = environment;
  const identity: Identity = {
    key: keyOf(environment, inputs.matrix, event.commentId),
    run: environment.run,
    isAnswer: event.commentId !== undefined,
    sealedFor: { purpose: 'comment', place: `${repositoryId || repository}#${number}` },
    apiKey: agentInputs?.api.apiKey ?? '',
  };
  return { kind, place: { repository, number }, token: inputs.githubToken, identity, level };
}

/**
 * Identifies the one comment that a step updates.
 * @param commentId the id of the comment that triggered the run
 */
export function keyOf(
  { workflow, job, step }: Pick<Environment, 'workflow' | 'job' | 'step'>,
  matrix: string,
  commentId: number | undefined,
): string {
  const parts = [workflow, job, step, matrix, commentId ?? ''];
  return sha256(JSON.stringify(parts), 32);
}

/** The thread that the input `comment` names, or the event. */
function threadFor({
  inputs: { comment },
  event: { thread },
}: Pick<Granted, 'inputs' | 'event'>):
  | (Pick<Target, 'level'> & { readonly number: number })
  | undefined {
  switch (comment.kind) {
    case 'off':
      return undefined;
    case 'thread':
      return { number: comment.number, level: 'warning' };
    case 'event':
      return thread && { number: thread.number, level: comment.level };
  }
}

/** What the hidden line of a comment about a job tells later runs. */
const sealedSchema = object({
  key: string(),
  jobId: string(),
  /** The run that wrote the comment last. */
  run: string(),
  /** The signed records of runs for their re-runs, the latest first, as the cache has them in its keys. */
  records: array(string()),
});

type Sealed = InferOutput<typeof sealedSchema>;

/**
 * Opens the hidden line of a comment about a job. Other workflows comment as the same bot, but only this step's
 * API key can have sealed the line. A notice opens no comment about a job, so that it replaces no such comment.
 */
function readSealed(body: string, { kind, identity }: Target): Sealed | undefined {
  const { apiKey, sealedFor } = identity;
  return kind === 'job' ? unseal(sealedSchema, lastHidden(body), sealedFor, apiKey) : undefined;
}

/**
 * Lists the signed records in the thread's comments: those of all runs and all steps with this API key.
 * @throws the signal's reason
 */
export async function listRecords(
  target: Target,
  deps: GitHubDeps,
): Promise<Outcome<readonly string[]>> {
  const recordsIn = (text: string) => readSealed(text, target)?.records;
  const listing = await listComments(target.place, recordsIn, deps);
  return listing.kind === 'failed' ? listing : { kind: 'ok', value: listing.value.flat() };
}

/** The comment that this run updates. */
export interface OwnComment {
  readonly id: number;
  /** The key that the comment was created with, by which its own step finds it next time. */
  readonly key: string;
  readonly records: readonly string[];
}

/**
 * Finds the existing comment of this step, or about this very job; `undefined` if there is no such comment.
 *
 * @param known the comment, if this run has written it: it is only read again, because a run beside this one may have
 *   added records
 */
export async function findOwn(
  known: OwnComment | undefined,
  jobId: string,
  target: Target,
  deps: GitHubDeps,
): Promise<Outcome<OwnComment | undefined>> {
  if (known !== undefined) {
    const reading = await readComment(target.place, known.id, deps);
    const added = reading.kind === 'ok' ? (readSealed(reading.value, target)?.records ?? []) : [];
    return { kind: 'ok', value: { ...known, records: [...added, ...known.records] } };
  }
  const candidateOf = (text: string, comment: ListedComment): Candidate | undefined => {
    const sealed = readSealed(text, target);
    // The line of a notice is not sealed, because no run relies on what a notice says.
    const isNotice = readHiddenValue(string(), text, 'notice') === target.identity.key;
    return isNotice || sealed !== undefined ? { ...comment, sealed } : undefined;
  };
  const own = await listOwnComments(target.place, candidateOf, deps);
  return own.kind === 'failed'
    ? own
    : { kind: 'ok', value: chooseComment(own.value, jobId, target.identity) };
}

/** A comment of our own token whose hidden line is about this step, or about a job of this API key. */
interface Candidate extends ListedComment {
  /** `undefined` for a notice. */
  readonly sealed: Sealed | undefined;
}

/**
 * Chooses the comment to update: the last one that is about this very job or a notice, else this step's last comment.
 * A notice that stands below the comment about the job is out of date once there is more to say of the job.
 *
 * Two calls of one reusable workflow share workflow, job and step, so a comment that this same run
 * wrote about another job belongs to the other call.
 */
function chooseComment(
  own: readonly Candidate[],
  jobId: string,
  { key, run, isAnswer }: Identity,
): OwnComment | undefined {
  const isOfJob = ({ sealed }: Candidate) => !isAnswer && jobId !== '' && sealed?.jobId === jobId;
  const isNotice = ({ sealed }: Candidate) => sealed === undefined;
  const isOfStep = ({ sealed }: Candidate) =>
    sealed?.key === key && (sealed.run !== run || sealed.jobId === jobId);
  const chosen = own.findLast((each) => isOfJob(each) || isNotice(each)) ?? own.findLast(isOfStep);
  return chosen && { key, records: [], ...chosen.sealed, id: chosen.id };
}

/** Half of the longest comment that GitHub accepts, because the text has to fit, too: some 60 records. */
const maxLineLength = 32_000;

/** Adds the hidden line to the text, and returns what the comment holds once it is written. */
export function withHiddenLine(
  text: string,
  { jobId, record }: { readonly jobId: string; readonly record: JobRecord | undefined },
  { key, records: before }: Omit<OwnComment, 'id'>,
  { kind, identity }: Target,
): { readonly body: string; readonly records: readonly string[] } {
  const { run, sealedFor, apiKey } = identity;
  const added = record === undefined ? [] : [signRecord(record, apiKey)];
  const records = [...new Set([...added, ...before])];
  const line = () => {
    const sealed: Sealed = { key, jobId, run, records };
    return kind === 'job'
      ? hiddenLine(seal(sealed, sealedFor, apiKey))
      : hiddenValue('notice', identity.key);
  };
  while (line().length > maxLineLength) {
    records.pop();
  }
  return { body: `${text}\n${line()}\n`, records };
}
