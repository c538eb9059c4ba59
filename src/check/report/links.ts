import { code, link } from '../../text/markdown.ts';
import type { Judgement } from '../judgement.ts';
import type { Target } from '../target.ts';

/** Longer paths would push the other columns out of view. */
const maxLabelLength = 90;

/** Longer addresses are refused by browsers and servers. */
const maxUrlLength = 4000;

/** The page of a pull request. @param serverUrl as in `GITHUB_SERVER_URL` */
export function pullUrl(serverUrl: string, { repository, number }: Target): string {
  return `${serverUrl}/${repository}/pull/${number}`;
}

/** A link to a file as it is after the change, with `path:line` as its label; no link if it is gone. */
export function fileLink(
  path: string,
  line: number | undefined,
  { target, headSha, change }: Pick<Judgement, 'target' | 'headSha' | 'change'>,
  serverUrl: string,
): string {
  // A path is best known by its end.
  const end = path.length <= maxLabelLength ? path : `…${path.slice(-maxLabelLength)}`;
  const label = line === undefined ? end : `${end}:${line}`;
  const parts = path.toWellFormed().split('/').map(encodeURIComponent);
  // Without `plain`, GitHub renders Markdown, and a line leads nowhere.
  const place = line === undefined ? '' : `?plain=1#L${line}`;
  const url = `${serverUrl}/${target.repository}/blob/${headSha}/${parts.join('/')}${place}`;
  const exists = change.after.tree.has(path) && url.length <= maxUrlLength;
  return exists ? link(label, url) : code(label, maxLabelLength + 10);
}
