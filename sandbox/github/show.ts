import { type Commit, webFlow } from './git.ts';
import {
  type CheckRun,
  type Comment,
  type GitHubState,
  isPull,
  type Label,
  labelOf,
  mergedTree,
  type Pull,
  type Release,
  type Repository,
  repositoryOf,
  type Thread,
  type WorkflowRun,
} from './state.ts';

/** Shows what is stored as GitHub's API does. @param url the base URL of links to web pages */
export function shower(state: GitHubState, url: string, apiUrl: string) {
  const owners = [...new Set(state.repositories.map(({ name }) => name.split('/')[0] ?? ''))];
  const logins = [...Object.keys(state.roles), ...owners];

  function account(login: string) {
    const api = `${apiUrl}/users/${encodeURIComponent(login)}`;
    const isOwner = owners.includes(login);
    const index = logins.indexOf(login);
    return {
      login,
      id: 1000 + (index === -1 ? [...login].reduce((sum, c) => sum + c.charCodeAt(0), 0) : index),
      node_id: `U_${login}`,
      avatar_url: `${url}/avatars/${login}`,
      url: api,
      html_url: `${url}/${login.replace(/^(.*)\[bot\]$/, 'apps/$1')}`,
      type: login.endsWith('[bot]') ? 'Bot' : isOwner ? 'Organization' : 'User',
    };
  }

  /** An account; `null` if it is gone. */
  const accountOrNull = (login: string | null) => (login === null ? null : account(login));

  /** GitHub says "NONE" of Apps, too. */
  function associationOf(login: string | null) {
    const role = state.roles[login ?? ''] ?? 'read';
    return role === 'read' ? 'NONE' : 'MEMBER';
  }

  function organization(login: string) {
    const api = `${apiUrl}/orgs/${login}`;
    return {
      login,
      id: 1000 + logins.indexOf(login),
      node_id: `O_${login}`,
      url: api,
      avatar_url: `${url}/avatars/${login}`,
      description: '',
    };
  }

  function repository({ name, defaultBranch = 'main' }: Repository) {
    const [owner = '', shortName = ''] = name.split('/');
    return {
      id: 2000 + state.repositories.findIndex((each) => each.name === name),
      node_id: `R_${name}`,
      name: shortName,
      full_name: name,
      private: false,
      owner: account(owner),
      html_url: `${url}/${name}`,
      description: null,
      fork: false,
      url: `${apiUrl}/repos/${name}`,
      clone_url: `${url}/${name}.git`,
      homepage: null,
      language: null,
      topics: [],
      archived: false,
      visibility: 'public',
      default_branch: defaultBranch,
    };
  }

  function label({ id, repository: name, ...rest }: Label) {
    const link = `${apiUrl}/repos/${name}/labels/${encodeURIComponent(rest.name)}`;
    return { id, node_id: `LA_${id}`, url: link, ...rest, default: false };
  }

  const labels = ({ repository: name, labels: names }: Thread) =>
    names.flatMap((each) => labelOf(state, name, each) ?? []).map(label);

  function thread(found: Thread) {
    const { repository: name, number, title, body, login, state: is } = found;
    const link = `${apiUrl}/repos/${name}/issues/${number}`;
    return {
      id: 3000 + state.threads.indexOf(found),
      node_id: idOf(found),
      url: link,
      comments_url: `${link}/comments`,
      labels_url: `${link}/labels{/name}`,
      html_url: `${url}/${name}/${found.pull === undefined ? 'issues' : 'pull'}/${number}`,
      number,
      state: is,
      locked: false,
      title,
      body,
      user: accountOrNull(login),
      labels: labels(found),
      assignee: null,
      assignees: [],
      milestone: null,
      author_association: associationOf(login),
      active_lock_reason: null,
      created_at: found.createdAt,
      updated_at: found.updatedAt,
      closed_at: found.closedAt ?? null,
    };
  }

  /** An issue; each pull request is one, too. */
  function issue(found: Thread) {
    const { repository: name, number } = found;
    const comments = state.comments.filter(
      (each) => each.repository === name && each.number === number,
    );
    const shown = thread(found);
    const link = `${apiUrl}/repos/${name}/pulls/${number}`;
    return {
      ...shown,
      repository_url: `${apiUrl}/repos/${name}`,
      state_reason: null,
      comments: comments.length,
      ...(isPull(found) && {
        draft: found.pull.isDraft,
        pull_request: {
          url: link,
          html_url: shown.html_url,
          merged_at: found.pull.merged?.at ?? null,
        },
      }),
    };
  }

  /** A pull request as in a list. */
  function pull(found: Pull) {
    const { repository: name, number, pull: own } = found;
    const base = repository(repositoryOf(state, name));
    const [owner = ''] = name.split('/');
    const { repository: fork } = own.head;
    const [forkOwner = ''] = (fork ?? '').split('/');
    const head = { ...base, full_name: fork, html_url: `${url}/${fork}`, fork: fork !== name };
    const link = `${apiUrl}/repos/${name}/pulls/${number}`;
    return {
      ...thread(found),
      url: link,
      diff_url: `${url}/${name}/pull/${number}.diff`,
      patch_url: `${url}/${name}/pull/${number}.patch`,
      issue_url: `${apiUrl}/repos/${name}/issues/${number}`,
      draft: own.isDraft,
      merged_at: own.merged?.at ?? null,
      merge_commit_sha: own.merged?.sha ?? null,
      requested_reviewers: own.reviewers.map(account),
      requested_teams: [],
      auto_merge: own.autoMerge ? { merge_method: own.autoMerge.method } : null,
      base: { label: `${owner}:${own.base.ref}`, ...own.base, user: account(owner), repo: base },
      head: {
        label: `${forkOwner}:${own.head.ref}`,
        ref: own.head.ref,
        sha: own.head.sha,
        user: fork === null ? null : account(forkOwner),
        repo: fork === null ? null : { ...head, owner: account(forkOwner) },
      },
    };
  }

  /** What a pull request changes; once it is merged, what it changed. */
  function changesOf({ repository: name, pull: { base, head } }: Pull) {
    const { git } = repositoryOf(state, name);
    const mergeBase = git.mergeBase(base.sha, head.sha) ?? base.sha;
    return {
      files: git.diff(mergeBase, head.sha),
      commits: git.commitsBetween(base.sha, head.sha),
    };
  }

  /** A pull request by itself. */
  function pullDetails(found: Pull) {
    const { files, commits } = changesOf(found);
    const sum = (name: 'additions' | 'deletions') =>
      files.reduce((total, file) => total + file[name], 0);
    const { merged } = found.pull;
    return {
      ...pull(found),
      merged: merged !== undefined,
      mergeable: found.state === 'open' ? mergedTree(state, found) !== undefined : null,
      merged_by: merged === undefined ? null : account(merged.login),
      comments: issue(found).comments,
      commits: commits.length,
      changed_files: files.length,
      additions: sum('additions'),
      deletions: sum('deletions'),
    };
  }

  function comment({ id, repository: name, number, login, body, ...times }: Comment) {
    const found = state.threads.find((each) => each.repository === name && each.number === number);
    const page = found?.pull === undefined ? 'issues' : 'pull';
    const at = times.createdAt ?? '2026-01-01T00:00:00Z';
    return {
      id,
      node_id: `IC_${id}`,
      url: `${apiUrl}/repos/${name}/issues/comments/${id}`,
      html_url: `${url}/${name}/${page}/${number}#issuecomment-${id}`,
      issue_url: `${apiUrl}/repos/${name}/issues/${number}`,
      user: accountOrNull(login),
      author_association: associationOf(login),
      created_at: at,
      updated_at: times.updatedAt ?? at,
      body,
    };
  }

  /** The account that a commit's address belongs to; `null` for an address that no account has. */
  const accountOf = ({ email }: Commit['author']) => {
    if (email === webFlow.email) return account('web-flow');
    const login = /^(.*)@example\.com$/.exec(email)?.[1] ?? '';
    return state.roles[login] === undefined && !login.endsWith('[bot]') ? null : account(login);
  };

  /** A commit as git has it, which is how the operations on contents show it. */
  function gitCommit(name: string, found: Commit) {
    const { sha, treeSha, parents, author, committer, message } = found;
    const link = (object: string) => `${apiUrl}/repos/${name}/git/${object}`;
    return {
      sha,
      node_id: `C_${sha}`,
      url: link(`commits/${sha}`),
      html_url: `${url}/${name}/commit/${sha}`,
      ...{ author, committer, message, tree: { sha: treeSha, url: link(`trees/${treeSha}`) } },
      parents: parents.map((parent) => ({ sha: parent, url: link(`commits/${parent}`) })),
    };
  }

  /** A commit with the accounts of its author and its committer. */
  function commit(name: string, found: Commit) {
    const { author, committer, message, tree, ...shown } = gitCommit(name, found);
    return {
      ...shown,
      url: `${apiUrl}/repos/${name}/commits/${found.sha}`,
      commit: { author, committer, message, tree },
      author: accountOf(author),
      committer: accountOf(committer),
    };
  }

  function release({ id, repository: name, login, tag, target, at, ...rest }: Release) {
    const link = `${apiUrl}/repos/${name}/releases/${id}`;
    return {
      id,
      node_id: `RE_${id}`,
      url: link,
      assets_url: `${link}/assets`,
      html_url: `${url}/${name}/releases/tag/${tag}`,
      tag_name: tag,
      target_commitish: target,
      ...rest,
      draft: false,
      prerelease: false,
      immutable: false,
      created_at: at,
      published_at: at,
      author: account(login),
      assets: [],
    };
  }

  return {
    ...{ account, organization, repository, label, labels, issue, pull, pullDetails, changesOf },
    ...{ comment, gitCommit, commit, release },
  };
}

export type Shower = ReturnType<typeof shower>;

/** The id of a thread, from which GraphQL finds it again. */
export const idOf = ({ repository, number }: Thread) => `${repository}#${number}`;

export function showRun(run: WorkflowRun) {
  const { id, repository, workflowId, workflowFile, event, branch, headSha, conclusion } = run;
  return {
    id,
    workflow_id: workflowId,
    path: `.github/workflows/${workflowFile}`,
    event,
    head_branch: branch,
    head_sha: headSha,
    created_at: run.createdAt ?? '2026-01-01T00:00:00Z',
    head_repository: { full_name: repository },
    status: conclusion === undefined ? 'in_progress' : 'completed',
    conclusion: conclusion ?? null,
  };
}

export function showCheckRun(run: CheckRun, index: number) {
  const { name, sha, conclusion, app = 'docs-agent' } = run;
  return {
    id: index + 1,
    name,
    head_sha: sha,
    status: conclusion === undefined ? 'in_progress' : 'completed',
    conclusion: conclusion ?? null,
    app: { slug: app, name: app },
    output: { title: null, summary: null },
  };
}
