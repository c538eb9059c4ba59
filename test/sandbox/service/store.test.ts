import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { type Job, openStore, StoreError } from '../../../sandbox/service/store.ts';

const job: Job = {
  id: 'job_1',
  status: 'active',
  source: { repository: 'acme/docs', ref: 'docs-agent/job_1' },
  model: 'sandbox-editor-1',
  prLink: null,
  createdAt: '2025-06-15T12:00:00.000Z',
  archivedAt: null,
};

test('a file keeps jobs and uses, and active jobs have failed when it is opened again', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-store-'));
  try {
    const file = join(folder, 'sandbox.sqlite');
    const first = openStore(file);
    first.addJob('ours', job);
    first.addJob('ours', { ...job, id: 'job_2', status: 'completed' });
    first.use('jobs of ours', 1, 1000);
    first.close();

    const second = openStore(file);
    expect(second.findJob('ours', 'job_1')).toEqual({ ...job, status: 'failed' });
    expect(second.findJob('ours', 'job_2')).toMatchObject({ status: 'completed' });
    expect(second.use('jobs of ours', 1, 2000)).toBe(false);
    second.close();
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a file that is not a store is refused, and not changed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-store-'));
  try {
    const notes = join(folder, 'notes.txt');
    writeFileSync(notes, 'Not a database, but more than a hundred bytes of notes. '.repeat(20));
    const before = readFileSync(notes);
    for (const file of [notes, folder, join(folder, 'missing', 'sandbox.sqlite')]) {
      expect(() => openStore(file)).toThrow(StoreError);
    }
    expect(readFileSync(notes)).toEqual(before);

    const other = join(folder, 'other.sqlite');
    const db = new DatabaseSync(other);
    db.exec('CREATE TABLE jobs (status TEXT)');
    db.close();
    expect(() => openStore(other)).toThrow(/^The store .*other\.sqlite cannot be used: /);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
