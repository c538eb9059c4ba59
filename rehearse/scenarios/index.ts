import type { Scenario } from '../scenario.ts';
import { afterMerge } from './after-merge.ts';
import { issueLabel, publicRepository, reuseIssueLabel } from './issue-label.ts';
import { manyProjects } from './many-projects.ts';
import { noWaiting } from './no-waiting.ts';
import { ci, moveMajorTag } from './own-workflows.ts';
import { release } from './release.ts';
import { reuseWeeklyRefresh, weeklyRefresh } from './weekly-refresh.ts';

/** Every example stands in one of these. */
export const scenarios: readonly Scenario[] = [
  release,
  issueLabel,
  weeklyRefresh,
  afterMerge,
  manyProjects,
  noWaiting,
  publicRepository,
  reuseIssueLabel,
  reuseWeeklyRefresh,
  moveMajorTag,
  ci,
];
