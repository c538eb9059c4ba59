import { EarlierAttemptError } from '../../runner/errors.ts';
import type { Access } from '../access/access.ts';
import type { AgentInputs } from '../inputs.ts';
import { mayExist } from '../rerun/resume.ts';
import type { Tools } from '../tools.ts';
import { type Finding, good, note } from './finding.ts';

const name = 'Earlier attempt';

/**
 * Tells what a re-run would do with the job of an earlier attempt.
 * @throws EarlierAttemptError when that cannot be found out
 * @throws JobMayExistError when an earlier attempt got no response to its request
 */
export async function findEarlierJob(
  inputs: AgentInputs,
  access: Access & { readonly kind: 'granted' },
  { rerun, comment }: Tools,
): Promise<Finding> {
  comment.open({ ...access, ...inputs.api, ...inputs, inputs: access.inputs, subject: 'job' });
  const search = await rerun.find();
  switch (search?.kind) {
    case undefined:
      return good(name, 'A real run would not look for the job of an earlier attempt.');
    case 'found': {
      const { attempt, jobId, isConfirmed } = search.record;
      if (!isConfirmed) {
        throw mayExist(search.record);
      }
      return good(name, `Attempt ${attempt} sent its request to job ${jobId}.`);
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
        'Whether an earlier attempt started a job is not known, because neither a comment nor a cache that this run may read could tell.',
      );
    case 'unanswered':
      throw new EarlierAttemptError(search.problem);
  }
}
