import type { MarkerPlace } from '../../github/marker.ts';
import { isIdentifier } from '../../platform/identifier.ts';
import { createSigner } from '../../text/signature.ts';
import { type Mark, mostRounds, type Round } from './rounds.ts';

/** Begins the hidden line. Like every marker of ours, it keeps the comment from starting a job. */
const opening = '<!-- docs-agent-action pull-request v1';

/** A mark in a comment. */
export interface FoundMark extends Mark {
  /** Whether this API key signed it for this pull request. Others can write the same words. */
  readonly isSigned: boolean;
}

/** Writes and reads the hidden line of our comment on one pull request. */
export interface Marks {
  write(mark: Mark): string;
  /** `undefined` for anything that `write` does not write. Anyone may have written the rest. */
  read(text: string): FoundMark | undefined;
}

/**
 * The signature proves what a comment says of the rounds, whichever token wrote it. Which job it names
 * needs no proof by it, because the API is asked for that; so a new API key loses no pull request.
 */
export function createMarks(apiKey: string, place: MarkerPlace): Marks {
  const signer = createSigner(apiKey, 'pull request mark v1');
  const where = [place.repository.toLowerCase(), place.threadNumber];
  return {
    write(mark) {
      const text = fieldsOf(mark);
      return `${opening} ${text} mac=${signer.sign([...where, text])} -->`;
    },
    read(comment) {
      const [, text = '', jobId = '', count, rounds = '', lastForcePush, mac = ''] =
        pattern.exec(comment) ?? [];
      return isIdentifier(jobId)
        ? {
            jobId,
            count: Number(count),
            rounds: rounds.split(',').flatMap(readRound).slice(-mostRounds),
            lastForcePush,
            isSigned: signer.verify([...where, text], mac),
          }
        : undefined;
    },
  };
}

function fieldsOf({ jobId, count, rounds, lastForcePush }: Mark): string {
  const list = rounds.map(writeRound).join(',');
  const pushes = lastForcePush === undefined ? '' : ` force-push=${lastForcePush}`;
  return `job=${jobId} round=${count} rounds=${list}${pushes}`;
}

function writeRound({ date, repository, runId, head, changed }: Round): string {
  const sizes =
    changed === undefined ? ['', '', ''] : [changed.files, changed.additions, changed.deletions];
  return [date, repository, runId, head, ...sizes].join('~');
}

const pattern =
  /^<!-- docs-agent-action pull-request v1 (job=([\w.:-]{1,200}) round=(\d{1,6}) rounds=([\w.\-/~,]{0,8000})(?: force-push=(\d{1,20}))?) mac=([\da-f]{64}) -->$/m;

const roundPattern =
  /^(\d{4}-\d\d-\d\d)~([\w-]{1,100}\/[\w.-]{1,100})~(\d{1,20})~([\da-f]{12}|)~(?:(\d{1,9})~(\d{1,9})~(\d{1,9})|~~)$/;

function readRound(text: string): readonly Round[] {
  const [, date, repository, runId, head = '', files, additions, deletions] =
    roundPattern.exec(text) ?? [];
  if (date === undefined || repository === undefined || runId === undefined) {
    return [];
  }
  const changed =
    files === undefined
      ? undefined
      : { files: Number(files), additions: Number(additions), deletions: Number(deletions) };
  return [{ date, repository, runId, head, changed }];
}
