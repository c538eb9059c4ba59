import { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import { type JobStatus, jobStatuses } from '../../src/platform/job.ts';

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

/** Keeps the jobs, and counts requests for the hourly limits. */
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
  close(): void;
}

/** A file cannot be used as a store. */
export class StoreError extends Error {
  readonly file: string;
  readonly reason: string;

  constructor(file: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`The store ${file} cannot be used: ${reason}`, { cause });
    this.name = 'StoreError';
    this.file = file;
    this.reason = reason;
  }
}

const HOUR_MS = 3_600_000;

const TABLES = `
  CREATE TABLE IF NOT EXISTS jobs (
    id TEXT PRIMARY KEY,
    project TEXT NOT NULL,
    status TEXT NOT NULL,
    repository TEXT NOT NULL,
    ref TEXT NOT NULL,
    model TEXT NOT NULL,
    prLink TEXT,
    createdAt TEXT NOT NULL,
    archivedAt TEXT
  ) STRICT;
  CREATE TABLE IF NOT EXISTS uses (bucket TEXT NOT NULL, at INTEGER NOT NULL) STRICT;
  CREATE INDEX IF NOT EXISTS uses_by_bucket ON uses (bucket, at);
`;

const jobRow = v.object({
  id: v.string(),
  status: v.picklist(jobStatuses),
  repository: v.string(),
  ref: v.string(),
  model: v.string(),
  prLink: v.nullable(v.string()),
  createdAt: v.string(),
  archivedAt: v.nullable(v.string()),
});

/** @param row a row of the table `jobs` */
function readJob(row: unknown): Job {
  const { id, status, repository, ref, ...rest } = v.parse(jobRow, row);
  return { id, status, source: { repository, ref }, ...rest };
}

const countRow = v.object({ count: v.number() });

/**
 * Opens the store.
 *
 * @param file A SQLite file that keeps jobs and uses between two starts; in memory by default.
 * @throws {StoreError} When the file cannot be opened, or is not a store.
 */
export function openStore(file = ':memory:'): Store {
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(file);
    return storeIn(db);
  } catch (error) {
    db?.close();
    throw new StoreError(file, error);
  }
}

function storeIn(db: DatabaseSync): Store {
  db.exec(TABLES);
  // The process that worked on these jobs has ended.
  db.exec(`UPDATE jobs SET status = 'failed' WHERE status = 'active'`);

  const insertJob = db.prepare('INSERT INTO jobs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const selectJob = db.prepare('SELECT * FROM jobs WHERE project = ? AND id = ?');
  const selectJobs = db.prepare('SELECT * FROM jobs ORDER BY rowid');
  const updateStatus = db.prepare('UPDATE jobs SET status = ? WHERE id = ?');
  const updatePrLink = db.prepare('UPDATE jobs SET prLink = ? WHERE id = ?');
  const updateArchivedAt = db.prepare('UPDATE jobs SET archivedAt = ? WHERE id = ?');
  const forgetUses = db.prepare('DELETE FROM uses WHERE at <= ?');
  const countUses = db.prepare('SELECT count(*) AS count FROM uses WHERE bucket = ?');
  const insertUse = db.prepare('INSERT INTO uses VALUES (?, ?)');

  return {
    addJob(projectId, { id, status, source, model, prLink, createdAt, archivedAt }) {
      const { repository, ref } = source;
      insertJob.run(id, projectId, status, repository, ref, model, prLink, createdAt, archivedAt);
    },
    findJob(projectId, id) {
      const row = selectJob.get(projectId, id);
      return row === undefined ? undefined : readJob(row);
    },
    listJobs() {
      return selectJobs.all().map(readJob);
    },
    changeJob(id, { status, prLink, archivedAt }) {
      if (status !== undefined) updateStatus.run(status, id);
      if (prLink !== undefined) updatePrLink.run(prLink, id);
      if (archivedAt !== undefined) updateArchivedAt.run(archivedAt, id);
    },
    use(bucket, limit, now) {
      forgetUses.run(now - HOUR_MS);
      const { count } = v.parse(countRow, countUses.get(bucket));
      if (count >= limit) {
        return false;
      }
      insertUse.run(bucket, now);
      return true;
    },
    close() {
      db.close();
    },
  };
}
