import { afterMerge } from './after-merge.ts';
import { agentAndCheck, checkAgentPulls } from './check-pulls.ts';
import { dailyLimit } from './daily-limit.ts';
import { holdUntilRelease } from './hold-until-release.ts';
import { hub } from './hub.ts';
import { issueComment } from './issue-comment.ts';
import { issueLabel, publicRepository } from './issue-label.ts';
import { manyProjects } from './many-projects.ts';
import { mended, notMended, unchanged } from './mend.ts';
import { monthlyReport } from './monthly-report.ts';
import { checkSetup, noWaiting, rerun, waitOn } from './no-waiting.ts';
import { ci, moveMajorTag, tryOnGitHub } from './own-workflows.ts';
import { release, releaseAndMerge, stopAutoMerge } from './release.ts';
import { reviewComment } from './review-comment.ts';
import type { Scenario } from './scenario.ts';
import { tryMistakes, tryRecommended } from './try.ts';
import { promptFile, visitorsReport, weeklyRefresh } from './weekly-refresh.ts';

/** All scenarios. `npm run rehearse` fails if an example is in none of them. */
export const scenarios: readonly Scenario[] = [
  // The longest first.
  tryRecommended,
  tryMistakes,
  release,
  releaseAndMerge,
  stopAutoMerge,
  mended,
  notMended,
  monthlyReport,
  unchanged,
  issueLabel,
  weeklyRefresh,
  visitorsReport,
  reviewComment,
  promptFile,
  afterMerge,
  hub,
  holdUntilRelease,
  dailyLimit,
  manyProjects,
  noWaiting,
  waitOn,
  rerun,
  checkSetup,
  publicRepository,
  issueComment,
  checkAgentPulls,
  agentAndCheck,
  moveMajorTag,
  ci,
  tryOnGitHub,
];
