import * as v from 'valibot';
import type { GitStore } from '../../sandbox/github/git/store.ts';
import { startStandIn } from '../../sandbox/github/stand-in/stand-in.ts';
import { runStep } from '../../sandbox/runner/runner.ts';
import { bundleOf, repositoryFolder } from '../actions.ts';
import type { MergedChange } from './changes.ts';

/** Reads the output `findings`. */
export const findingsSchema = v.array(
  v.object({
    rule: v.string(),
    severity: v.picklist(['block', 'review']),
    file: v.string(),
    line: v.nullable(v.number()),
    what: v.string(),
    was: v.nullable(v.string()),
  }),
);

/** What the check made of a change. */
export interface Judged {
  /** Empty without one. */
  readonly verdict: string;
  readonly result: string;
  readonly message: string;
  readonly findings: v.InferOutput<typeof findingsSchema>;
  readonly requests: number;
  /** Objects that the local copy of the repository lacks, which GitHub would have. */
  readonly missing: number;
  readonly tookMs: number;
}

interface JudgeOptions {
  readonly store: GitStore;
  readonly root: string;
  /** The program that runs, such as the bundle in dist. */
  readonly entry: string;
  /** The input `allowed-paths`; may be empty. */
  readonly allowedPaths: string;
  /** How many run at once. */
  readonly atOnce: number;
  readonly onJudged: (change: MergedChange, judged: Judged) => void;
}

const repository = 'history/docs';
const serverUrl = 'https://github.example';

/**
 * Runs the check on each change, as its own step in its own process, through the stand-in. So what is
 * judged is what a workflow would judge, down to the requests.
 */
export async function judgeChanges(
  changes: readonly MergedChange[],
  { store, root, entry, allowedPaths, atOnce, onJudged }: JudgeOptions,
): Promise<void> {
  const pulls = changes.map(({ sha, base, subject }, index) => ({
    number: index + 1,
    base,
    head: sha,
    title: subject,
  }));
  const standIn = await startStandIn({
    repositories: [{ name: repository, store, pulls }],
    serverUrl,
  });

  async function judge(number: number): Promise<Judged> {
    const startMs = performance.now();
    // Each run has its own token, by which its requests are told apart.
    const token = `change-${number}`;
    const { outputs, stdout, stderr } = await runStep({
      entry,
      actionFile: bundleOf('check').actionFile,
      inputs: {
        'pr-link': `${serverUrl}/${repository}/pull/${number}`,
        'docs-root': root,
        'allowed-paths': allowedPaths,
        'github-token': token,
      },
      context: {
        serverUrl,
        apiUrl: standIn.url,
        repository,
        actor: 'history',
        eventName: 'workflow_dispatch',
        token,
      },
      env: { NODE_COMPILE_CACHE: `${repositoryFolder}/build/compiled` },
    });
    const requests = standIn.requests.filter((request) => request.token === token);
    return {
      verdict: outputs['verdict'] ?? '',
      result: outputs['result'] ?? 'none',
      message: outputs['message'] ?? `${stdout}${stderr}`.slice(-1000),
      findings: v.parse(findingsSchema, JSON.parse(outputs['findings'] || '[]')),
      requests: requests.length,
      missing: requests.filter(({ path, status }) => path.includes('/git/blobs/') && status === 404)
        .length,
      tookMs: performance.now() - startMs,
    };
  }

  const queue = changes.entries();
  const work = async () => {
    for (const [index, change] of queue) {
      onJudged(change, await judge(index + 1));
    }
  };
  try {
    await Promise.all(Array.from({ length: atOnce }, work));
  } finally {
    await standIn.close();
  }
}
