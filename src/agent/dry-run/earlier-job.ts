import type { Access } from '../access/access.ts';
import type { AgentInputs } from '../inputs.ts';
import { earlierAttemptError, mayExist } from '../rerun/resume.ts';
import type { Tools } from '../tools.ts';
import { type Finding, good, note } from './finding.ts';

const name = 'Earlier attempt';

/**
 * Tells what a re-run would do with the job of an earlier attempt.
 * @throws ActionError when that cannot be found out
 * @throws ActionError when an earlier attempt got no response to its request
 */
export async function findEarlierJob(
  inputs: AgentInputs,
  access: Access & { readonly kind: 'granted' },
  { rerun, comment, runner }: Tools,
): Promise<Finding> {
  comment.open({ ...access, ...inputs.api, matrix: inputs.matrix, subject: 'job' });
  const search = await rerun.find();
  switch (search?.kind) {
    case undefined:
      return good(
        name,
        runner.environment.attempt === 1
          ? 'This is the first attempt.'
          : 'A real run would not look for a job, as on-rerun or job-id asks.',
      );
    case 'found': {
      const { attempt, jobId, isConfirmed } = search.record;
      if (!isConfirmed) {
        throw mayExist(search.record);
      }
      return good(
        name,
        `Attempt ${attempt} started job ${jobId}, or followed up on it. If the job is active or completed, a re-run continues with it and does not send the prompt.`,
      );
    }
    case 'none':
      return search.hasForged
        ? note(
            name,
            'There is a record of a job, but its signature does not fit this step and API key.',
          )
        : good(name, 'No earlier attempt started a job.');
    case 'no-store':
      return note(
        name,
        'Whether an earlier attempt started a job is not known, because this run has no comment and no cache to look in.',
      );
    case 'unanswered':
      throw earlierAttemptError(search.problem);
  }
}
