import type { Reading, RepositoryDeps } from '../../github/reading.ts';
import type { Change, VendorCheck } from '../change.ts';
import {
  type CommitCheck,
  readCheckRuns,
  readDeployments,
  readEnvironmentUrl,
  readStatuses,
} from '../github/checks.ts';
import type { GapList } from './gap-list.ts';
import { problemWithAdvice } from './required.ts';

/** What the docs' vendor says of the head. */
export interface VendorReading {
  readonly checks: Change['checks'];
  /** Names of the checks that have not finished. */
  readonly pending: readonly string[];
  /** https; empty for none. */
  readonly previewLink: string;
}

/** The commits to ask about. */
export interface CheckedCommits {
  readonly head: string;
  readonly mergeBase: string;
  readonly base: string;
}

/**
 * Reads the vendor's checks on the head and, if one has failed there, on the merge base, or on the base
 * branch where the merge base has none.
 *
 * A check that has not finished is no gap. Vendors take minutes, so that nothing would ever be routine
 * when a pull request is opened; what is merged later is up to required checks.
 *
 * @param isJudged whether the rule `failing-check` is on: then checks that cannot be read are a gap
 * @throws the signal's reason if the run is cancelled
 */
export async function readVendorChecks(
  { head, mergeBase, base }: CheckedCommits,
  isJudged: boolean,
  gaps: GapList,
  deps: RepositoryDeps,
): Promise<VendorReading> {
  const report = isJudged ? gaps : undefined;
  const [after, deployed] = await Promise.all([
    readOn(head, report, deps),
    readDeployedLink(head, deps),
  ]);
  const hasFailed = after.some(({ state }) => state === 'failed');
  const atMergeBase = hasFailed ? await readOn(mergeBase, report, deps) : [];
  const isUnknown = hasFailed && atMergeBase.length === 0 && base !== mergeBase;
  const before = isUnknown ? await readOn(base, report, deps) : atMergeBase;
  const links = after.filter(({ state }) => state === 'passed').map(({ link }) => httpsLink(link));
  return {
    checks: { before: before.map(toVendorCheck), after: after.map(toVendorCheck) },
    pending: after.filter(({ state }) => state === 'pending').map(({ name }) => name),
    previewLink: [deployed, ...links].find((link) => link !== '') ?? '',
  };
}

async function readOn(
  commit: string,
  report: GapList | undefined,
  deps: RepositoryDeps,
): Promise<readonly CommitCheck[]> {
  const [runs, statuses] = await Promise.all([
    readCheckRuns(commit, deps),
    readStatuses(commit, deps),
  ]);
  addGap(runs, 'check runs', 'checks: read', report);
  addGap(statuses, 'commit statuses', 'statuses: read', report);
  return [...itemsOf(runs), ...itemsOf(statuses)].filter(isVendors);
}

function addGap(
  reading: Reading<unknown>,
  what: string,
  permission: string,
  report: GapList | undefined,
): void {
  if (reading.kind === 'unread') {
    const problem = problemWithAdvice(reading, permission);
    report?.add('', `the ${what} could not be read, because ${problem}`);
  }
}

function itemsOf<Item>(reading: Reading<readonly Item[]>): readonly Item[] {
  return reading.kind === 'read' ? reading.value : [];
}

const vendor = 'mintlify';

/** The vendor does not document the names, and they were not seen: this is a guess. */
function isVendors({ app, name }: CommitCheck): boolean {
  return app === vendor || name.toLowerCase().startsWith(vendor);
}

/**
 * Workflows in public that wait for the vendor's previews wait for a deployment whose creator's login
 * has its name in it, and take the preview's address from there.
 */
async function readDeployedLink(commit: string, deps: RepositoryDeps): Promise<string> {
  const deployments = itemsOf(await readDeployments(commit, deps));
  const newest = deployments.find(({ creator }) => creator.toLowerCase().startsWith(vendor));
  const url = newest === undefined ? undefined : await readEnvironmentUrl(newest, deps);
  return url?.kind === 'read' ? httpsLink(url.value) : '';
}

function toVendorCheck({ name, state, link }: CommitCheck): VendorCheck {
  return { name, isFailure: state === 'failed', link: httpsLink(link) };
}

/** The link as URL parsers read it; empty if it is none that a report may show. */
export function httpsLink(text: string): string {
  const url = text.length > 2000 ? null : URL.parse(text);
  const isPlain = url?.protocol === 'https:' && url.username === '' && url.password === '';
  return isPlain ? url.href : '';
}
