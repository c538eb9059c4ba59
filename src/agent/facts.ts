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

/** What is known of the job, for people. */
export function factsOf(
  { job, inputs, link: found, pullRequest: details }: FactsKnown,
  tookMs: number | undefined,
): readonly Fact[] {
  if (job === undefined) {
    return [];
  }
  const { repository, ref } = job;
  const facts: readonly Fact[] = [
    ['Pull request', found === undefined ? '' : pullRequestCell(found, details)],
    ['Changes', details === undefined ? '' : changesCell(details)],
    ['Job', `${code(job.id)}, ${job.status}`],
    ['Project', inputs === undefined ? '' : code(inputs.service.projectId)],
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

function pullRequestCell({ url, github }: FoundLink, details: PullRequest | undefined): string {
  const target = link(github === undefined ? url : `${github.repository}#${github.number}`, url);
  return details === undefined ? target : `${target} ${code(details.title)}`;
}

function changesCell({ changedFiles, additions, deletions }: PullRequest): string {
  return `${counted(changedFiles, 'file')}, ${counted(additions, 'line')} added, ${deletions} deleted`;
}
