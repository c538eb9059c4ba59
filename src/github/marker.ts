import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

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

/** The key of the one comment that a step updates. Two steps never share a key by accident. */
export function commentKey(parts: {
  readonly workflow: string;
  readonly job: string;
  readonly step: string;
  readonly projectId: string;
  /** A refusal must not overwrite the report of a running job. */
  readonly subject: 'job' | 'refusal';
}): string {
  const { workflow, job, step, projectId, subject } = parts;
  const text = JSON.stringify([workflow, job, step, projectId, subject]);
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
 * but only a step with the API key can sign. HKDF and HMAC are one-way, so a marker reveals nothing of
 * the key.
 */
export function createMarkerSigner(apiKey: string): MarkerSigner {
  const secret = Buffer.from(
    hkdfSync('sha256', apiKey, 'docs-agent-action', `comment marker ${version}`, 32),
  );
  const sign = (marker: Marker, { repository, threadNumber }: MarkerPlace): Buffer =>
    createHmac('sha256', secret)
      .update(
        JSON.stringify([
          version,
          marker.key,
          marker.jobId,
          marker.run,
          repository.toLowerCase(),
          threadNumber,
          ...(linksOf(marker) === '' ? [] : [marker.link, marker.earlier]),
        ]),
      )
      .digest();
  return {
    write: (marker, place) =>
      `${opening} ${version} key=${marker.key} job=${marker.jobId} run=${marker.run}${linksOf(marker)} mac=${sign(marker, place).toString('hex')} -->`,
    read(text, place) {
      const [, key = '', jobId = '', run = '', link = '', earlier, mac = ''] =
        pattern.exec(text) ?? [];
      const marker = { key, jobId, run, link, earlier: earlier?.split(',') ?? [] };
      return mac !== '' && timingSafeEqual(Buffer.from(mac, 'hex'), sign(marker, place))
        ? marker
        : undefined;
    },
  };
}

/** The fields that most markers do not have. */
function linksOf({ link, earlier }: Marker): string {
  const own = link === '' ? '' : ` pr=${link}`;
  return earlier.length === 0 ? own : `${own} earlier=${earlier.join(',')}`;
}

/**
 * A marker has a line of its own. Job ids and links have the form that the API's client accepts. A
 * link holds no comma, which separates two of them here, and nothing that would end an HTML comment.
 */
const pattern =
  /^<!-- docs-agent-action v1 key=([\da-f]{32}) job=([\w.:-]{0,200}) run=([\d.]{1,60})(?: pr=([\w\-.~/@+=%:?[\]]{1,2000}))?(?: earlier=([\w\-.~/@+=%:?[\],]{1,20000}))? mac=([\da-f]{64}) -->$/m;
