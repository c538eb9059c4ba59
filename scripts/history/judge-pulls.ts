import { createRepository } from '../../sandbox/github/git.ts';
import { startGitHub } from '../../sandbox/github/github.ts';
import { addPull } from '../../sandbox/github/state.ts';
import type { RuleName, Severity, Verdict } from '../../src/check/finding.ts';
import { verdictOf } from '../../src/check/judgement.ts';
import { readChange } from '../../src/check/reading/read-change.ts';
import { judgeChange } from '../../src/check/rules/rules.ts';
import { plainOf } from '../../src/check/sentence.ts';
import { createGitHub } from '../../src/github/client.ts';
import { realClock } from '../../src/runner/clock.ts';

/** What the check made of a change. */
export interface Judged {
  /** Empty if there is no verdict. */
  readonly verdict: Verdict | '';
  /** Why there is no verdict; otherwise empty. */
  readonly message: string;
  readonly findings: readonly JudgedFinding[];
  readonly tookMs: number;
}

/** A finding at its first place. */
interface JudgedFinding {
  readonly rule: RuleName;
  readonly severity: Severity;
  readonly file: string;
  readonly line: number | undefined;
  readonly what: string;
}

/** A pull request; base and head are SHAs of commits. */
export interface Pull {
  readonly base: string;
  readonly head: string;
}

interface JudgeOptions {
  /** A checkout or a bare repository. */
  readonly folder: string;
  /** The folder of the docs in it, or `.`. */
  readonly root: string;
}

const repository = 'history/docs';

/**
 * Reads each pull request through the stand-in for GitHub, and judges it. Everything runs in this process, so
 * that each takes a second or two. The bench measures a whole step.
 */
export async function judgePulls<T extends Pull>(
  pulls: readonly T[],
  { folder, root }: JudgeOptions,
  onJudged: (pull: T, judged: Judged) => void,
): Promise<void> {
  const standIn = await startGitHub({
    repositories: [{ name: repository, git: createRepository(folder) }],
    serverUrl: 'https://github.example',
  });
  for (const { base, head } of pulls) {
    addPull(standIn, repository, { base, head });
  }
  const noProxy = { httpProxy: '', httpsProxy: '', noProxy: '*' };
  const github = createGitHub({
    apiUrl: standIn.url,
    readProxy: () => noProxy,
  });
  const deps = {
    session: github.as('token'),
    token: { input: 'github-token', isStandIn: false },
    clock: realClock,
    signal: new AbortController().signal,
  } as const;

  async function judge(number: number): Promise<Omit<Judged, 'tookMs'>> {
    const options = { docsRoot: root === '.' ? '' : root, allowedPaths: [] };
    try {
      const { change } = await readChange({ repository, number }, options, deps);
      const findings = judgeChange(change, new Map());
      return {
        verdict: verdictOf(findings),
        message: '',
        findings: findings.map(({ rule, severity, what, places: [{ file, line }] }) => ({
          ...{ rule, severity, file, line, what: plainOf(what) },
        })),
      };
    } catch (error) {
      return { verdict: '', message: String(error), findings: [] };
    }
  }

  try {
    for (const [index, pull] of pulls.entries()) {
      const startMs = performance.now();
      const judged = await judge(index + 1);
      onJudged(pull, { ...judged, tookMs: performance.now() - startMs });
    }
  } finally {
    await github.close();
    await standIn.close();
  }
}
