import * as v from 'valibot';
import { folderStore } from '../../sandbox/github/git/folder-store.ts';
import { startStandIn } from '../../sandbox/github/stand-in/stand-in.ts';
import { runStep } from '../../sandbox/runner/runner.ts';
import { bundleOf, repositoryFolder } from '../actions.ts';

/** Reads the output `findings`. */
export const findingsSchema = v.array(
  v.object({
    rule: v.string(),
    severity: v.picklist(['block', 'review']),
    file: v.string(),
    line: v.nullable(v.number()),
    what: v.string(),
    before: v.nullable(v.string()),
    after: v.nullable(v.string()),
    others: v.array(v.object({ file: v.string(), line: v.nullable(v.number()) })),
  }),
);

/** What the check made of a change. */
export interface Judged {
  /** Empty without one. */
  readonly verdict: string;
  /** The last sentence of the log, or its end if there is none. */
  readonly message: string;
  readonly findings: v.InferOutput<typeof findingsSchema>;
  readonly requests: number;
  /** Objects that the local copy of the repository lacks, which GitHub would have. */
  readonly missing: number;
  readonly tookMs: number;
}

/** A pull request; base and head are SHAs of commits. */
export interface Pull {
  readonly base: string;
  readonly head: string;
}

interface JudgeOptions {
  /** A checkout or a bare repository. */
  readonly folder: string;
  readonly root: string;
  /** The program that runs, such as the bundle in dist. */
  readonly entry: string;
  /** How many run at once. */
  readonly atOnce: number;
}

const repository = 'history/docs';
const serverUrl = 'https://github.example';

/**
 * Runs the check on each pull request, as its own step in its own process, through the stand-in. So
 * what is judged is what a workflow would judge, down to the requests.
 * @param onJudged called in any order
 */
export async function judgePulls<T extends Pull>(
  pulls: readonly T[],
  { folder, root, entry, atOnce }: JudgeOptions,
  onJudged: (pull: T, judged: Judged) => void,
): Promise<void> {
  const store = folderStore(folder);
  const numbered = pulls.map(({ base, head }, index) => ({ number: index + 1, base, head }));
  const standIn = await startStandIn({
    repositories: [{ name: repository, store, pulls: numbered }],
    serverUrl,
  });

  async function judge(number: number): Promise<Judged> {
    const startMs = performance.now();
    // Each run has its own token, by which its requests are told apart.
    const token = `pull-${number}`;
    const { outputs, stdout, stderr } = await runStep({
      entry,
      actionFile: bundleOf('check').actionFile,
      inputs: {
        'pr-link': `${serverUrl}/${repository}/pull/${number}`,
        'docs-root': root,
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
      message: outputs['message'] ?? `${stdout}${stderr}`.slice(-1000),
      findings: v.parse(findingsSchema, JSON.parse(outputs['findings'] || '[]')),
      requests: requests.length,
      missing: requests.filter(({ path, status }) => path.includes('/git/blobs/') && status === 404)
        .length,
      tookMs: performance.now() - startMs,
    };
  }

  const queue = pulls.entries();
  const work = async () => {
    for (const [index, pull] of queue) {
      onJudged(pull, await judge(index + 1));
    }
  };
  try {
    await Promise.all(Array.from({ length: atOnce }, work));
  } finally {
    await standIn.close();
    await store.close();
  }
}
