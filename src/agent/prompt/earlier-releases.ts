import type { Release } from '../../github/event.ts';

/**
 * Selects the releases of the same kind that were published before `release`, and puts the newest first. Prereleases
 * count only if `release` is a prerelease, too.
 */
export function earlierReleases(release: Release, all: readonly Release[]): readonly Release[] {
  const { kind, isPrerelease } = readTag(release);
  return all
    .filter((each) => {
      const found = readTag(each);
      const isEarlier = each.publishedAt !== '' && each.publishedAt < release.publishedAt;
      return isEarlier && found.kind === kind && (isPrerelease || !found.isPrerelease);
    })
    .toSorted((a, b) => (a.publishedAt < b.publishedAt ? 1 : -1));
}

/** What the tag of a release says: its version, and the text around the version. */
interface ReleaseTag {
  /** The text around the version, such as `api@*` for `api@1.3.0`. Releases of one product share it. */
  readonly kind: string;
  /** True if GitHub says so, or if text with digits follows the version, such as `-rc.1`. */
  readonly isPrerelease: boolean;
}

/** Matches a date, with or without a time, and numbers with dots between them. */
const version = /(?:19|20)\d\d([-_.])\d\d?\1\d\d?(?:T[\d:-]+Z|[-_.]\d+)?|\d+(?:\.\d+)*/g;

/**
 * Finds the version in a tag: the number with the most parts behind the last `@` or `/`. A number that
 * begins a word, with or without a `v`, wins over a number in a word, such as the 8 of `k8s`. The kind of a tag
 * without a number is empty. A word without digits behind the version, such as `-beta`, says nothing of a prerelease.
 */
export function readTag({ tag, isPrerelease: isMarked }: Omit<Release, 'publishedAt'>): ReleaseTag {
  const name = /^.*[@/](?=[^@/]*\d)/.exec(tag)?.[0] ?? '';
  const rest = tag.slice(name.length);
  const numbers = [...rest.matchAll(version)];
  const first = numbers.filter(({ index }) => /(?:^|[^a-z\d.])v?$/i.test(rest.slice(0, index)));
  const [found] = (first.length > 0 ? first : numbers).toSorted((a, b) => partsOf(b) - partsOf(a));
  if (found === undefined) {
    return { kind: '', isPrerelease: isMarked };
  }
  const before = rest.slice(0, found.index).replace(/(?<![a-z])v$/i, '');
  // The text behind a plus says how a version was built.
  const after = rest.slice(found.index + found[0].length).replace(/\+.*$/, '');
  const isPrerelease = isMarked || /\d/.test(after);
  return { kind: `${name}${before}*${isPrerelease ? '' : after}`, isPrerelease };
}

function partsOf([found]: RegExpExecArray): number {
  return found.split(/[-_.]/).length;
}
