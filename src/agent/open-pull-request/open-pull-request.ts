import type { SkippedResult } from '../../common/reasons.ts';
import type { Job } from '../../platform/job.ts';
import type { Access } from '../access/access.ts';
import type { AskedSource, JobSource, StartedJob } from '../job/source.ts';
import type { Result } from '../result.ts';
import type { Tools } from '../tools.ts';

/** The pull request of earlier runs, in which this one may go on. Does nothing unless inputs ask for it. */
export interface OpenPullRequest {
  /**
   * Finds the job of the pull request that the event is about, if `job-id` asks for that.
   * @throws ActionError
   */
  nameJob(asked: AskedSource<string>): Promise<AskedSource<string> | SkippedResult>;
  /**
   * Decides whether a run that is about to start a job starts one, or continues in an open pull request.
   * @throws ActionError
   */
  decide(source: JobSource<string>): Promise<JobSource<string> | SkippedResult>;
  /** Checks what the job made of the pull request, and marks it for the next run. Never throws. */
  finish(result: Result): Promise<void>;
}

export interface OpenPullRequestDeps extends Pick<Tools, 'runner' | 'state' | 'github'> {
  readonly access: Access & { readonly kind: 'granted' };
  /** @throws ActionError, CancelledError */
  readonly readJob: (attached: StartedJob) => Promise<Job>;
}

/** Everything else is in files that are loaded only when the inputs ask for it. */
export function createOpenPullRequest(deps: OpenPullRequestDeps): OpenPullRequest {
  const { state } = deps;
  return {
    async nameJob(asked) {
      if (asked.kind === 'create' || state.current.inputs?.jobIsOfPullRequest !== true) {
        return asked;
      }
      const { nameJob } = await import('./choose.ts');
      return await nameJob(asked, deps);
    },
    async decide(source) {
      const { inputs } = state.current;
      if (source.kind === 'follow-up' && inputs?.jobIsOfPullRequest === true) {
        const { learnBefore } = await import('./choose.ts');
        return (await learnBefore(deps)) ?? source;
      }
      if (source.kind !== 'create' || inputs === undefined) {
        return source;
      }
      if (inputs.openPullRequest.onOpen === 'new') {
        return source;
      }
      const { decide } = await import('./choose.ts');
      return await decide(source, inputs, deps);
    },
    async finish(result) {
      const { inputs, life } = state.current;
      const isMarked = inputs !== undefined && inputs.openPullRequest.label !== '';
      if (result.result === 'pull-request' && (isMarked || life !== undefined)) {
        const { finish } = await import('./finish.ts');
        await finish(result, deps);
      }
    },
  };
}
