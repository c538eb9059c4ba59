import type { PullRequest } from '../github/pull-request.ts';
import type { FoundLink } from '../platform/pull-request-link.ts';
import { duration } from '../text/duration.ts';
import { code, link } from '../text/markdown.ts';
import { counted } from '../text/plain.ts';
import type { Request } from './inputs.ts';
import type { Known } from './known.ts';
import type { Result } from './result.ts';

/** A row of a table: a name, and a cell that is Markdown already. */
export type Fact = readonly [name: string, cell: string];

/** The mark that a result's heading begins with. */
export const headingMarks: Readonly<Record<Result['result'], string>> = {
  'pull-request': '✅',
  'no-pull-request': 'ℹ️',
  failed: '❌',
  archived: '⚠️',
  'timed-out': '⏳',
  running: '⏳',
  cancelled: '🛑',
  skipped: '⏭️',
  error: '❌',
};

type FactsKnown = Pick<Known, 'job' | 'inputs' | 'link' | 'pullRequest'>;

/** What is known of the job, for whoever may read the run. */
export function factsOf(known: FactsKnown, tookMs: number | undefined): readonly Fact[] {
  const { job, inputs, link: found, pullRequest } = known;
  const projectId = inputs?.service.projectId ?? '';
  return rowsOf({ job, inputs, found, pullRequest, projectId, tookMs });
}

/**
 * The same for whoever may read an issue of `repository`. A pull request of another repository was
 * read with `docs-token`, which sees more than they may: of that one they get the link alone, and
 * not the branch, which is where the job works. The project's id is nothing to them.
 */
export function publicFactsOf(
  known: FactsKnown,
  tookMs: number | undefined,
  repository: string,
): readonly Fact[] {
  const isHere = (name: string): boolean => name.toLowerCase() === repository.toLowerCase();
  const { job, inputs, link: found, pullRequest } = known;
  return rowsOf({
    job: job && { ...job, ref: isHere(job.repository) ? job.ref : '' },
    inputs,
    found,
    pullRequest: isHere(found?.github?.repository ?? '') ? pullRequest : undefined,
    projectId: '',
    tookMs,
  });
}

interface Shown {
  readonly job: Known['job'] | undefined;
  readonly inputs: Known['inputs'] | undefined;
  readonly found: FoundLink | undefined;
  readonly pullRequest: PullRequest | undefined;
  /** Empty where it is not shown. */
  readonly projectId: string;
  readonly tookMs: number | undefined;
}

function rowsOf({ job, inputs, found, pullRequest, projectId, tookMs }: Shown): readonly Fact[] {
  if (job === undefined) {
    return [];
  }
  const { repository, ref } = job;
  const facts: readonly Fact[] = [
    ['Pull request', found === undefined ? '' : pullRequestCell(found, pullRequest)],
    ['Changes', pullRequest === undefined ? '' : changesCell(pullRequest)],
    ['Job', `${code(job.id)}, ${job.status}`],
    ['Project', projectId && code(projectId)],
    ['Model', job.model && code(job.model)],
    [
      'Repository',
      repository && `${code(repository)}${ref && `, the agent's branch ${code(ref)}`}`,
    ],
    [timeName(inputs?.request.kind), tookMs === undefined ? '' : duration(tookMs)],
  ];
  return facts.filter(([, cell]) => cell !== '');
}

/** Of a job that this step did not start, it only knows how long it waited. */
function timeName(kind: Request['kind'] | undefined): string {
  return kind === 'attach' ? 'Waited' : 'Time taken';
}

function pullRequestCell(found: FoundLink, pullRequest: PullRequest | undefined): string {
  return pullRequest === undefined ? linkTo(found) : `${linkTo(found)} ${code(pullRequest.title)}`;
}

/** A pull request as a link, in Markdown. */
export function linkTo({ url, github }: FoundLink): string {
  return link(github === undefined ? url : `${github.repository}#${github.number}`, url);
}

function changesCell({ changedFiles, additions, deletions }: PullRequest): string {
  return `${counted(changedFiles, 'file')}, ${counted(additions, 'line')} added, ${deletions} deleted`;
}
