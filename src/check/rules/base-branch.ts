import { quoted } from '../../text/plain.ts';
import type { Change } from '../change.ts';
import type { Finding } from '../old-finding.ts';

/**
 * A pull request into a branch other than the default one. What it changes there says nothing of what it
 * would bring to another branch, and its author can choose one without a new commit.
 */
export function baseBranch({ base }: Change): readonly Finding[] {
  const { branch, defaultBranch } = base;
  return defaultBranch === undefined || branch === defaultBranch
    ? []
    : [
        {
          rule: 'base-branch',
          file: '',
          what: `goes into the branch ${quoted(branch)}, and not into ${quoted(defaultBranch)}`,
        },
      ];
}
