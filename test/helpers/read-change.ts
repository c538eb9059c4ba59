import { onTestFinished } from 'vitest';
import type { Fault } from '../../sandbox/github/faults.ts';
import { createRepository, type Files } from '../../sandbox/github/git.ts';
import { type GitHub, startGitHub } from '../../sandbox/github/github.ts';
import { addPull } from '../../sandbox/github/state.ts';
import {
  type ChangeReading,
  type ReadingDeps,
  readChange,
} from '../../src/check/reading/read-change.ts';
import { fakeClock } from './fake-clock.ts';
import { githubAt, noSignal } from './github-session.ts';
import { githubToken } from './servers.ts';

/** A repository with a pull request, before it is read. */
export interface Proposal {
  readonly before: Files;
  readonly after: Files;
  /** What the base branch had before, oldest first. */
  readonly earlier?: readonly Files[];
  /** What the base branch got after the pull request started. */
  readonly later?: Files;
  readonly docsRoot?: string;
  readonly faults?: readonly Fault[];
  readonly maxTextBytes?: number;
  readonly deps?: Partial<ReadingDeps>;
  /** Called before the pull request is read. */
  readonly arrange?: (github: GitHub, shas: Shas) => void;
}

interface Shas {
  readonly head: string;
  readonly mergeBase: string;
  readonly base: string;
}

export interface ReadProposal extends ChangeReading {
  readonly shas: Shas;
  readonly requests: GitHub['requests'];
}

export const settingsFile = JSON.stringify({ name: 'Docs', navigation: { pages: ['index'] } });

/** Reads a pull request of `acme/docs` from a stand-in for GitHub. */
export async function readProposal(proposal: Proposal): Promise<ReadProposal> {
  const { git, shas } = commitProposal(proposal);
  const { faults, maxTextBytes } = proposal;
  const github = await startGitHub({
    repositories: [{ name: 'acme/docs', git }],
    ...(faults && { faults }),
    ...(maxTextBytes && { maxTextBytes }),
  });
  onTestFinished(() => github.close());
  addPull(github, 'acme/docs', { number: 12, base: shas.base, head: shas.head });
  proposal.arrange?.(github, shas);
  const reading = await readChange(
    { repository: 'acme/docs', number: 12 },
    { docsRoot: proposal.docsRoot, allowedPaths: [] },
    {
      session: githubAt(github.url).as(githubToken),
      token: { input: 'github-token', isStandIn: false },
      clock: fakeClock(),
      signal: noSignal,
      ...proposal.deps,
    },
  );
  return { ...reading, shas, requests: github.requests };
}

function commitProposal({ before, after, earlier = [], later }: Proposal) {
  const git = createRepository();
  let tip: readonly string[] = [];
  for (const files of [...earlier, before]) {
    tip = [git.commit({ files, parents: tip })];
  }
  const [mergeBase = ''] = tip;
  const head = git.commit({ files: after, parents: tip });
  const base = later === undefined ? mergeBase : git.commit({ files: later, parents: tip });
  return { git, shas: { head, mergeBase, base } };
}
