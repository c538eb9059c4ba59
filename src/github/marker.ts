import { createHash } from 'node:crypto';
import { createSigner } from '../text/signature.ts';

/** The fields of a comment's hidden marker. */
export interface Marker {
  /** Identifies workflow, job, step and project; see `commentKey`. */
  readonly key: string;
  /** Id of the agent job; empty while the comment is about none. */
  readonly jobId: string;
  /** Run and attempt that wrote it last, such as `1001.2`. */
  readonly run: string;
  /** Link of the job's pull request; empty while there is none. */
  readonly link: string;
  /** Links of the pull requests that the comment named before this job, the latest first. */
  readonly earlier: readonly string[];
  /** What runs of this step have left for their re-runs, the latest first; opaque here. */
  readonly records: readonly string[];
}

/** The thread that a marker is valid for: copied to another one, it does not verify. */
export interface MarkerPlace {
  /** `owner/name` */
  readonly repository: string;
  readonly threadNumber: number;
}

const opening = '<!-- docs-agent-action';
const version = 'v1';

/**
 * Whether a text has a marker of this action, of any version, verified or not. A copied marker does
 * no harm: it only keeps that comment from starting a job.
 */
export function carriesMarker(text: string): boolean {
  return text.includes(opening);
}

/** Whether a text has a marker with this key, verified or not. */
export function claimsKey(text: string, key: string): boolean {
  return carriesMarker(text) && text.includes(` key=${key} `);
}

/** The key of the one comment that a step updates. Two steps never share a key by accident. */
export function commentKey(parts: {
  readonly workflow: string;
  readonly job: string;
  readonly step: string;
  readonly projectId: string;
  /** The matrix of the job as JSON, so that each leg has a comment of its own; empty for none. */
  readonly matrix: string;
  /** A refusal must not overwrite the report of a running job. */
  readonly subject: 'job' | 'refusal';
}): string {
  const { workflow, job, step, projectId, matrix, subject } = parts;
  const text = JSON.stringify([workflow, job, step, projectId, matrix, subject]);
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

/** Signs and verifies markers with a key that is derived from the API key. */
export interface MarkerSigner {
  write(marker: Marker, place: MarkerPlace): string;
  /** The marker in a comment's text, if this API key signed it for this place. */
  read(text: string, place: MarkerPlace): Marker | undefined;
}

/**
 * Every workflow of a repository writes its comments as the same bot, so the author proves little,
 * but only a step with the API key can sign.
 */
export function createMarkerSigner(apiKey: string): MarkerSigner {
  const signer = createSigner(apiKey, `comment marker ${version}`);
  return {
    write: (marker, place) =>
      `${opening} ${version} key=${marker.key} job=${marker.jobId} run=${marker.run}${optionalFields(marker)} mac=${signer.sign(signedParts(marker, place))} -->`,
    read(text, place) {
      const [, key = '', jobId = '', run = '', link = '', earlier, records, mac = ''] =
        pattern.exec(text) ?? [];
      const lists = { earlier: earlier?.split(',') ?? [], records: records?.split(',') ?? [] };
      const marker = { key, jobId, run, link, ...lists };
      return signer.verify(signedParts(marker, place), mac) ? marker : undefined;
    },
  };
}

function signedParts(
  { key, jobId, run, link, earlier, records }: Marker,
  { repository, threadNumber }: MarkerPlace,
): readonly unknown[] {
  return [
    version,
    key,
    jobId,
    run,
    repository.toLowerCase(),
    threadNumber,
    // Markers without these fields were signed before there were any.
    ...(link === '' && earlier.length === 0 ? [] : [link, earlier]),
    ...(records.length === 0 ? [] : [{ records }]),
  ];
}

/** The fields that not every marker has. */
function optionalFields({ link, earlier, records }: Marker): string {
  return [
    link === '' ? '' : ` pr=${link}`,
    earlier.length === 0 ? '' : ` earlier=${earlier.join(',')}`,
    records.length === 0 ? '' : ` records=${records.join(',')}`,
  ].join('');
}

/**
 * A marker has a line of its own. Job ids and links have the form that the API's client accepts. A
 * link holds no comma, which separates two of them here, and nothing that would end an HTML comment.
 */
const pattern =
  /^<!-- docs-agent-action v1 key=([\da-f]{32}) job=([\w.:-]{0,200}) run=([\d.]{1,60})(?: pr=([\w\-.~/@+=%:?[\]]{1,2000}))?(?: earlier=([\w\-.~/@+=%:?[\],]{1,20000}))?(?: records=([\w\-.~:,]{1,12000}))? mac=([\da-f]{64}) -->$/m;
