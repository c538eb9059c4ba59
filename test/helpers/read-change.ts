import { onTestFinished } from 'vitest';
import { type MemoryFiles, memoryStore } from '../../sandbox/github/git/memory-store.ts';
import type { Fault } from '../../sandbox/github/stand-in/faults.ts';
import { type StandIn, startStandIn } from '../../sandbox/github/stand-in/stand-in.ts';
import {
  type ChangeReading,
  type ReadingDeps,
  readChange,
} from '../../src/check/reading/read-change.ts';
import { fakeClock } from './fake-clock.ts';
import { githubAt, noSignal } from './github-session.ts';
import { githubToken } from './run-on-event.ts';

/** A repository with a pull request, before it is read. */
export interface Proposal {
  readonly before: MemoryFiles;
  readonly after: MemoryFiles;
  /** What the base branch had before, oldest first. */
  readonly earlier?: readonly MemoryFiles[];
  /** What the base branch got after the pull request started. */
  readonly later?: MemoryFiles;
  readonly docsRoot?: string;
  readonly faults?: readonly Fault[];
  readonly maxTextBytes?: number;
  readonly deps?: Partial<ReadingDeps>;
  /** Called before the pull request is read. */
  readonly arrange?: (standIn: StandIn, shas: Shas) => void;
}

interface Shas {
  readonly head: string;
  readonly mergeBase: string;
  readonly base: string;
}

export interface ReadProposal extends ChangeReading {
  readonly shas: Shas;
  readonly requests: StandIn['requests'];
}

export const settingsFile = JSON.stringify({ name: 'Docs', navigation: { pages: ['index'] } });

/** Reads a pull request of `acme/docs` from a stand-in for GitHub. */
export async function readProposal(proposal: Proposal): Promise<ReadProposal> {
  const { store, shas } = commitProposal(proposal);
  const { faults, maxTextBytes } = proposal;
  const standIn = await startStandIn({
    repositories: [
      { name: 'acme/docs', store, pulls: [{ number: 12, base: shas.base, head: shas.head }] },
    ],
    ...(faults && { faults }),
    ...(maxTextBytes && { maxTextBytes }),
  });
  onTestFinished(() => standIn.close());
  proposal.arrange?.(standIn, shas);
  const reading = await readChange(
    { repository: 'acme/docs', number: 12 },
    { docsRoot: proposal.docsRoot, allowedPaths: [] },
    {
      session: githubAt(standIn.url).as(githubToken),
      token: { input: 'github-token', isStandIn: false },
      clock: fakeClock(),
      signal: noSignal,
      ...proposal.deps,
    },
  );
  return { ...reading, shas, requests: standIn.requests };
}

function commitProposal({ before, after, earlier = [], later }: Proposal) {
  const store = memoryStore();
  let tip: readonly string[] = [];
  for (const files of [...earlier, before]) {
    tip = [store.add({ files, parents: tip })];
  }
  const [mergeBase = ''] = tip;
  const head = store.add({ files: after, parents: tip });
  const base = later === undefined ? mergeBase : store.add({ files: later, parents: tip });
  return { store, shas: { head, mergeBase, base } };
}
