import { check, object, pipe, regex, string } from 'valibot';
import {
  type ListedComment,
  listComments,
  ownAmong,
  unknownOwner,
  writeComment,
} from '../../github/comments.ts';
import { isSameName, type ThreadPlace } from '../../github/names.ts';
import { putLabel } from '../../github/pull-request.ts';
import type { GitHubDeps, Outcome } from '../../github/request.ts';
import { isJobId } from '../../platform/job.ts';
import type { Environment } from '../../runner/environment.ts';
import { hiddenValue, readHiddenValue } from '../../text/seal.ts';
import { isUnseen } from '../job/follow-up.ts';
import { type JobRecord, promptIdOf } from './record.ts';

/** A repository whose workflow asked for a pull request. */
interface Source {
  /** `GITHUB_REPOSITORY_ID`: stays the same after a rename; empty if the runner does not set it. */
  readonly id: string;
  /** `owner/name`: shown to people, and compared if there is no id. */
  readonly name: string;
}

export function sourceOf({
  repositoryId: id,
  repository: name,
}: Pick<Environment, 'repositoryId' | 'repository'>): Source {
  return { id, name };
}

export function isSameSource(one: Source, other: Source): boolean {
  return one.id === '' || other.id === '' ? isSameName(one.name, other.name) : one.id === other.id;
}

/**
 * What our comment on a pull request tells the next run. Anybody can write such a comment, so it only names a
 * job, and the API says whether that job opened the pull request.
 */
export interface PullRequestRecord {
  readonly jobId: string;
  readonly last: LastPrompt;
  /** Who asked for the pull request. */
  readonly source: Source;
}

/** The last prompt of the job whose end a run has seen. Later prompts have larger ids. */
export interface LastPrompt {
  /** See `promptIdOf`. Empty if the run that wrote the record had sent no prompt, and only waited for the job. */
  readonly id: string;
  /** The pull request's last commit when that run saw the end; empty if the commit is not known. */
  readonly head: string;
}

const recordSchema = object({
  jobId: pipe(string(), check(isJobId)),
  last: object({
    id: pipe(string(), regex(/^[\w.]{0,40}$/)),
    head: pipe(string(), regex(/^[\da-f]{0,64}$/)),
  }),
  source: object({
    id: pipe(string(), regex(/^\d*$/)),
    name: pipe(string(), regex(/^[\w.-]+\/[\w.-]+$/)),
  }),
});

/**
 * Decides up to which commit the work on a pull request may be this run's, and what the record there has to say.
 *
 * @param recorded the last prompt in the record; `undefined` if there is no record
 * @param sent this run's own record; `undefined` if the run has sent nothing, and only waited for the job
 * @param headNow the pull request's last commit now; empty if the commit is not known
 * @returns that commit, empty if it is not known, and as `news` the new record; `undefined` if the record stays
 */
export function attributeHead(
  recorded: LastPrompt | undefined,
  sent: JobRecord | undefined,
  headNow: string,
): { readonly head: string; readonly news: LastPrompt | undefined } {
  const id = sent === undefined ? '' : promptIdOf(sent);
  const isRecorded = id === recorded?.id;
  if (recorded !== undefined && (id < recorded.id || (isRecorded && recorded.head !== ''))) {
    // Either the job got a later prompt, so that nobody knows which commits came of this one. Or a run has seen the end
    // of this prompt, so that later commits are somebody else's.
    return { head: isRecorded ? recorded.head : '', news: undefined };
  }
  // As long as no poll has seen the job active since the follow-up, the agent may not have begun: a branch that has not
  // moved says nothing, and further commits may come.
  const mayGrow = isUnseen(sent?.followUp);
  const head = mayGrow && sent?.followUp?.headSha === headNow ? '' : headNow;
  const last = { id, head: mayGrow ? '' : head };
  return { head, news: isRecorded && last.head === '' ? undefined : last };
}

/** A comment that names the job of its pull request, whoever wrote it. */
export type Claim = PullRequestRecord & ListedComment;

/** The name of our hidden line on a pull request. */
const lineName = 'pull-request';

/**
 * Lists the comments on a pull request that name a job, the likeliest to be ours first: insiders' comments come before
 * strangers', and older comments before newer ones, because whoever copies our comment does so later.
 *
 * @throws the signal's reason when that is aborted during a delay
 */
export async function listRecorded(
  place: ThreadPlace,
  deps: GitHubDeps,
): Promise<Outcome<readonly Claim[]>> {
  const recordIn = (text: string, comment: ListedComment): Claim | undefined => {
    const record = readHiddenValue(recordSchema, text, lineName);
    return record && { ...record, ...comment };
  };
  const listing = await listComments(place, recordIn, deps);
  return listing.kind === 'failed'
    ? listing
    : {
        kind: 'ok',
        value: listing.value.toSorted(
          (one, other) => Number(other.isInsider) - Number(one.isInsider),
        ),
      };
}

/** What earlier runs have left on a pull request about one job. */
export interface Existing {
  /** The record in our newest comment, or else in an insider's comment; `undefined` if there is neither. */
  readonly record: PullRequestRecord | undefined;
  /** The id of our own comment, the only one that is changed; `undefined` if there is none. */
  readonly ownId: number | undefined;
}

export async function readExisting(
  jobId: string,
  place: ThreadPlace,
  deps: GitHubDeps,
): Promise<Outcome<Existing>> {
  const listing = await listRecorded(place, deps);
  if (listing.kind === 'failed') {
    return listing;
  }
  const comments = listing.value.filter((comment) => comment.jobId === jobId);
  const own = await ownAmong(comments, deps);
  if (own === undefined) {
    return { kind: 'failed', ...unknownOwner };
  }
  // An older comment of ours, or a copy of it, names an older prompt.
  const ids = own.map(({ last }) => last.id).toSorted();
  const latest = own.find(({ last }) => last.id === ids.at(-1));
  const record = latest ?? comments.find(({ isInsider }) => isInsider);
  return { kind: 'ok', value: { record, ownId: latest?.id } };
}

/** Our comment on a pull request: the text for people, in Markdown, and the record for the next run. */
export function commentWith(record: PullRequestRecord, text: string): string {
  return `${text}\n\n${hiddenValue(lineName, record)}\n`;
}

/**
 * Leaves our comment on a pull request, and also the label if no run has left a record there: a label that people took
 * off stays off. A comment that GitHub did not confirm is not created again, because then there could be two comments.
 */
export async function leaveRecord(
  place: ThreadPlace,
  label: string,
  comment: string,
  { ownId, record }: Existing,
  deps: GitHubDeps,
): Promise<Outcome<unknown>> {
  const labelling = record === undefined ? await putLabel(place, label, deps) : undefined;
  return labelling?.kind === 'failed' ? labelling : await writeComment(place, ownId, comment, deps);
}
