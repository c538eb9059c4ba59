import type { JobStatus } from '../../src/platform/job.ts';

/** An agent job, in the form of the API. */
export interface Job {
  readonly id: string;
  readonly status: JobStatus;
  /** `ref` is the agent's branch for this job. */
  readonly source: { readonly repository: string; readonly ref: string };
  readonly model: string;
  readonly prLink: string | null;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  /** ISO 8601, UTC; null unless the job is archived. */
  readonly archivedAt: string | null;
}

/** The fields of a job that can change. */
type JobChange = Partial<Pick<Job, 'status' | 'prLink' | 'archivedAt'>>;

/** Keeps the jobs in memory, and counts requests for the hourly limits. */
export interface Store {
  addJob(projectId: string, job: Job): void;
  /** The job with that id, if it belongs to that project. */
  findJob(projectId: string, id: string): Job | undefined;
  /** The jobs of all projects, oldest first. */
  listJobs(): Job[];
  changeJob(id: string, change: JobChange): void;
  /**
   * Counts a use of an hourly limit, unless the limit is reached.
   *
   * @param bucket The subject of the limit, such as one project's jobs.
   * @param now Milliseconds since 1970.
   * @returns Whether the use is allowed. Refused uses are not counted.
   */
  use(bucket: string, limit: number, now: number): boolean;
}

const HOUR_MS = 3_600_000;

export function openStore(): Store {
  const jobs = new Map<string, { readonly projectId: string; readonly job: Job }>();
  /** When each bucket was used. */
  const uses = new Map<string, readonly number[]>();
  return {
    addJob: (projectId, job) => void jobs.set(job.id, { projectId, job }),
    findJob(projectId, id) {
      const found = jobs.get(id);
      return found?.projectId === projectId ? found.job : undefined;
    },
    listJobs: () => [...jobs.values()].map(({ job }) => job),
    changeJob(id, change) {
      const found = jobs.get(id);
      if (found !== undefined) {
        jobs.set(id, { ...found, job: { ...found.job, ...change } });
      }
    },
    use(bucket, limit, now) {
      const recent = (uses.get(bucket) ?? []).filter((at) => at > now - HOUR_MS);
      const isAllowed = recent.length < limit;
      uses.set(bucket, isAllowed ? [...recent, now] : recent);
      return isAllowed;
    },
  };
}
