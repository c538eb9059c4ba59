/** A file that differs between two commits, as GitHub lists it. */
export interface ListedFile {
  readonly path: string;
  /** Of a renamed file. */
  readonly previousPath: string | undefined;
  readonly status: 'added' | 'modified' | 'removed' | 'renamed';
  readonly additions: number;
  readonly deletions: number;
}

/** Half of the lines, as git has it. */
const leastShared = 0.5;

/**
 * Compares two commits: a deleted file and a new one that share half of their lines are one that was
 * renamed. Lines are counted without regard to their order, which is close enough to git.
 *
 * @param before texts by path; a file without text has its SHA as text
 */
export function renamesOf(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly ListedFile[] {
  const deleted = [...before].filter(([path]) => !after.has(path));
  const added = [...after].filter(([path]) => !before.has(path));
  const pairs = deleted
    .flatMap(([from, old]) =>
      added.map(([path, now]) => ({ from, path, shared: sharedPart(old, now) })),
    )
    .filter(({ shared }) => shared >= leastShared)
    .toSorted((one, other) => other.shared - one.shared);
  const sources = new Map<string, string>();
  const taken = new Set<string>();
  for (const { from, path } of pairs) {
    if (!taken.has(from) && !sources.has(path)) {
      taken.add(from);
      sources.set(path, from);
    }
  }
  const paths = new Set([...before.keys(), ...after.keys()].filter((path) => !taken.has(path)));
  return [...paths].sort().flatMap((path) => {
    const previousPath = sources.get(path);
    const [old, now] = [before.get(previousPath ?? path), after.get(path)];
    if (old === now && previousPath === undefined) {
      return [];
    }
    return [
      { path, previousPath, status: statusOf(previousPath, old, now), ...countLines(old, now) },
    ];
  });
}

function statusOf(
  previousPath: string | undefined,
  old: string | undefined,
  now: string | undefined,
): ListedFile['status'] {
  if (previousPath !== undefined) {
    return 'renamed';
  }
  return old === undefined ? 'added' : now === undefined ? 'removed' : 'modified';
}

function countLines(old = '', now = ''): Pick<ListedFile, 'additions' | 'deletions'> {
  const shared = sharedLines(old, now);
  return { additions: linesOf(now).length - shared, deletions: linesOf(old).length - shared };
}

function sharedPart(old: string, now: string): number {
  const most = Math.max(linesOf(old).length, linesOf(now).length);
  return old === now ? 1 : most === 0 ? 0 : sharedLines(old, now) / most;
}

function sharedLines(old: string, now: string): number {
  const counts = Map.groupBy(linesOf(old), (line) => line);
  return linesOf(now).filter((line) => counts.get(line)?.pop() !== undefined).length;
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
}
