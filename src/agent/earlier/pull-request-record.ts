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

/** The last prompt of the job whose end a run has seen. */
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
 * Compares this run's prompt with the last one in the record. Later prompts have larger ids.
 *
 * @param last what the record says so far; `undefined` if there is no record
 * @param sent the prompt of this run; `undefined` if the run has sent none, and only waited for the job
 * @param head the pull request's last commit now; empty if the commit is not known
 * @returns `head`: the last commit that this run's prompt may have led to, empty if the commit is not known; `news`:
 *   what the record has to say from now on, `undefined` if it says so already
 */
export function compareWithLast(
  last: LastPrompt | undefined,
  sent: JobRecord | undefined,
  head: string,
): { readonly head: string; readonly news: LastPrompt | undefined } {
  const id = sent === undefined ? '' : promptIdOf(sent);
  const isUnread = id === last?.id && last.head === '' && head !== '';
  if (last === undefined || id > last.id || isUnread) {
    return { head, news: { id, head } };
  }
  // Either a run has seen the end of this prompt, so that later commits are somebody else's. Or the job got a later
  // prompt, so that nobody knows which commits came of this one.
  return { head: id === last.id ? last.head : '', news: undefined };
}

/** A comment with the record of a pull request. */
export type RecordedComment = PullRequestRecord & ListedComment;

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
): Promise<Outcome<readonly RecordedComment[]>> {
  const recordIn = (text: string, comment: ListedComment): RecordedComment | undefined => {
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

/** What is left on a pull request about one job. */
export interface Left {
  /** The record in our newest comment, or else in an insider's comment; `undefined` if there is neither. */
  readonly record: PullRequestRecord | undefined;
  /** The id of our own comment, the only one that is changed; `undefined` if there is none. */
  readonly ownId: number | undefined;
}

/** Reads what earlier runs have left about a job, or why that could not be read. */
export async function readLeft(
  jobId: string,
  place: ThreadPlace,
  deps: GitHubDeps,
): Promise<Outcome<Left>> {
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
  { ownId, record }: Left,
  deps: GitHubDeps,
): Promise<Outcome<unknown>> {
  const labelling = record === undefined ? await putLabel(place, label, deps) : undefined;
  return labelling?.kind === 'failed' ? labelling : await writeComment(place, ownId, comment, deps);
}
