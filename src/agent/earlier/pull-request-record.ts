import { array, check, maxLength, object, pipe, regex, string } from 'valibot';
import {
  type ListedComment,
  listComments,
  ownAmong,
  type ThreadPlace,
  unknownOwner,
  writeComment,
} from '../../github/comments.ts';
import { isSameName } from '../../github/names.ts';
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
  /** The first prompt, and each follow-up, in the order in which their ends were seen. */
  readonly rounds: readonly Round[];
  /** Who asked for the pull request. */
  readonly source: Source;
}

/** One prompt that the job of the pull request has worked on. */
interface Round {
  /**
   * See `promptIdOf`. Empty if the prompt is not known: a run that only waited wrote this round, or a stranger wrote
   * the comment.
   */
  readonly id: string;
  /** The pull request's last commit after this round; empty if that is not known. */
  readonly head: string;
}

/** A comment has room for this many rounds. If there are more, the first rounds are forgotten. */
const maxRounds = 200;

const roundSchema = object({
  id: pipe(string(), regex(/^[\w.]{0,40}$/)),
  head: pipe(string(), regex(/^[\da-f]{0,64}$/)),
});

const recordSchema = object({
  jobId: pipe(string(), check(isJobId)),
  rounds: pipe(array(roundSchema), maxLength(maxRounds)),
  source: object({
    id: pipe(string(), regex(/^\d*$/)),
    name: pipe(string(), regex(/^[\w.-]+\/[\w.-]+$/)),
  }),
});

/**
 * Adds the round of a prompt, unless the prompt has a round, or another prompt was sent since.
 *
 * @param sent the record of the prompt; `undefined` if this run sent none, and only waits for the end of the last round
 * @param head the pull request's last commit now; empty if that is not known
 * @returns all rounds, the number of this one (0 if nobody knows), its last commit, and whether it has to be written down
 */
export function withRound(earlier: readonly Round[], sent: JobRecord | undefined, head: string) {
  const last = earlier.at(-1);
  const id = sent === undefined ? (last?.id ?? '') : promptIdOf(sent);
  const index = earlier.findLastIndex((round) => round.id === id);
  const known = earlier[index];
  // A new prompt. Later prompts have larger ids.
  if (known === undefined && (last === undefined || id > last.id)) {
    const rounds = [...earlier, { id, head }].slice(-maxRounds);
    return { rounds, count: rounds.length, head, isNews: true };
  }
  // The last prompt, of whose end nobody could read the commit.
  if (known !== undefined && known === last && known.head === '' && head !== '') {
    const rounds = [...earlier.slice(0, -1), { id, head }];
    return { rounds, count: rounds.length, head, isNews: true };
  }
  // Either whoever saw the end has written its commit down, and later commits are somebody else's. Or another prompt was
  // sent since, so that nobody knows any more what came of this one.
  return { rounds: earlier, count: index + 1, head: known?.head ?? '', isNews: false };
}

/** A comment with the record of a pull request. */
export type RecordedComment = PullRequestRecord & ListedComment;

/** The name of our hidden line on a pull request. */
const lineName = 'pull-request';

/**
 * Lists the comments on a pull request that name a job, the likeliest to be ours first: those of insiders, because
 * anybody may have written the other comments. Of these, the oldest comes first, because whoever copies our comment
 * does so later.
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

/** What the comments on a pull request say of one job. */
export interface RecordsOfJob {
  /** The rounds of our own comment, or else of the likeliest one. A stranger's rounds have no ids. */
  readonly rounds: readonly Round[];
  /** Who asked for the pull request; `undefined` if no comment says so. */
  readonly source: Source | undefined;
  /** The id of our own comment, the only one that is changed; `undefined` if there is none. */
  readonly ownId: number | undefined;
  /** Whether a run of this action has left a record, so that the label is not put on again. */
  readonly wasLeft: boolean;
}

/** Reads what earlier runs have recorded about a job, or why the records could not be read. */
export async function readRecordsOf(
  jobId: string,
  place: ThreadPlace,
  deps: GitHubDeps,
): Promise<Outcome<RecordsOfJob>> {
  const listing = await listRecorded(place, deps);
  if (listing.kind === 'failed') {
    return listing;
  }
  const comments = listing.value.filter((comment) => comment.jobId === jobId);
  const own = await ownAmong(comments, deps);
  if (own === undefined) {
    return { kind: 'failed', ...unknownOwner };
  }
  // The comment with the most rounds is the latest: an older comment, or a copy of it, has fewer.
  const [latest] = own.toSorted((one, other) => other.rounds.length - one.rounds.length);
  const likeliest = latest ?? comments[0];
  const wasLeft = latest !== undefined || likeliest?.isInsider === true;
  const { rounds = [], source } = likeliest ?? {};
  return {
    kind: 'ok',
    value: {
      rounds: wasLeft ? rounds : rounds.map((round) => ({ ...round, id: '' })),
      source,
      ownId: latest?.id,
      wasLeft,
    },
  };
}

/**
 * Puts the label on a pull request, unless an earlier run did, and leaves our comment there. A label that
 * people took off stays off. A comment that GitHub did not confirm is not created again, because then
 * there could be two comments.
 */
export async function leaveRecord(
  { place, label, record, text }: LeftRecord,
  { ownId, wasLeft }: RecordsOfJob,
  deps: GitHubDeps,
): Promise<Outcome<unknown>> {
  const labelling = wasLeft ? undefined : await putLabel(place, label, deps);
  if (labelling?.kind === 'failed') {
    return labelling;
  }
  const body = `${text}\n\n${hiddenValue(lineName, record)}\n`;
  return await writeComment(place, ownId, body, deps);
}

interface LeftRecord {
  readonly place: ThreadPlace;
  readonly label: string;
  readonly record: PullRequestRecord;
  /** The comment for people, in Markdown. */
  readonly text: string;
}
