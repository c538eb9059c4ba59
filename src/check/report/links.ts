import { code, link } from '../../text/markdown.ts';
import type { Tree } from '../change.ts';
import type { Target } from '../target.ts';

/** Where the files of a commit can be seen. */
export interface Place {
  /** As in `GITHUB_SERVER_URL`. */
  readonly serverUrl: string;
  readonly target: Target;
  readonly headSha: string;
  /** The files of that commit. */
  readonly files: Pick<Tree, 'has'>;
}

/** Longer paths would push the other columns out of view. */
const maxLabelLength = 90;

/** Longer addresses are refused by browsers and servers. */
const maxUrlLength = 4000;

/** A link to a file as it is after the change, with `path:line` as its label; no link if it is gone. */
export function fileLink(path: string, line: number | undefined, place: Place): string {
  const label = line === undefined ? path : `${shortPath(path)}:${line}`;
  const url = fileUrl(path, line, place);
  return url === undefined ? code(label, maxLabelLength) : link(shortPath(label), url);
}

/** A path is best known by its end. */
function shortPath(path: string): string {
  return path.length <= maxLabelLength ? path : `…${path.slice(-maxLabelLength)}`;
}

function fileUrl(
  path: string,
  line: number | undefined,
  { serverUrl, target, headSha, files }: Place,
): string | undefined {
  const parts = path.toWellFormed().split('/').map(encodeURIComponent);
  // Without `plain`, GitHub renders Markdown, and a line leads nowhere.
  const place = line === undefined ? '' : `?plain=1#L${line}`;
  const url = `${serverUrl}/${target.repository}/blob/${headSha}/${parts.join('/')}${place}`;
  return files.has(path) && url.length <= maxUrlLength ? url : undefined;
}
