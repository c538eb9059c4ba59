import { isSameName } from '../../github/names.ts';
import type { RepositoryDeps } from '../../github/reading.ts';
import type { Session } from '../../github/request.ts';
import type { RetryClock } from '../../network/retry.ts';
import type { Change } from '../change.ts';
import { type PullRequestFacts, readPullRequestFacts } from '../github/pull-request-facts.ts';
import type { Gap, RuleName, RuleSettings } from '../old-finding.ts';
import type { Target } from '../target.ts';
import { type EarlierReading, readEarlierChanges } from './earlier-changes.ts';
import { createGapList, type GapList } from './gap-list.ts';
import type { ParseDeps } from './parse-pages.ts';
import { type RequiredPlace, required, requireToken } from './required.ts';
import { readVendorChecks } from './vendor-checks.ts';
import { readTrees } from './versions.ts';

/** A pull request, read for the rules and the reports. */
export interface ChangeReading {
  readonly pullRequest: PullRequestFacts;
  /** The commit that is judged. */
  readonly headSha: string;
  /** The commit that the change started from. */
  readonly mergeBaseSha: string;
  readonly change: Change;
  /** How many files the pull request changes, those included that are not known. */
  readonly changedFiles: number;
  /** What could not be read or parsed. */
  readonly gaps: readonly Gap[];
  /** The docs as the vendor shows them before the merge; https, empty for none. */
  readonly previewLink: string;
  /** Names of the vendor's checks that have not finished. */
  readonly pendingChecks: readonly string[];
  /** How many changed pages the rule `reverted-lines` does not know the history of. */
  readonly pagesWithoutHistory: number;
  /** Whether the pull request has other commits by now than those that were judged. */
  readonly hasMoved: boolean;
  /** Requests to GitHub, repeated ones included. */
  readonly requestCount: number;
}

export interface ReadingOptions {
  /** Empty for the top, `undefined` to look for it. */
  readonly docsRoot: string | undefined;
  /** Globs of files that may change besides the docs' own. */
  readonly allowedPaths: readonly string[];
  readonly settings: RuleSettings;
}

export interface ReadingDeps extends Pick<ParseDeps, 'parseBatch'> {
  /** `undefined` without a token. */
  readonly session: Session | undefined;
  /** The address for GraphQL queries; empty for none. */
  readonly graphqlUrl: string;
  /** `owner/name` of this workflow's repository. */
  readonly ownRepository: string;
  readonly clock: RetryClock;
  /** Aborted when the step has to stop. */
  readonly signal: AbortSignal;
  /** Called as soon as the pull request is read, before its files are. */
  readonly onHead?: (headSha: string) => void;
}

/**
 * Reads a pull request from GitHub: its files before and after, the unchanged pages that may use what it
 * takes away, the history of its pages, and the vendor's checks. What cannot be read, but is not needed
 * for everything else, is a gap.
 *
 * @throws ActionError if the pull request or its list of files cannot be read
 * @throws ActionError if the folder of the docs cannot be found
 * @throws the signal's reason if the run is cancelled
 */
export async function readChange(
  target: Target,
  options: ReadingOptions,
  deps: ReadingDeps,
): Promise<ChangeReading> {
  const place = { target, isOwn: isSameName(target.repository, deps.ownRepository) };
  const session = countingSession(requireToken(deps.session, place));
  const repository = { ...deps, ...target, session };
  const gaps = createGapList();
  const pullRequest = await readFacts(place, repository);
  deps.onHead?.(pullRequest.headSha);
  const trees = await readTrees(pullRequest, place, gaps, repository);
  const { mergeBaseSha } = trees;
  const isOn = (rule: RuleName) => options.settings.get(rule) !== 'off';
  const commits = { head: pullRequest.headSha, mergeBase: mergeBaseSha, base: pullRequest.baseSha };
  const [{ versions, history }, vendor] = await both(
    async () => {
      // Loaded late, because it loads much that the first requests do not need.
      const { readVersions } = await import('./docs-versions.ts');
      const versions = await readVersions(trees, options.docsRoot, gaps, { ...deps, repository });
      const history = isOn('reverted-lines')
        ? await readEarlierChanges(versions.files, mergeBaseSha, gaps, repository)
        : noHistory;
      return { versions, history };
    },
    () => readVendorChecks(commits, isOn('failing-check'), gaps, repository),
  );
  const hasMoved = await readHasMoved(pullRequest, gaps, repository);
  return {
    pullRequest,
    headSha: pullRequest.headSha,
    mergeBaseSha,
    change: {
      ...versions,
      earlier: history.earlier,
      checks: vendor.checks,
      base: { branch: pullRequest.baseBranch, defaultBranch: pullRequest.defaultBranch },
      allowedPaths: options.allowedPaths,
    },
    // GitHub's own count, where it does not list all files.
    changedFiles: (trees.isWhole ? undefined : pullRequest.changedFiles) ?? versions.files.length,
    gaps: gaps.gaps,
    previewLink: vendor.previewLink,
    pendingChecks: vendor.pending,
    pagesWithoutHistory: history.leftOut,
    hasMoved,
    requestCount: session.count,
  };
}

const noHistory: EarlierReading = { earlier: [], leftOut: 0 };

/** Does both at once, and waits for both, so that nothing goes on after an error. */
async function both<One, Other>(
  one: () => Promise<One>,
  other: () => Promise<Other>,
): Promise<readonly [One, Other]> {
  const [first, second] = await Promise.allSettled([one(), other()]);
  if (first.status === 'rejected') {
    throw first.reason;
  }
  if (second.status === 'rejected') {
    throw second.reason;
  }
  return [first.value, second.value];
}

async function readFacts(place: RequiredPlace, deps: RepositoryDeps): Promise<PullRequestFacts> {
  const reading = await readPullRequestFacts(place.target.number, deps);
  return required(reading, 'it', 'pull-requests: read', place);
}

/** Reads the pull request again, because commits and another base can arrive while it is judged. */
async function readHasMoved(
  { number, headSha, baseBranch, isOpen }: PullRequestFacts,
  gaps: GapList,
  deps: RepositoryDeps,
): Promise<boolean> {
  const reading = await readPullRequestFacts(number, deps);
  if (reading.kind === 'unread') {
    gaps.add('', `whether commits were added meanwhile is not known, because ${reading.problem}`);
    return false;
  }
  const { value: now } = reading;
  if (now.baseBranch !== baseBranch) {
    gaps.add(
      '',
      `the base became ${now.baseBranch} while the change of ${baseBranch} was judged, so that it may bring other commits`,
    );
  }
  if (isOpen && !now.isOpen) {
    gaps.add('', 'the pull request was closed or merged while it was judged');
  }
  const hasMoved = now.headSha !== headSha;
  if (hasMoved) {
    gaps.add(
      '',
      `commits were added while ${headSha.slice(0, 7)} was judged: the head is ${now.headSha.slice(0, 7)} now`,
    );
  }
  return hasMoved;
}

interface CountingSession extends Session {
  readonly count: number;
}

function countingSession(session: Session): CountingSession {
  let count = 0;
  return {
    get count() {
      return count;
    },
    send(request) {
      count += 1;
      return session.send(request);
    },
  };
}
