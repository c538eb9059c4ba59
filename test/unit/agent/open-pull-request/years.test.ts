import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createMarks } from '../../../../src/agent/open-pull-request/marks.ts';
import { createOpenPullRequest } from '../../../../src/agent/open-pull-request/open-pull-request.ts';
import type { State } from '../../../../src/agent/state.ts';
import { createStateStore } from '../../../../src/common/state-store.ts';
import { noFacts } from '../../../../src/github/event.ts';
import type { GitHubRequest, GitHubResponse } from '../../../../src/github/request.ts';
import type { Job } from '../../../../src/platform/job.ts';
import { ActionError } from '../../../../src/text/error.ts';
import { agentInputs } from '../../../helpers/agent-inputs.ts';
import { githubResponse, noResponse } from '../../../helpers/fake-github.ts';
import { type FakeRunner, fakeRunner } from '../../../helpers/fake-runner.ts';
import { heavyRuns } from '../../../helpers/heavy-runs.ts';
import { job } from '../../../helpers/jobs.ts';
import { documentWatch } from '../../../helpers/pull-requests.ts';

/** One week: what has happened since the last run, and what goes wrong in this one. */
interface Week {
  readonly before: readonly (
    | 'a person commits'
    | 'merge'
    | 'close'
    | 'label off'
    | 'a stranger forges a comment'
    | 'a person labels another one'
  )[];
  readonly tokenOwner: 'docs-bot' | 'new-bot';
  readonly list: 'works' | 'fails';
  readonly api: 'works' | 'fails';
  readonly label: 'works' | 'refused' | 'lost';
  readonly comment: 'works' | 'refused' | 'lost';
  readonly agent: 'appends' | 'rewrites' | 'drops the last commit' | 'does nothing';
  readonly activity: 'works' | 'fails';
  /** Whether a person pushes a commit while the agent works. */
  readonly isBusy: boolean;
  /** Whether the step sees the end of its job. */
  readonly waits: boolean;
  /** Whether jobs of earlier weeks are still active when the step looks for them. */
  readonly isLate: boolean;
}

const often = <Value>(usual: Value, ...others: readonly Value[]) =>
  fc.oneof(
    { weight: 5, arbitrary: fc.constant(usual) },
    { weight: 2, arbitrary: fc.constantFrom(...others) },
  );

const weeks: fc.Arbitrary<Week> = fc.record({
  before: fc.array(
    fc.constantFrom(
      'a person commits' as const,
      'a person commits',
      'merge',
      'close',
      'label off',
      'a stranger forges a comment',
      'a person labels another one',
    ),
    { maxLength: 3 },
  ),
  tokenOwner: often('docs-bot' as const, 'new-bot'),
  list: often('works' as const, 'fails'),
  api: often('works' as const, 'fails'),
  label: often('works' as const, 'refused', 'lost'),
  comment: often('works' as const, 'refused', 'lost'),
  agent: often('appends' as const, 'rewrites', 'drops the last commit', 'does nothing'),
  activity: often('works' as const, 'fails'),
  isBusy: often(false, true),
  waits: often(true, false),
  isLate: often(false, true),
});

/** Marks with a signature that is not ours. */
const strange = createMarks('mint_another-key', { repository: 'acme/docs', threadNumber: 1 });

interface Pull {
  readonly number: number;
  /** Empty for one that a person opened. */
  readonly jobId: string;
  isOpen: boolean;
  isLabelled: boolean;
  readonly comments: { readonly id: number; readonly author: string; body: string }[];
  commits: string[];
  /** The force-pushes of its branch, newest first. */
  readonly forcePushes: { readonly id: number; readonly before: string }[];
  /** What it has lost and no run has told of yet. */
  readonly untold: Set<string>;
  hasLost: boolean;
}

/** A docs repository with its pull requests, and the agent's jobs. */
class World {
  readonly pulls: Pull[] = [];
  /** Pull requests of which people were told that the next run may not find them. */
  readonly excused = new Set<number>();
  readonly #histories = new Map<string, readonly string[]>();
  #ids = 0;
  #jobs = 0;

  async live(week: Week): Promise<void> {
    for (const event of week.before) {
      this.#happen(event);
    }
    const isFindable = this.#findable() !== undefined;
    const runner = fakeRunner({
      GITHUB_RUN_ID: String(this.#nextId()),
      GITHUB_REPOSITORY: 'acme/docs',
      GITHUB_SERVER_URL: 'https://github.com',
    });
    const state = createStateStore<State>({}, () => undefined);
    const inputs = agentInputs({ 'pr-label': 'docs', 'on-open-pr': 'continue' });
    state.learn({ inputs });
    const access = {
      kind: 'granted',
      facts: noFacts,
      askedBy: '',
      inputs: {
        requirement: undefined,
        botLogins: [],
        comment: { kind: 'off' },
        githubToken: 'ghs_t0ken',
        docsToken: 'ghs_t0ken',
      },
    } as const;
    const send = async (request: GitHubRequest) => this.#respond(request, week);
    const github = {
      graphqlUrl: 'https://api.github.com/graphql',
      as: () => ({ send }),
      close: async () => {},
    };
    const openPullRequest = createOpenPullRequest({
      runner,
      state,
      github,
      access,
      readJob: async ({ id }) => this.#readJob(id, week),
    });
    let source: Awaited<ReturnType<typeof openPullRequest.decide>>;
    try {
      source = await openPullRequest.decide({ kind: 'create', prompt: 'Refresh' });
    } catch (error) {
      expect(error).toBeInstanceOf(ActionError);
      expect([week.list, week.api].includes('fails') || week.isLate).toBe(true);
      return;
    }
    if ('result' in source || source.kind === 'attach' || source.kind === 'resume') {
      throw new Error('The run was to start a job, or to continue one.');
    }
    expect(source.kind).toBe(isFindable ? 'follow-up' : 'create');
    const pull = source.kind === 'follow-up' ? this.#pullOf(source.jobId) : this.#open(week);
    if (source.kind === 'follow-up') {
      this.#work(pull, week);
    }
    if (!week.waits) {
      // Its message says that the run which waits for the job marks the pull request.
      this.excused.add(pull.number);
      return;
    }
    const ended = this.#readJob(pull.jobId, { api: 'works', isLate: false });
    const link = ended.pullRequest.kind === 'link' ? ended.pullRequest : undefined;
    if (link === undefined) {
      throw new Error('Every job here has a pull request.');
    }
    const headSha = pull.commits.at(-1) ?? '';
    const pullRequest = { ...documentWatch, headSha, branch: `branch-${pull.number}` };
    state.learn({ job: ended, link, source: source.kind, pullRequest });
    await openPullRequest.finish({ result: 'pull-request', job: ended, url: link.url });
    this.#judge(pull, runner);
  }

  /** What has to be true after each run. */
  #judge(pull: Pull, runner: FakeRunner): void {
    const told = runner.news();
    const isTold = told.some((line) => /^warning: .*has lost commit/.test(line));
    const isUnknown = told.some((line) => /^warning: Whether force-pushes/.test(line));
    expect(isTold || isUnknown || pull.untold.size === 0).toBe(true);
    expect(isTold && !pull.hasLost).toBe(false);
    pull.untold.clear();
    if (told.some((line) => /^warning: .*could not be (?:put|written)/.test(line))) {
      this.excused.add(pull.number);
    }
    const open = this.pulls.filter(
      ({ number, jobId, isOpen, isLabelled }) =>
        jobId !== '' && isOpen && isLabelled && !this.excused.has(number),
    );
    expect(open.length).toBeLessThanOrEqual(1);
    const others = told.filter((line) => /^warning: The (?!branch)/.test(line));
    expect(others.length).toBeLessThanOrEqual(1);
  }

  /** The newest open pull request that the next run has to continue in. */
  #findable(): Pull | undefined {
    return this.pulls.findLast(
      ({ jobId, isOpen, isLabelled, comments }) =>
        jobId !== '' &&
        isOpen &&
        isLabelled &&
        comments.some(({ body }) => strange.read(body)?.jobId === jobId),
    );
  }

  #happen(event: Week['before'][number]): void {
    const pull = this.pulls.findLast(({ isOpen }) => isOpen);
    if (event === 'a person labels another one') {
      const number = this.pulls.length + 1;
      this.pulls.push({ ...this.#blank(number, ''), isLabelled: true });
    } else if (pull !== undefined) {
      this.#change(pull, event);
    }
  }

  #change(pull: Pull, event: Exclude<Week['before'][number], 'a person labels another one'>): void {
    switch (event) {
      case 'a person commits':
        this.#push(pull);
        break;
      case 'merge':
      case 'close':
        pull.isOpen = false;
        break;
      case 'label off':
        pull.isLabelled = false;
        break;
      case 'a stranger forges a comment': {
        const jobId = `job_${(this.#nextId() % (this.#jobs + 2)) + 1}`;
        const body = strange.write({ jobId, count: 77, rounds: [], lastForcePush: '999999' });
        pull.comments.push({ id: this.#nextId(), author: 'stranger', body });
      }
    }
  }

  #open({ agent }: Week): Pull {
    this.#jobs += 1;
    const pull = this.#blank(this.pulls.length + 1, `job_${this.#jobs}`);
    if (agent === 'appends') {
      this.#push(pull);
    }
    this.pulls.push(pull);
    return pull;
  }

  #work(pull: Pull, { agent, isBusy }: Week): void {
    if (isBusy) {
      this.#push(pull);
    }
    if (agent === 'rewrites') {
      this.#forcePush(pull, []);
    } else if (agent === 'drops the last commit') {
      this.#forcePush(pull, pull.commits.slice(0, -1));
    } else if (agent === 'appends') {
      this.#push(pull);
    }
  }

  #push(pull: Pull): void {
    const commit = this.#commit();
    pull.commits.push(commit);
    this.#histories.set(commit, [...pull.commits]);
  }

  #forcePush(pull: Pull, kept: readonly string[]): void {
    const before = pull.commits;
    pull.forcePushes.unshift({ id: this.#nextId(), before: before.at(-1) ?? '' });
    for (const commit of before.slice(kept.length)) {
      pull.untold.add(commit);
    }
    pull.hasLost = true;
    pull.commits = [...kept];
    this.#push(pull);
  }

  #blank(number: number, jobId: string): Pull {
    const pull = {
      number,
      jobId,
      isOpen: true,
      isLabelled: false,
      comments: [],
      commits: [],
      forcePushes: [],
      untold: new Set<string>(),
      hasLost: false,
    };
    this.#push(pull);
    return pull;
  }

  #pullOf(jobId: string): Pull {
    const pull = this.pulls.find((candidate) => candidate.jobId === jobId);
    if (pull === undefined) {
      throw new Error(`No job ${jobId} opened a pull request.`);
    }
    return pull;
  }

  #readJob(id: string, { api, isLate }: Pick<Week, 'api' | 'isLate'>): Job {
    if (api === 'fails') {
      throw new ActionError('unreachable', 'the API did not respond', 'wait');
    }
    const pull = this.pulls.find(({ jobId }) => jobId === id);
    if (pull === undefined) {
      throw new ActionError('job-not-found', 'there is no such job', 'check it');
    }
    if (isLate) {
      return job({ id, status: 'active', pullRequest: { kind: 'none' } });
    }
    const number = String(pull.number);
    const url = `https://github.com/acme/docs/pull/${number}`;
    const pullRequest = { kind: 'link', url, github: { repository: 'acme/docs', number } } as const;
    return job({ id, status: 'completed', pullRequest });
  }

  #respond({ route, parameters = {} }: GitHubRequest, week: Week): GitHubResponse {
    const pull = this.pulls.find(
      ({ number }) =>
        String(number) === String(parameters['issue_number'] ?? parameters['pull_number']),
    );
    const { headSha } = { headSha: pull?.commits.at(-1) ?? '' };
    switch (route.replace('/repos/{owner}/{repo}', '')) {
      case 'GET /issues':
        return week.list === 'fails' ? githubResponse(500) : githubResponse(200, this.#listed());
      case 'GET /issues/{issue_number}/comments':
        return githubResponse(
          200,
          pull?.comments.map(({ id, author, body }) => ({ id, user: { login: author }, body })),
        );
      case 'GET /pulls/{pull_number}':
        return githubResponse(200, { head: { sha: headSha, ref: `branch-${pull?.number}` } });
      case 'GET /pulls/{pull_number}/files':
      case 'GET /labels/{name}':
        return githubResponse(200, []);
      case 'GET /activity':
        return week.activity === 'fails'
          ? githubResponse(403, { message: 'Resource not accessible by integration' })
          : githubResponse(
              200,
              this.pulls.find(({ number }) => parameters['ref'] === `refs/heads/branch-${number}`)
                ?.forcePushes,
            );
      case 'GET /compare/{basehead}':
        return this.#compare(String(parameters['basehead']));
      case 'POST /issues/{issue_number}/labels':
        return this.#write(week.label, () => {
          if (pull !== undefined) {
            pull.isLabelled = true;
          }
        });
      case 'POST /issues/{issue_number}/comments':
        return this.#write(week.comment, () => {
          pull?.comments.push({
            id: this.#nextId(),
            author: week.tokenOwner,
            body: String(parameters['body']),
          });
        });
      case 'PATCH /issues/comments/{comment_id}':
        return this.#write(week.comment, () => {
          const comments = this.pulls.flatMap((candidate) => candidate.comments);
          const comment = comments.find(({ id }) => id === parameters['comment_id']);
          expect(comment?.author).toBe(week.tokenOwner);
          Object.assign(comment ?? {}, { body: String(parameters['body']) });
        });
      case 'POST https://api.github.com/graphql':
        return githubResponse(200, { data: { viewer: { login: week.tokenOwner } } });
      default:
        throw new Error(`Nobody expected ${route}.`);
    }
  }

  #write(outcome: Week['label'], write: () => void): GitHubResponse {
    if (outcome === 'refused') {
      return githubResponse(403, { message: 'Resource not accessible by integration' });
    }
    write();
    return outcome === 'lost' ? noResponse : githubResponse(201, { id: 1 });
  }

  #listed() {
    return this.pulls
      .filter(({ isOpen, isLabelled }) => isOpen && isLabelled)
      .toReversed()
      .map(({ number }) => ({
        number,
        html_url: `https://github.com/acme/docs/pull/${number}`,
        pull_request: {},
      }));
  }

  #compare(basehead: string): GitHubResponse {
    const [base = '', head = ''] = basehead.split('...');
    const has = (commit: string, other: string) =>
      this.#histories.get(commit)?.includes(other) === true;
    const [one, other] = [has(head, base), has(base, head)];
    const status = one ? (other ? 'identical' : 'ahead') : other ? 'behind' : 'diverged';
    return githubResponse(200, { status, total_commits: one && other ? 0 : 1, files: [] });
  }

  #commit(): string {
    return this.#nextId().toString(16).padStart(40, '0');
  }

  #nextId(): number {
    this.#ids += 1;
    return this.#ids;
  }
}

it('years of weekly runs never open a second pull request beside one, nor lose a commit in silence', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(weeks, { minLength: 1, maxLength: 104, size: 'max' }),
      async (years) => {
        const world = new World();
        for (const week of years) {
          await world.live(week);
        }
      },
    ),
    heavyRuns(60),
  );
}, 60_000);
