import * as v from 'valibot';
import type { DiffFile } from './git.ts';
import { type Call, numberIn, ok, paged, type Routes } from './route.ts';
import {
  addComment,
  addLabel,
  addLabels,
  addPull,
  addReview,
  addThread,
  checkComment,
  isPull,
  isSame,
  labelOf,
  mergePull,
  notFound,
  now,
  type Pull,
  pullOf,
  Refusal,
  requestReview,
  setState,
  type Thread,
  threadOf,
} from './state.ts';

const text = v.string();
const texts = v.array(text);
const issueBody = v.object({
  title: text,
  body: v.optional(v.nullable(text), null),
  labels: v.optional(texts, []),
});
const changeBody = v.object({
  title: v.optional(text),
  body: v.optional(v.nullable(text)),
  state: v.optional(v.picklist(['open', 'closed'])),
});
const labelBody = v.object({
  name: text,
  color: v.optional(text, 'ededed'),
  description: v.optional(v.nullable(text), null),
});
const pullBody = v.object({
  title: text,
  head: text,
  base: text,
  body: v.optional(v.nullable(text), null),
  draft: v.optional(v.boolean(), false),
});
const mergeBody = v.object({
  sha: v.optional(text),
  merge_method: v.optional(v.picklist(['merge', 'squash', 'rebase'])),
  commit_title: v.optional(text),
});

/** Issues and pull requests: comments, labels, reviews and merges. */
export const threadRoutes: Routes = {
  'GET /repos/{repo}/issues'(call) {
    const labels = (call.query.get('labels') ?? '').split(',').filter((name) => name !== '');
    const hasAll = (thread: Thread) =>
      labels.every((name) => thread.labels.some((each) => isSame(each, name)));
    return paged(call, listed(call).filter(hasAll).map(call.show.issue));
  },
  'POST /repos/{repo}/issues'(call) {
    const thread = { ...call.body(issueBody), login: call.login };
    return ok(call.show.issue(addThread(call.state, call.repository.name, thread)), 201);
  },
  'GET /repos/{repo}/issues/{number}': (call) => ok(call.show.issue(threadIn(call))),
  'PATCH /repos/{repo}/issues/{number}': (call) =>
    ok(call.show.issue(change(threadIn(call), call))),

  'GET /repos/{repo}/issues/{number}/comments'(call) {
    const { repository, number } = threadIn(call);
    const found = call.state.comments.filter(
      (each) => each.repository === repository && each.number === number,
    );
    return paged(call, found.map(call.show.comment));
  },
  'POST /repos/{repo}/issues/{number}/comments'(call) {
    const { body } = call.body(v.object({ body: text }));
    return ok(call.show.comment(addComment(call.state, threadIn(call), call.login, body)), 201);
  },
  'PATCH /repos/{repo}/issues/comments/{id}'({ state, repository, part, body, show }) {
    const index = state.comments.findIndex(
      ({ repository: name, id }) => name === repository.name && id === Number(part('id')),
    );
    const old = state.comments[index];
    if (old === undefined) {
      throw notFound();
    }
    const newBody = checkComment(body(v.object({ body: text })).body);
    const comment = { ...old, body: newBody, updatedAt: now() };
    state.comments[index] = comment;
    return ok(show.comment(comment));
  },

  'GET /repos/{repo}/issues/{number}/labels': (call) =>
    paged(call, call.show.labels(threadIn(call))),
  'POST /repos/{repo}/issues/{number}/labels'(call) {
    const thread = threadIn(call);
    addLabels(call.state, thread, call.body(v.object({ labels: texts })).labels);
    return ok(call.show.labels(thread));
  },
  'DELETE /repos/{repo}/issues/{number}/labels/{name}'(call) {
    const thread = threadIn(call);
    const rest = thread.labels.filter((each) => !isSame(each, call.part('name')));
    if (rest.length === thread.labels.length) {
      throw new Refusal(404, 'Label does not exist');
    }
    thread.labels = rest;
    return ok(call.show.labels(thread));
  },
  'GET /repos/{repo}/labels/{name}'({ state, repository, part, show }) {
    const found = labelOf(state, repository.name, part('name'));
    if (found === undefined) {
      throw notFound();
    }
    return ok(show.label(found));
  },
  'POST /repos/{repo}/labels'({ state, repository, body, show }) {
    const label = { ...body(labelBody), repository: repository.name };
    if (labelOf(state, label.repository, label.name) !== undefined) {
      throw new Refusal(422, 'Validation Failed');
    }
    return ok(show.label(addLabel(state, label)), 201);
  },

  'GET /repos/{repo}/pulls'(call) {
    const head = call.query.get('head') ?? '';
    const [owner] = call.repository.name.split('/');
    const pulls = listed(call)
      .filter(isPull)
      .filter(({ pull }) => head === '' || head === `${owner}:${pull.head.ref}`);
    return paged(call, pulls.map(call.show.pull));
  },
  'POST /repos/{repo}/pulls': openPull,
  'GET /repos/{repo}/pulls/{number}': (call) => ok(call.show.pullDetails(pullIn(call))),
  'PATCH /repos/{repo}/pulls/{number}'(call) {
    change(pullIn(call), call);
    return ok(call.show.pullDetails(pullIn(call)));
  },
  'GET /repos/{repo}/pulls/{number}/files': (call) =>
    paged(call, call.show.changesOf(pullIn(call)).files),
  'GET /repos/{repo}/pulls/{number}/commits'(call) {
    const { commits } = call.show.changesOf(pullIn(call));
    return paged(
      call,
      commits.map((each) => call.show.commit(call.repository.name, each)),
    );
  },
  'PUT /repos/{repo}/pulls/{number}/merge'(call) {
    const { merge_method: method, commit_title: title, sha } = call.body(mergeBody);
    const merged = mergePull(call.state, pullIn(call), { login: call.login, method, title, sha });
    return ok({ sha: merged, merged: true, message: 'Pull Request successfully merged' });
  },
  'POST /repos/{repo}/pulls/{number}/requested_reviewers'(call) {
    const thread = pullIn(call);
    requestReview(thread, call.body(v.object({ reviewers: texts })).reviewers);
    return ok(call.show.pull(thread), 201);
  },
  'GET /repos/{repo}/pulls/{number}/reviews': (call) =>
    paged(
      call,
      pullIn(call).pull.reviews.map(({ login, state }, index) => ({
        id: index + 1,
        user: call.show.account(login),
        state,
      })),
    ),
  'POST /repos/{repo}/pulls/{number}/reviews'(call) {
    const { event } = call.body(v.object({ event: text }));
    addReview(call.state, pullIn(call), call.login, event);
    return ok({ id: 1, user: call.show.account(call.login) });
  },
  'PUT /repos/{repo}/branches/{branch}/protection'({ state, repository, part, body }) {
    const { required_pull_request_reviews: reviews, required_status_checks: checks } =
      body(protectionBody);
    state.protections.set(`${repository.name}/${part('branch')}`, {
      approvals: reviews?.required_approving_review_count ?? 0,
      checks: checks?.contexts ?? [],
    });
    return ok({});
  },
  'GET /{repo}/pull/{number}': (call) =>
    ok(pullPage(pullIn(call), call.show.changesOf(pullIn(call)).files)),
};

const protectionBody = v.object({
  required_pull_request_reviews: v.nullish(
    v.object({ required_approving_review_count: v.number() }),
  ),
  required_status_checks: v.nullish(v.object({ contexts: texts })),
});

const threadIn = (call: Call) => threadOf(call.state, call.repository.name, numberIn(call));
const pullIn = (call: Call) => pullOf(call.state, call.repository.name, numberIn(call));

/** The threads of a repository in the state that was asked for, newest first. */
function listed({ state, repository, query }: Call): readonly Thread[] {
  const wanted = query.get('state') ?? 'open';
  return state.threads
    .filter((each) => each.repository === repository.name)
    .filter((each) => wanted === 'all' || each.state === wanted)
    .toSorted((a, b) => b.number - a.number);
}

function change(thread: Thread, { body }: Call): Thread {
  const { title = thread.title, body: newBody = thread.body, state } = body(changeBody);
  thread.title = title;
  thread.body = newBody;
  if (state !== undefined && state !== thread.state) {
    setState(thread, state);
  }
  return thread;
}

function openPull(call: Call) {
  const { state, login, repository } = call;
  const { head, base, draft, ...given } = call.body(pullBody);
  const branch = head.split(':').at(-1) ?? '';
  const tips = [base, branch].map((name) => repository.git.sha(`refs/heads/${name}`));
  const [baseSha, headSha] = tips;
  if (baseSha === undefined || headSha === undefined || baseSha === headSha) {
    throw new Refusal(422, 'Validation Failed');
  }
  const isOpen = state.threads.some(
    ({ repository: name, state: is, pull }) =>
      name === repository.name && is === 'open' && pull?.head.ref === branch,
  );
  if (isOpen) {
    throw new Refusal(422, `A pull request already exists for ${head}.`);
  }
  const thread = addPull(state, repository.name, {
    ...given,
    ...{ login, base: baseSha, head: headSha, baseBranch: base, headBranch: branch },
    isDraft: draft,
  });
  return ok(call.show.pullDetails(pullOf(state, repository.name, thread.number)), 201);
}

/** The web page of a pull request, with its title and its diff. */
function pullPage(thread: Pull, files: readonly DiffFile[]): string {
  const { repository, pull } = thread;
  const state = pull.merged === undefined ? thread.state : 'merged';
  const diffs = files.map(
    ({ filename, status, patch = '' }) =>
      `<h2>${escapeHtml(filename)} <small>${escapeHtml(status)}</small></h2>
<pre>${escapeHtml(patch)}</pre>`,
  );
  const title = escapeHtml(`${thread.title} · #${thread.number}`);
  return `<!doctype html>
<meta charset="utf-8">
<title>${title}</title>
<style>body { font: 16px system-ui; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
pre { background: #f6f8fa; color: #1f2328; padding: 1rem; overflow: auto }</style>
<h1>${title}</h1>
<p>${escapeHtml(repository)}: <b>${state}</b>,
<code>${escapeHtml(pull.head.ref)}</code> into <code>${escapeHtml(pull.base.ref)}</code></p>
${diffs.join('\n')}
`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
