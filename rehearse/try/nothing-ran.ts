import { relative } from 'node:path';
import { PRODUCT_REPOSITORY } from '../../sandbox/github/seed.ts';
import { repositoryFolder } from '../../scripts/actions.ts';
import type { Workflow } from './workflow.ts';

/**
 * Why no job of a workflow ran, and what to do.
 * @param path absolute path of the workflow
 */
export async function whyNothingRan(
  { conditions }: Pick<Workflow, 'conditions'>,
  path: string,
): Promise<string> {
  const why =
    conditions.length === 0
      ? ['No job ran.']
      : [
          `No job ran, because a condition is false in ${PRODUCT_REPOSITORY} (--label, --comment, --as or --var may change that):`,
          ...conditions.map((each) => `  if: ${each}`),
        ];
  // Some examples need what no option creates, such as a pull request of the agent.
  const { scenarios } = await import('../scenarios/index.ts');
  const example = relative(repositoryFolder, path);
  const isRehearsed = scenarios.some(({ workflows }) => workflows.includes(example));
  return [
    ...why,
    ...(isRehearsed ? ['"npm run rehearse" runs it with all that it needs.'] : []),
  ].join('\n');
}
