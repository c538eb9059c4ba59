import { array, type InferOutput, object, string } from 'valibot';
import {
  type ListedComment,
  listComments,
  listOwnComments,
  type ThreadPlace,
  writeComment,
} from '../../github/comments.ts';
import { threadName } from '../../github/names.ts';
import {
  failureOfError,
  type GitHubDeps,
  type Outcome,
  type RequestFailure,
} from '../../github/request.ts';
import {
  createSeals,
  hiddenLine,
  hiddenSeal,
  readUnverified,
  type SealedFor,
  sealPrefix,
} from '../../text/seal.ts';
import { inTime, type JobRecord, type Place, signRecord, unreadPlace } from '../earlier/record.ts';
import type { AgentDeps } from '../state.ts';

/**
 * What a comment is about. A `job` comment follows the jobs of one step on one thread: each run updates it. A
 * run that a comment triggered has one of its own, as an answer to that comment. A `notice` says why nothing
 * was started. It never replaces a `job` comment, and the next comment of the step replaces it.
 */
export type Kind = 'job' | 'notice';

/** Where a comment goes, and how it is recognised. */
export interface Target {
  readonly kind: Kind;
  readonly place: ThreadPlace;
  /** Identifies the step, its project, and the comment that triggered the run. */
  readonly key: string;
  /** What each kind of comment is sealed for. */
  readonly sealedAs: Readonly<Record<Kind, SealedFor>>;
  /** Whether a comment triggered the run: then another comment about the same job is not updated. */
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

/** What the hidden line of a comment about a job tells later runs. */
const sealedSchema = object({
  key: string(),
  jobId: string(),
  /** Run and attempt that wrote it last, such as `1001.2`. */
  run: string(),
  /** The signed records of runs for their re-runs, the latest first. */
  records: array(string()),
});

type Sealed = InferOutput<typeof sealedSchema>;

/** A comment is not an archive. */
const maxRecords = 20;

/**
 * Opens the hidden line of a comment about a job. Others write comments as the same bot, but only this step's
 * API key can have sealed it. Where a notice is written, no comment about a job is opened, so none is replaced.
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
  if (listing.kind === 'failed') {
    return unreadPlace(listing);
  }
  const words: string[] = [];
  let hasForged = false;
  for (const { body } of listing.value) {
    const word = hiddenSeal(body);
    const sealed = unseal(word, target);
    const claim = sealed ?? readUnverified(sealedSchema, word, target.sealedAs.job.purpose);
    hasForged ||= sealed === undefined && claim?.key === target.key;
    words.push(...(sealed?.records ?? []));
  }
  return { kind: 'read', words, hasForged };
}

/** Writes one comment. */
export interface Writer {
  /**
   * Writes the content, after what is being written now. Never rejects.
   * @returns why it was not written
   */
  show(content: Content): Promise<RequestFailure | undefined>;
  /**
   * Writes the final content, and waits for it up to a limit. Never rejects.
   * @returns why GitHub refused it and what to do, as a sentence; `undefined` if it did not
   */
  finish(content: Content, isError: boolean): Promise<string | undefined>;
}

/** The comment that this run updates. */
interface OwnComment {
  readonly id: number;
  /** The key that it was created with, so that its own step finds it next time. */
  readonly key: string;
  readonly records: readonly string[];
}

/** Makes the writer of a comment; nothing is sent before it is used. */
export function createWriter(target: Target, { runner, github }: Deps): Writer {
  const { place, token, key } = target;
  const { clock, environment, log } = runner;
  const stop = new AbortController();
  const { signal } = stop;
  const requests = { session: github.as(token), clock, signal };
  let own: OwnComment | undefined;
  let queue: Promise<unknown> = Promise.resolve();
  let level: 'debug' | 'info' | 'warning' = target.isLoud ? 'warning' : 'info';

  const write = async (content: Content): Promise<RequestFailure | undefined> => {
    if (token === '') {
      return { problem: 'github-token is empty', isRefusal: true };
    }
    // A comment whose creation was not confirmed may exist, so every write searches until there is one.
    if (own === undefined) {
      const search = await findOwn(content, environment.run, target, requests);
      if (search.kind === 'failed') {
        return search;
      }
      own = search.value;
    }
    const before = own ?? { key, records: [] };
    const body = compose(before, content, environment.run, target);
    const written = await writeComment(place, own?.id, body, requests);
    if (written.kind === 'failed') {
      return written;
    }
    own = { ...before, id: written.value };
    // It says now that it is kept up to date.
    level = 'warning';
    return undefined;
  };

  const writeOrLog = async (content: Content): Promise<RequestFailure | undefined> => {
    const failure = await write(content).catch((error: unknown) => failureOfError(error, signal));
    if (failure !== undefined) {
      log[level](describeFailure(failure, target));
      level = 'debug';
    }
    return failure;
  };

  const show = (content: Content): Promise<RequestFailure | undefined> => {
    const writing = queue.then(() => writeOrLog(content));
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
      const failure = await writing;
      return failure?.isRefusal === true ? describeFailure(failure, target) : undefined;
    },
  };
}

/** Finds the comment that is there already; `undefined` if there is none. */
async function findOwn(
  content: Content,
  run: string,
  target: Target,
  requests: GitHubDeps,
): Promise<Outcome<OwnComment | undefined>> {
  const candidateOf = (comment: ListedComment) => candidateFrom(comment, target);
  const own = await listOwnComments(target.place, candidateOf, requests);
  return own.kind === 'failed'
    ? own
    : { kind: 'ok', value: chooseComment(own.value, content, run, target) };
}

/** A comment that is this step's, if our own token wrote it. */
interface Candidate extends ListedComment {
  /** `undefined` for a notice. */
  readonly sealed: Sealed | undefined;
}

/**
 * Returns the comment if its hidden line is this step's. A notice is recognised whichever API key sealed it,
 * because no run relies on what it says.
 */
function candidateFrom(comment: ListedComment, target: Target): Candidate | undefined {
  const word = hiddenSeal(comment.body);
  const sealed = unseal(word, target);
  const isNotice = word.startsWith(sealPrefix(target.sealedAs.notice));
  return isNotice || sealed !== undefined ? { ...comment, sealed } : undefined;
}

/**
 * Chooses the comment to update: the one about this very job, else the last one of this step.
 *
 * Two calls of one reusable workflow share workflow, job and step, so a comment that this same run
 * wrote about another job belongs to the other call.
 */
function chooseComment(
  own: readonly Candidate[],
  { jobId }: Content,
  run: string,
  { key, isAnswer }: Target,
): OwnComment | undefined {
  const ofJob = own.findLast(({ sealed }) => !isAnswer && jobId !== '' && sealed?.jobId === jobId);
  const ofStep = own.findLast(
    ({ sealed }) =>
      sealed === undefined ||
      (sealed.key === key && !(sealed.run === run && sealed.jobId !== jobId)),
  );
  const chosen = ofJob ?? ofStep;
  return chosen && { key, records: [], ...chosen.sealed, id: chosen.id };
}

/** The whole comment: the text, and the hidden line. */
function compose(
  { key, records: before }: Omit<OwnComment, 'id'>,
  { text, jobId, record }: Content,
  run: string,
  { kind, apiKey, sealedAs }: Target,
): string {
  const added = record === undefined ? [] : [signRecord(record, apiKey)];
  const records = [...new Set([...added, ...before])].slice(0, maxRecords);
  const sealed: Sealed = { key, jobId, run, records };
  const seal = createSeals(apiKey).seal(kind === 'job' ? sealed : {}, sealedAs[kind]);
  return `${text}\n${hiddenLine(seal)}\n`;
}

function describeFailure(
  { problem, isRefusal, status }: RequestFailure,
  { place, permission, isLoud }: Target,
): string {
  const name = threadName(place);
  // Whoever has not asked for a comment may not want one.
  const instead = isLoud ? '' : ', or set comment to "false"';
  const advice = isRefusal ? `: ${adviceOn(status, name, permission, instead)}` : '';
  return `The comment on ${name} could not be written, because ${problem}${advice}.`;
}

function adviceOn(
  status: number | undefined,
  name: string,
  permission: string,
  instead: string,
): string {
  switch (status) {
    case undefined:
      return 'leave that input out, or set comment to "false"';
    case 401:
      return 'check that github-token is complete and has not expired, as the token of an App does after an hour';
    case 404:
    case 410:
      return `check that ${name} exists, that nobody deleted the comment, and that github-token has the permission ${permission}`;
    default:
      return `give github-token the permission ${permission}, and check that the conversation is not locked${instead}`;
  }
}
