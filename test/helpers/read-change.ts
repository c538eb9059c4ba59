import { onTestFinished } from 'vitest';
import type { Fault } from '../../sandbox/github/faults.ts';
import type { Files } from '../../sandbox/github/git.ts';
import { type GitHub, startGitHub } from '../../sandbox/github/github.ts';
import { addPull } from '../../sandbox/github/state.ts';
import {
  type ChangeReading,
  type ReadingDeps,
  readChange,
} from '../../src/check/reading/read-change.ts';
import { fakeClock } from './fake-runner.ts';
import { commitPull } from './run.ts';
import { githubAt, githubToken, noSignal } from './servers.ts';

/** A repository with a pull request, before it is read. */
export interface Proposal {
  readonly before: Files;
  readonly after: Files;
  /** What the base branch got after the pull request started. */
  readonly later?: Files;
  readonly faults?: readonly Fault[];
  readonly maxTextBytes?: number;
  readonly deps?: Partial<ReadingDeps>;
  /** Called before the pull request is read. */
  readonly arrange?: (github: GitHub, head: string) => void;
}

export interface ReadProposal extends ChangeReading {
  readonly requests: GitHub['requests'];
}

export const settingsFile = JSON.stringify({ name: 'Docs', navigation: { pages: ['index'] } });

/** Reads a pull request of `acme/docs` from a stand-in for GitHub. */
export async function readProposal(proposal: Proposal): Promise<ReadProposal> {
  const { git, base, head } = commitPull(proposal);
  const { faults, maxTextBytes } = proposal;
  const github = await startGitHub({
    repositories: [{ name: 'acme/docs', git }],
    ...(faults && { faults }),
    ...(maxTextBytes && { maxTextBytes }),
  });
  onTestFinished(() => github.close());
  addPull(github, 'acme/docs', { number: 12, base, head });
  proposal.arrange?.(github, head);
  const reading = await readChange(
    { repository: 'acme/docs', number: 12 },
    { docsRoot: undefined, allowedPaths: [] },
    {
      session: githubAt(github.url).as(githubToken),
      token: { input: 'github-token', isStandIn: false },
      clock: fakeClock(),
      signal: noSignal,
      ...proposal.deps,
    },
  );
  return { ...reading, requests: github.requests };
}
