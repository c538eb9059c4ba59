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
import { failureOfError, type Reading, type RequestFailure } from '../../github/request.ts';
import {
  createSeals,
  hiddenLine,
  hiddenSeal,
  readClaim,
  type SealedFor,
  sealPrefix,
} from '../../text/seal.ts';
import {
  inTime,
  type JobRecord,
  type Place,
  packedRecord,
  packRecord,
  unpackRecord,
  unreadPlace,
} from '../earlier/record.ts';
import type { AgentDeps } from '../state.ts';

/**
 * What a comment is about. A step keeps one comment about its jobs on a thread; if the run was triggered by
 * a comment, it keeps one for each of those. A `notice` says why nothing was started: it never replaces the
 * comment about a job, and the next run replaces the notice.
 */
export type Kind = 'job' | 'notice';

/** Where a comment goes, and how it is recognised. */
export interface Target {
  readonly kind: Kind;
  readonly place: ThreadPlace;
  /** Identifies the step, its project, and the comment that asked for something. */
  readonly key: string;
  /** What comments about jobs, and the notices of this step, are sealed for. */
  readonly sealedAs: Readonly<Record<Kind, SealedFor>>;
  /** Whether the comment answers another one; then a comment about the same job is not taken for it. */
  readonly isAnswer: boolean;
  /** Empty before the inputs are read. */
  readonly apiKey: string;
  /** Of the workflow's repository; may be empty. */
  readonly token: string;
  /** Whether to warn if the comment fails. */
  readonly isLoud: boolean;
  /** The permission that the comment needs. */
  readonly permission: string;
}

/** What a comment says. */
export interface Content {
  /** Markdown; the hidden line is added later. */
  readonly text: string;
  /** Empty while the comment is about no job. */
  readonly jobId: string;
  readonly record: JobRecord | undefined;
}

type Deps = Pick<AgentDeps, 'runner' | 'github'>;

/** What a comment about a job tells later runs. */
const sealedSchema = object({
  key: string(),
  jobId: string(),
  /** Run and attempt that wrote it last, such as `1001.2`. */
  run: string(),
  /** What runs have left for their re-runs, the latest first. */
  records: array(tuple([string(), packedRecord])),
});

type Sealed = InferOutput<typeof sealedSchema>;
type Entry = Sealed['records'][number];

/** A comment is not an archive. */
const maxRecords = 20;

/**
 * What a comment about a job says; `undefined` where only a notice is looked for. Others write comments as
 * the same bot, but only this step's API key can have sealed it.
 */
function unseal(word: string, { kind, apiKey, sealedAs }: Target): Sealed | undefined {
  return kind === 'job' ? createSeals(apiKey).unseal(sealedSchema, word, sealedAs.job) : undefined;
}

/**
 * The records of all steps in the thread, and of all their runs; `absent` without a token.
 * @throws the signal's reason
 */
export async function findRecords(
  target: Target,
  signal: AbortSignal,
  { runner, github }: Deps,
): Promise<Place> {
  if (target.token === '') {
    return { kind: 'absent' };
  }
  const session = github.as(target.token);
  const listing = await listComments(target.place, { session, clock: runner.clock, signal });
  if (listing.kind === 'unread') {
    return unreadPlace(listing);
  }
  const records: JobRecord[] = [];
  let hasForged = false;
  for (const { body } of listing.value) {
    const word = hiddenSeal(body);
    const sealed = unseal(word, target);
    const claim = sealed ?? readClaim(sealedSchema, word, target.sealedAs.job.purpose);
    hasForged ||= sealed === undefined && claim?.key === target.key;
    records.push(...(sealed?.records ?? []).map((entry) => unpackRecord(...entry)));
  }
  return { kind: 'read', records, hasForged };
}

/** Writes one comment. */
export interface Writer {
  /**
   * Writes the content, after what is being written now, unless there is newer content by then. Never
   * rejects.
   * @returns why it was not written
   */
  show(content: Content): Promise<RequestFailure | undefined>;
  /** Writes the final content, and waits for it up to a limit. Never rejects. */
  finish(content: Content, isError: boolean): Promise<void>;
}

/** The comment that this run updates. */
interface OwnComment {
  readonly id: number;
  /** The key that it was created with, so that its own step finds it next time. */
  readonly key: string;
  readonly records: readonly Entry[];
}

/** GitHub may need a moment to list a comment whose creation got no response. */
const settleMs = 1000;

const replaced: RequestFailure = { problem: 'there is newer content', isRefusal: false };

/** Makes the writer of a comment; nothing is sent before it is used. */
export function createWriter(target: Target, { runner, github }: Deps): Writer {
  const { place, token } = target;
  const { clock, environment, log } = runner;
  const stop = new AbortController();
  const { signal } = stop;
  const requests = { session: github.as(token), clock, signal, graphqlUrl: github.graphqlUrl };
  let own: OwnComment | undefined;
  let latest: Content | undefined;
  let queue: Promise<unknown> = Promise.resolve();
  let level: 'debug' | 'info' | 'warning' = target.isLoud ? 'warning' : 'info';
  /** Whether GitHub did not confirm that it created the comment. */
  let mayExist = false;

  const bodyOf = (before: Omit<OwnComment, 'id'>, content: Content): string =>
    compose(before, content, environment.run, target);

  /** The comment that is there already; `undefined` if there is none. */
  const findOwn = async (content: Content): Promise<Reading<OwnComment | undefined>> => {
    const listing = await listComments(place, requests);
    if (listing.kind === 'unread') {
      return listing;
    }
    const candidates = listing.value.filter(({ body }) => isCandidate(body, target));
    const owned = await ownAmong(candidates, requests).catch(() => undefined);
    return mayExist && owned === undefined
      ? { kind: 'unread', ...unknownOwner }
      : { kind: 'read', value: chooseComment(owned ?? [], content, environment.run, target) };
  };

  const write = async (content: Content): Promise<RequestFailure | undefined> => {
    if (token === '') {
      return { problem: 'github-token is empty', isRefusal: true };
    }
    if (own === undefined) {
      const search = await findOwn(content);
      if (search.kind === 'unread') {
        return search;
      }
      own = search.value;
    }
    return own === undefined
      ? await create(content)
      : await updateComment(place, own.id, bodyOf(own, content), requests);
  };

  const create = async (content: Content): Promise<RequestFailure | undefined> => {
    const fresh = { key: target.key, records: [] };
    const created = await createComment(place, bodyOf(fresh, content), requests);
    if (created.kind === 'created') {
      own = { ...fresh, id: created.id };
      return undefined;
    }
    if (created.kind === 'failed' || mayExist) {
      return created;
    }
    // The comment may exist all the same: search for it before another one is created.
    mayExist = true;
    await clock.sleep(settleMs, signal);
    return await write(content);
  };

  const writeLatest = async (content: Content): Promise<RequestFailure | undefined> => {
    if (content !== latest) {
      return replaced;
    }
    const failure = await write(content).catch((error: unknown) => failureOfError(error, signal));
    if (failure !== undefined) {
      log[level](describeFailure(failure, target));
      level = 'debug';
    }
    return failure;
  };

  const show = (content: Content): Promise<RequestFailure | undefined> => {
    latest = content;
    const writing = queue.then(() => writeLatest(content));
    queue = writing;
    return writing;
  };

  return {
    show,
    async finish(content, isError) {
      if (isError) {
        // The comment was to say what went wrong, so a warning has to say that it is missing.
        level = 'warning';
      }
      const writing = show(content);
      await inTime(writing, runner);
      stop.abort();
      await writing;
    },
  };
}

/**
 * Whether a comment that our own token wrote is this step's. A notice is recognised whichever API key sealed
 * it, because no run relies on what it says.
 */
function isCandidate(body: string, target: Target): boolean {
  const word = hiddenSeal(body);
  return word.startsWith(sealPrefix(target.sealedAs.notice)) || unseal(word, target) !== undefined;
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
  run: string,
  target: Target,
): OwnComment | undefined {
  const found = own.map(({ id, body }) => ({ id, sealed: unseal(hiddenSeal(body), target) }));
  const ofJob = found.findLast(
    ({ sealed }) => !target.isAnswer && jobId !== '' && sealed?.jobId === jobId,
  );
  const ofStep = found.findLast(
    ({ sealed }) =>
      sealed === undefined ||
      (sealed.key === target.key && !(sealed.run === run && sealed.jobId !== jobId)),
  );
  const chosen = ofJob ?? ofStep;
  const { key, records } = chosen?.sealed ?? { key: target.key, records: [] };
  return chosen && { id: chosen.id, key, records };
}

/** The whole comment: the text, and the hidden line. */
function compose(
  own: Omit<OwnComment, 'id'>,
  { text, jobId, record }: Content,
  run: string,
  { kind, apiKey, sealedAs }: Target,
): string {
  const added: Entry[] = record === undefined ? [] : [[record.requestKey, packRecord(record)]];
  const entries = [...added, ...own.records];
  const records = [...new Map(entries.map((entry) => [JSON.stringify(entry), entry])).values()];
  const sealed: Sealed = { key: own.key, jobId, run, records: records.slice(0, maxRecords) };
  const seal = createSeals(apiKey).seal(kind === 'job' ? sealed : {}, sealedAs[kind]);
  return `${text}\n${hiddenLine(seal)}\n`;
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
    case undefined:
      return 'leave that input out, or set comment to "false"';
    case 401:
      return 'check that github-token is complete and has not expired';
    case 404:
    case 410:
      return `check that ${name} exists, that nobody deleted the comment, and that github-token has the permission ${permission}`;
    default:
      return `give github-token the permission ${permission}, and check that the conversation is not locked`;
  }
}
