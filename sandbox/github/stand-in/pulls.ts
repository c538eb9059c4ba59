import type { HttpResponse } from '../../http.ts';
import { notFound } from '../git/object-routes.ts';
import type { GitStore } from '../git/store.ts';
import type { Route } from '../route.ts';

/** A pull request that a caller declares. */
export interface DeclaredPull {
  readonly number: number;
  /** SHAs of commits. The base is the tip of the base branch, not the merge base. */
  readonly base: string;
  readonly head: string;
  readonly title?: string;
  readonly body?: string;
  readonly baseBranch?: string;
  readonly headBranch?: string;
  /** `owner/name` of the fork; `null` for one that was deleted; the repository itself by default. */
  readonly headRepository?: string | null;
  readonly author?: { readonly login: string; readonly type: 'User' | 'Bot' };
  readonly state?: 'open' | 'closed';
  readonly isDraft?: boolean;
  readonly isMerged?: boolean;
}

export interface PullRepository {
  readonly name: string;
  readonly store: GitStore;
  readonly pulls: readonly DeclaredPull[];
  readonly defaultBranch: string;
  readonly isPrivate: boolean;
}

/** "Get a repository" and "Get a pull request". */
export function pullRoutes(
  url: string,
  find: (repository: string) => PullRepository | undefined,
): Route[] {
  return [
    {
      method: 'GET',
      path: /^\/repos\/([^/]+\/[^/]+)$/,
      handle: (_, [name = '']) => {
        const repository = find(name);
        return repository === undefined
          ? notFound
          : { status: 200, body: showRepository(url, repository) };
      },
    },
    {
      method: 'GET',
      path: /^\/repos\/([^/]+\/[^/]+)\/pulls\/(\d+)$/,
      handle: (_, [name = '', number]) => {
        const repository = find(name);
        const pull = repository?.pulls.find((each) => each.number === Number(number));
        return repository === undefined || pull === undefined
          ? notFound
          : showPull(url, repository, pull);
      },
    },
  ];
}

function showRepository(url: string, repository: PullRepository) {
  const { name, defaultBranch, isPrivate } = repository;
  return {
    full_name: name,
    private: isPrivate,
    default_branch: defaultBranch,
    html_url: `${url}/${name}`,
  };
}

async function showPull(
  url: string,
  repository: PullRepository,
  pull: DeclaredPull,
): Promise<HttpResponse> {
  const { name, store } = repository;
  const { number, base, head, baseBranch = repository.defaultBranch, headBranch = 'docs' } = pull;
  const { headRepository = name, state = 'open', isMerged = false } = pull;
  const mergeBase = (await store.mergeBase(base, head)) ?? base;
  const [{ files, additions, deletions }, commits] = await Promise.all([
    store.diffStat(mergeBase, head),
    store.commitsBetween(base, head),
  ]);
  const own = showRepository(url, repository);
  const fork = { ...own, full_name: headRepository, html_url: `${url}/${headRepository}` };
  return {
    status: 200,
    body: {
      number,
      title: pull.title ?? 'Change the docs',
      body: pull.body ?? null,
      html_url: `${url}/${name}/pull/${number}`,
      state,
      draft: pull.isDraft ?? false,
      merged: isMerged,
      user: pull.author ?? { login: 'docs-agent[bot]', type: 'Bot' },
      base: { ref: baseBranch, sha: base, repo: own },
      head: { ref: headBranch, sha: head, repo: headRepository === null ? null : fork },
      commits: commits.length,
      changed_files: files,
      additions,
      deletions,
    },
  };
}
